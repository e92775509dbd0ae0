"""What stands in the holes of a sketch: found by the reading and Z3, or by trying values; judged by others."""
