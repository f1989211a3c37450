"""Whether this machine carries a real-time run: its work, its costs, the speed of the machine."""
