"""Reports: each listens to the pipeline's events and shows or stores them in its own form. None decides anything."""
