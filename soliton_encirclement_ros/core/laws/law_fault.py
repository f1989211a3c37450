"""Error messages for the author of a law that failed in flight."""

import math
import traceback
from collections.abc import Callable

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.laws.law import Gains, Memory, View


def raised_text(error: Exception) -> str:
    """Return one line for an exception of a law: the error, and the line of its file."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    reason = ' '.join(f'{type(error).__name__}: {error}'.split())
    return f'{reason} ({frame.name}, line {frame.lineno})'


def not_finite_text(velocity: Vector) -> str:
    """Return one line for a desired velocity [m/s] that is not finite."""
    return f'wants the velocity {tuple(map(float, velocity))} m/s; it must be finite'


def is_finite(velocity: Vector) -> bool:
    """Return whether a velocity is finite."""
    x, y, z = velocity
    return math.isfinite(x) and math.isfinite(y) and math.isfinite(z)


def fault_of(step: Callable, gains: Gains, memory: Memory, view: View) -> str:
    """Return the fault of a failed step, by repeating it."""
    try:
        _, _, wanted = step(gains, memory, view)
    except Exception as error:
        return raised_text(error)
    return not_finite_text(wanted.velocity)


def raised_by(step: Callable, gains: Gains, memory: Memory, view: object) -> str:
    """Return the fault of a step that raised an exception, by repeating it."""
    try:
        step(gains, memory, view)
    except Exception as error:
        return raised_text(error)
    return 'raised an exception that did not come again'


def fault_line(law: str, agent_id: int, now: float, fault: str) -> str:
    """Return the line that reports a fault to the author of a law.

    Args:
        law: The law's short name.
        agent_id: Number k of the agent that ran it.
        now: Time [s].
        fault: The fault.
    """
    return f'{law}: uav_{agent_id} at {now:g} s: {fault}'
