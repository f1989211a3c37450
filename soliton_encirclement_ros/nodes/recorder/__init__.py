"""The node that records topics to a bag."""
