"""Claims made small before a solver sees them: the same on every assignment within the bounds."""
