"""How one body moves: velocity commands in, odometry out, under limits and lag."""

__version__ = '0.1.0'

__all__ = ['__version__']
