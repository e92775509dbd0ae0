"""Evidence: all that a verdict rests on in one file, which another machine can check and run again."""
