"""From columns of every topic to one recording."""
