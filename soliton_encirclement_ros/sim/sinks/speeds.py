"""The column ``velocity_norm`` of a chunk."""

import numpy as np

from soliton_encirclement_ros.core.laws.telemetry import speed_squared
from soliton_encirclement_ros.sim.chunk import AGENT_COLUMNS, Chunk, Floats

VX = AGENT_COLUMNS.index('vx')


def speeds(chunk: Chunk) -> Floats:
    """Return the speed [m/s] of every agent at every sample, (S, N)."""
    vx, vy, vz = np.moveaxis(chunk.agents[:, :, VX : VX + 3], 2, 0)
    return np.sqrt(speed_squared(vx, vy, vz))
