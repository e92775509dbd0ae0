"""The search for inputs that matter: directed first, then drawn, and the smallest one that shows a fault."""
