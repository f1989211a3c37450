"""The terms that encirclement laws are composed of."""
