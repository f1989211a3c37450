"""Experiments: a design, its runs on many processes, one table, its statistics, pictures."""

from soliton_encirclement_ros.experiments.run_store import Store
from soliton_encirclement_ros.experiments.sweep_file import (
    PlannedRun, Sweep, find_sweep, load_sweep
)

__all__ = ['PlannedRun', 'Store', 'Sweep', 'find_sweep', 'load_sweep']
