"""What is shown and stored of a batch: progress, the summary, and its results in forms for other programs."""
