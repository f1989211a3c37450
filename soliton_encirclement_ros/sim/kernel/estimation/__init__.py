"""Cameras and estimators of a target that broadcasts nothing."""
