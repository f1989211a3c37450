"""Estimator: where it believes to be, and the Earth where it is."""
