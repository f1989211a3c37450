"""What the twist limiter reports: how often it limits, and what is wrong."""

import math

from velocity_mobility_ros.core.smoothing.command_chain import ChainState
from velocity_mobility_ros.core.time import to_seconds
from velocity_mobility_ros.core.timeouts import lasting
from velocity_mobility_ros.ros_io.conditions import Condition, Level


class LimitTally:
    """Outputs since the last status, and how many of them were limited."""

    def __init__(self) -> None:
        """Begin without outputs."""
        self._outputs = self._limited = 0
        self._smallest = 1.0

    def add(self, state: ChainState) -> None:
        """Count an output."""
        self._outputs += 1
        if state.limiter.factor < 1.0:
            self._limited += 1
            self._smallest = min(self._smallest, state.limiter.factor)

    def take(self) -> dict[str, object]:
        """Return the values since the last call: share limited, and the smallest factor."""
        share = self._limited / self._outputs if self._outputs else 0.0
        values = {'limited_share': f'{share:.3f}', 'smallest_factor': f'{self._smallest:.3f}'}
        self._outputs = self._limited = 0
        self._smallest = 1.0
        return values


def chain_values(state: ChainState, now_ns: int) -> dict[str, object]:
    """Return values of the diagnostics; an age without a command is infinite."""
    age = to_seconds(now_ns - state.command_ns) if state.has_command else math.inf
    return {
        'factor': f'{state.limiter.factor:.3f}',
        'speed_m_per_s': f'{math.hypot(*state.limiter.motion.velocity):.3f}',
        'command_age_s': f'{age:.3f}',
        'timeouts': state.timeouts,
        'clock_setbacks': state.limiter.clock.setbacks,
        'emergency_stop': str(state.is_stopped).lower(),
    }


def chain_conditions(
    state: ChainState, topic: str, timeout: float, now_ns: int
) -> list[Condition]:
    """Return the faults of the command chain.

    Args:
        state: Its state.
        topic: Full name of the input.
        timeout: Timeout of a command [s].
        now_ns: Time [ns].
    """
    if state.is_stopped:
        reason = 'emergency stop is on: zero until emergency_stop is called with false'
        return [Condition(Level.ERROR, reason, 'emergency stop')]
    if state.has_command:
        return []
    if state.timeouts == 0:
        reason = f'no command received yet on {topic}'
        return [Condition(Level.WARN, reason, unheard=topic)]
    age = to_seconds(now_ns - state.command_ns)
    reason = f'no command on {topic} for {lasting(age)}: stopped (cmd_vel_timeout {timeout:g} s)'
    return [Condition(Level.WARN, reason, topic)]
