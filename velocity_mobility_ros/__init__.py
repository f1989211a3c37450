"""Velocity model of one body with limits and lag: commands in, odometry out."""

__version__ = '0.1.0'

__all__ = ['__version__']
