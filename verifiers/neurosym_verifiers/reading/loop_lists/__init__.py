"""Lists that loops of many rounds make, one item in each round: what is asked of them is counted beside the loop."""
