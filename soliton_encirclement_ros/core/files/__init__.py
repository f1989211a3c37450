"""Files that survive interruption, and YAML, paths and names that people write."""
