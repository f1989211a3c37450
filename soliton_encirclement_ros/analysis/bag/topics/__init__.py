"""Which topic tells what of whom."""
