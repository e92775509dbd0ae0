"""What was executed and judged, as data for those who train models."""
