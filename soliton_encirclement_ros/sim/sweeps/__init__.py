"""Experiments: sweeps and studies of laws, many runs from one file, simulated in parallel."""

from soliton_encirclement_ros.sim.sweeps.run_store import Store
from soliton_encirclement_ros.sim.sweeps.sweep_file import (
    PlannedRun,
    Sweep,
    find_sweep,
    load_sweep,
)

__all__ = ['PlannedRun', 'Store', 'Sweep', 'find_sweep', 'load_sweep']
