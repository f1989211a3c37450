"""The separation filter between any source of velocity commands and a vehicle."""
