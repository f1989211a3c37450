"""Terminal output of the verbs: progress and tables."""
