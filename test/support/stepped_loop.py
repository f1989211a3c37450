"""A mode of the law's ring stepped update by update, without a matrix."""

import math

from soliton_encirclement_ros.core.stability.agent_loop import AgentLoop
from velocity_mobility_ros.vehicles.second_order import late, weights

ENOUGH = 1e100


def stepped(
    loop: AgentLoop,
    factor: complex,
    ticks: int,
    odom_period: int = 1,
    acceleration_tau: float = math.nan,
) -> float:
    """Return by how much a mode grows per tick.

    Args:
        loop: An agent.
        factor: Factor of the mode.
        ticks: How long it is stepped.
        odom_period: Updates between two measurements.
        acceleration_tau: Lag of the acceleration [s], as of ``second_order``; NaN: none.
    """
    left = 0.0 if loop.tau is None else 1.0 - loop.update / loop.tau
    keep, ramp = weights(loop.update, acceleration_tau)
    x, v, command, filtered = 1.0 + 0.0j, 0.3j, 0.0j, 0.0j
    reference = middle = v
    past, sent, told, speeds = [(x, v)], [], [], []
    windows = loop.prediction.windows if loop.prediction else []
    for tick in range(ticks):
        now = tick * loop.substeps
        seen = max(0, (now - loop.odom_latency) // odom_period * odom_period)
        told.append((*past[seen], (now - seen) * loop.update))
        here, speed, _ = told[-1]
        for ago, time in windows:
            commanded = sent[tick - ago] if tick >= ago else 0.0j
            speed += (commanded - speed) * time / (loop.prediction.lag or time)
            here += speed * time
        y, w, age = told[tick - loop.delay] if tick >= loop.delay else (0.0, 0.0, 0.0)
        age += loop.delay * loop.period
        shift, rate = factor * (y + age * w) - here, factor * w - speed
        wanted = loop.velocity_gain * (loop.gain * shift - speed) + loop.gain * rate
        filtered += loop.follows * (wanted - filtered)
        sent.append(speed + loop.assumed_lag * filtered)
        for update in range(now, now + loop.substeps):
            since = update - loop.command_latency
            command = sent[since // loop.substeps] if since >= 0 else command
            reference = command + left * (reference - command)
            middle, v = late(reference, middle, v, keep, ramp)
            x += v * loop.update
            past.append((x, v))
        speeds.append(abs(v))
        if speeds[-1] > ENOUGH:
            break
    third = len(speeds) // 3
    return float((max(speeds[-third:]) / max(speeds[third:-third])) ** (1.0 / third))
