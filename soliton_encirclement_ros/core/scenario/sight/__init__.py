"""What belongs to a target that broadcasts nothing: its section, and its checks."""
