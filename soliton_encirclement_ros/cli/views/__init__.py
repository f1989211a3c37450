"""What the verbs show on a terminal: progress and tables."""
