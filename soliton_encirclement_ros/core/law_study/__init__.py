"""What a study of laws is made of: laws, conditions, metrics, flights."""
