"""The contract of an encirclement law, and laws that users bring along."""
