"""Sweeps: many runs from one file, flown at once, kept as they come, never twice."""

from soliton_encirclement_ros.sim.sweeps.store import Store
from soliton_encirclement_ros.sim.sweeps.sweep_file import (
    PlannedRun,
    Sweep,
    find_sweep,
    load_sweep,
)

__all__ = ['PlannedRun', 'Store', 'Sweep', 'find_sweep', 'load_sweep']
