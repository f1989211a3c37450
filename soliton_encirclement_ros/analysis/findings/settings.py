"""Default reference values for the evaluation of a recording."""

import math
import re
from pathlib import Path

import numpy as np

from soliton_encirclement_ros.analysis.findings.finding_records import (
    ESTIMATED,
    FROM_SCENARIO,
    GIVEN,
    UNKNOWN,
    FindingSettings,
    Point,
)
from soliton_encirclement_ros.analysis.findings.participants import (
    Participants,
    observed_body,
    participants_of,
)
from soliton_encirclement_ros.analysis.findings.sampling import (
    ring_distances,
    sample_times,
    sampled,
    target_positions,
)
from soliton_encirclement_ros.analysis.recording import Recording
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.parameters.run_parameters import RunParameters
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import TARGET

DEFAULT_COLLISION = RunParameters().collision_distance
"""Distance of two centres [m] below which bodies collide, where the run has not set one."""

MISSED = 3.0
"""Timeout without a scenario, as a multiple of the usual time between two states."""

MAX_NAME_LENGTH = 60

LAST_SHARE = 0.5
"""Share of a recording, at its end, from which an unknown radius is estimated."""

MIN_RADIUS = 1e-3
"""A median distance [m] below this is no ring: the agents are at the target."""


def default_settings(
    recording: Recording, target: str | Point | None = None, radius: float | None = None
) -> FindingSettings:
    """Return reference values from the scenario, else defaults and estimates.

    Args:
        recording: The recording.
        target: Name of a member, or a fixed point [m]; None for the member ``target``, if there
            is one.
        radius: Desired ring radius [m]; None for that of the scenario, else an estimate.

    Raises:
        RunError: There is no such member, or its position was not recorded.
    """
    target = _target(recording, target)
    participants = participants_of(recording, target)
    scenario = recording.scenario or _default_scenario(recording.path, participants)
    known = recording.scenario is not None
    timeout = scenario.swarm.agent_state_timeout if known else _timeout(participants, scenario)
    step = scenario.swarm.control_period
    radius, source = _radius(recording, participants, target, (radius, step, timeout))
    swarm = {'agent_state_timeout': timeout}
    if math.isfinite(radius):
        swarm['encirclement_radius'] = radius
    # With fewer agents than recorded, the share alive could exceed 1.
    run = {'num_agents': max(scenario.run.num_agents, len(participants.on_ring))}
    return FindingSettings(
        scenario=scenario.with_changes({'swarm': swarm, 'run': run}, 'settings'),
        target=target,
        radius=radius,
        radius_from=source,
        timeout=timeout,
        step=step,
        max_speed_xy=scenario.mobility.max_speed_xy if known else None,
        max_speed_z=scenario.mobility.max_speed_z if known else None,
        collision_distance=scenario.run.collision_distance or DEFAULT_COLLISION,
    )


def _target(recording: Recording, target: str | Point | None) -> str | Point | None:
    if target is None:
        usual = recording.members.get(TARGET)
        return TARGET if usual is not None and observed_body(usual) is not None else None
    if not isinstance(target, str):
        return target
    found = recording.members.get(target)
    if found is None or observed_body(found) is None:
        usable = [
            name for name, one in recording.members.items() if observed_body(one) is not None
        ]
        raise RunError(
            f'target {target[:60]!r}: not in the recording; '
            f'name one of {", ".join(usable) or "none"}, or a point X,Y'
        )
    return target


def _default_scenario(path: Path, participants: Participants) -> Scenario:
    """Return the default scenario with the number of agents and the name of the bag."""
    name = re.sub(r'[^a-zA-Z0-9.-]', '_', path.name).lstrip('_.-')[:MAX_NAME_LENGTH] or 'recording'
    agents = {'num_agents': max(1, len(participants.on_ring))}
    return Scenario(name).with_changes({'run': agents}, 'settings')


def _timeout(participants: Participants, scenario: Scenario) -> float:
    """Return the default timeout, or a longer one for slow state messages."""
    gaps = [
        float(np.median(np.diff(body.time)))
        for body in participants.agents.values() if len(body.time) > 1
    ]  # fmt: skip
    return max([scenario.swarm.agent_state_timeout, *(MISSED * gap for gap in gaps)])


def _radius(
    recording: Recording,
    participants: Participants,
    target: str | Point | None,
    known: tuple[float | None, float, float],
) -> tuple[float, str]:
    """Return the radius [m] and where it comes from; ``known``: given radius, step, timeout."""
    given, step, timeout = known
    if given is not None:
        return given, GIVEN
    if recording.scenario is not None:
        return recording.scenario.swarm.encirclement_radius, FROM_SCENARIO
    distance = median_distance(participants, target, step, timeout)
    return (distance, ESTIMATED) if distance >= MIN_RADIUS else (math.nan, UNKNOWN)


def median_distance(
    participants: Participants, target: str | Point | None, step: float, timeout: float
) -> float:
    """Return the median horizontal distance to the target in the second half of a recording [m].

    NaN where no agent was received while the target's position was known.

    Args:
        participants: Members with a role.
        target: As in ``FindingSettings``.
        step: Length of a step [s] if there are no target states.
        timeout: Age of the last state [s] above which an agent counts as lost.
    """
    times = sample_times(participants, step)
    times = times[math.floor(len(times) * (1.0 - LAST_SHARE)) :]
    participants = sampled(participants, times, timeout)
    centre = target_positions(participants, target, times)
    distances = ring_distances(participants, centre, times, timeout).values()
    far = np.concatenate([np.empty(0), *distances])
    far = far[np.isfinite(far)]
    return float(np.median(far)) if len(far) else math.nan
