"""What a real-time run costs on the reference machine: an AMD EPYC, two shared cores, Python 3.11.

All of it is measured by ``python bench/processor_needs.py``, which prints these lines: it flies
several swarms and compositions, reads the processor time of every process from the kernel, and
fits the costs by least squares of the relative errors. Measure anew when nodes become faster.
``compiled`` comes from its ratio to ``member`` on a machine a third as fast.
"""

from soliton_encirclement_ros.core.capacity.processor_work import Work

COSTS = Work(
    lifetime=6.7e-3,
    process=506e-6,
    member=131e-6,
    compiled=75e-6,
    received=38e-6,
    vehicle=77e-6,
    crossing=15e-6,
    watched=164e-6,
    recorded=130e-6,
)
"""Processor time [s] of each piece of work."""

ROUND_TIME = 4.85e-3
"""Processor time [s] of a round of the calibration, ``machine_speed.exchange``."""
