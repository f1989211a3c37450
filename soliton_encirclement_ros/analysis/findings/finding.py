"""Computes the findings of a recording, with warnings about them and paths for the plots.

Warnings tell of estimated values, missing data, differences to the scenario, and vehicles that had
landed at the end of the recording, which the verdict judges.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from soliton_encirclement_ros.analysis.findings.agent_figures import (
    NO_SEPARATIONS, agent_findings, find_separations
)
from soliton_encirclement_ros.analysis.findings.alarms import alarms
from soliton_encirclement_ros.analysis.findings.finding_records import (
    ESTIMATED, UNKNOWN, Agreement, Findings, FindingSettings, Point, measurement_errors
)
from soliton_encirclement_ros.analysis.findings.finding_settings import (
    default_settings, is_instant, median_distance, sample_times, sampled, target_positions
)
from soliton_encirclement_ros.analysis.findings.message_replay import (
    Progress, Replay, agreement, clear_metrics, command_facts, filtered_share, replay
)
from soliton_encirclement_ros.analysis.findings.participants import (
    ObservedBody, Participants, Silences, nonempty, participants_of, silence_events,
    silence_warnings, silent_agents
)
from soliton_encirclement_ros.analysis.recording import Floats, Recording
from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.flight_statistics.agent_statistics import OUTSIDE
from soliton_encirclement_ros.core.flight_statistics.gap_recovery import (
    STEADY, STEADY_SHARE, GapRecovery, closing_summary, closings
)
from soliton_encirclement_ros.core.flight_statistics.near_misses import RATES
from soliton_encirclement_ros.core.run.flown_scenario import FlownScenario
from soliton_encirclement_ros.core.run.observer import TRAIL_PERIOD, Observer, Trail
from soliton_encirclement_ros.core.run.summary import LAST_SHARE, summarise
from soliton_encirclement_ros.core.states.swarm_topics import TARGET, uav, uav_id
from velocity_mobility_ros.core.user_errors import counted

SAME = 1e-9
"""Metrics that differ by less than this from the published ones are equal."""


def finding_warnings(
    participants: Participants,
    settings: FindingSettings,
    live: Agreement | None,
    flown: FlownScenario | None = None,
) -> Iterator[str]:
    """Iterate over all warnings, one line each, also about what was flown if that is known."""
    if flown is not None:
        recorded = len(participants.on_ring) + (uav_id(participants.target_name or '') is not None)
        what = f'the bag has {counted(recorded, "agent")}, the scenario {flown.run.num_agents}: '
        if recorded > flown.run.num_agents:
            yield (what + 'the share alive counts those in the bag; check that the bag belongs to '
                   'this run')  # fmt: skip
        elif recorded < flown.run.num_agents:
            yield what + 'missing agents count as not alive'
    if not participants.members:
        yield 'no agents: nothing to evaluate'
    yield from _radius_warnings(participants, settings)
    if not (participants.members and participants.is_foreign):
        yield from _source_warnings(participants, settings)
    if live is not None:
        name, largest = max(live.largest.items(), key=lambda pair: pair[1])
        if largest > SAME:
            yield (
                f'metrics differ from those published in flight, most {name} by {largest:.3g}: '
                'the monitor received other messages than the recorder'
            )


def _radius_warnings(participants: Participants, settings: FindingSettings) -> Iterator[str]:
    """Iterate over a line if target or radius are not known, or estimated."""
    if settings.target is None:
        names = [participants.names[k] for k in participants.agents]
        member = f'one of {named(names)}' if len(names) > 1 else 'a member'
        yield (
            'no target: no member called target has a place in the bag, so metrics and verdict '
            f'are unknown; name {member} with --target NAME, or a fixed point with --target X,Y'
        )
    elif settings.radius_from == ESTIMATED:
        yield (
            f'radius unknown: estimated as {settings.radius:.3f} m, the median distance to the '
            'target in the second half; E_r is relative to it; set it with --radius'
        )
    elif settings.radius_from == UNKNOWN:
        distance = median_distance(participants, settings.target, settings.step, settings.timeout)
        why = 'target and agents were not received at the same time' if math.isnan(distance) else (
            f'the agents are at the target (median distance {distance:.3f} m in the second half), '
            'so it cannot be estimated and E_r is unknown'
        )  # fmt: skip
        yield f'radius unknown: {why}; set it with --radius'


def _source_warnings(participants: Participants, settings: FindingSettings) -> Iterator[str]:
    """Iterate over a line for each kind of data of this package that is missing."""
    seen, target = participants.agents, participants.target
    if missing := [name for k, name in participants.names.items() if k not in seen]:
        yield f'no state was received from: {named(missing)}'
    if seen and not participants.uses_states:
        yield (
            'no agent states: odometry is used instead; an agent counts as lost when its '
            f'odometry is older than {settings.timeout:g} s'
        )
    if target is not None and not target.from_states:
        yield f'no target states: the odometry of {participants.target_name} is used instead'
    members = participants.members.values()
    for kind, cost in (
        ('telemetry', 'failures, time down and neighbour switches'),
        ('commands', 'tracking error, saturation and effort'),
    ):
        lacking = [member.name for member in members if nonempty(getattr(member, kind)) is None]
        if lacking:
            owners = 'any agent' if len(lacking) == len(members) else named(lacking)
            yield f'no {kind} of {owners}: {cost} are unknown'
    if settings.max_speed_xy is None and any(nonempty(member.commands) for member in members):
        yield 'no scenario: speed limits and the share of saturated commands are unknown'


LEAST = 0.5
"""Descent [m] up to which it is no landing, but drift of the height estimate."""


def landing_warnings(participants: Participants, target: str | Point | None) -> Iterator[str]:
    """Iterate over a line if agents of other software end below half of their usual heights.

    Without a target there is no verdict, and so no such line.
    """
    if target is None or not participants.is_foreign:
        return
    names = [
        participants.names[k] for k, body in participants.agents.items()
        if _has_landed(body.time, body.position[:, 2])
    ]  # fmt: skip
    if names:
        yield (
            f'{named(names)}: far below the usual height in the last {100 * LAST_SHARE:g} %, '
            'which the verdict judges; if it is a landing, --between A..B leaves it out'
        )


def _has_landed(time: np.ndarray, height: np.ndarray) -> bool:
    """Return whether the usual height is far above the lowest of the end."""
    known = np.isfinite(height)
    time, height = time[known], height[known]
    if not len(time):
        return False
    last = height[time >= time[-1] - LAST_SHARE * (time[-1] - time[0])]
    down = float(np.median(height) - last.min())
    return down > max(LEAST, 0.5 * float(np.ptp(height)))


def add_trails(
    observer: Observer, participants: Participants, silent: Silences, has_target: bool
) -> None:
    """Add the paths of agents without telemetry; drop the target's path without a target.

    An agent whose last silence does not end is down at the end of its path.
    """
    for k, body in participants.agents.items():
        if k not in participants.telemetry:
            periods = np.floor((body.time - body.time[0]) / TRAIL_PERIOD)
            _, firsts = np.unique(periods, return_index=True)
            indices = np.union1d(firsts, len(body.time) - 1)
            x, y = body.position[indices, 0].tolist(), body.position[indices, 1].tolist()
            failed = [False] * len(indices)
            failed[-1] = any(outage.end is None for outage in silent.get(k, ()))
            observer.trails[uav(k)] = Trail(body.time[indices].tolist(), x, y, failed)
    if not has_target:
        observer.trails.pop(TARGET, None)


FAILURES = 'failures', 'failures_recovered'
"""Keys of the summary that silences give where other software recorded."""

NEEDS_TELEMETRY = (
    *FAILURES, 'neighbour_switches_per_min', STEADY, STEADY_SHARE, OUTSIDE,
)  # fmt: skip

DISTANCES = ('min_separation_m', 'min_separation_time_s', 'min_separation_pair', *RATES)
"""Keys of the summary that require positions from one origin."""

NEEDS_SCENARIO = ('controller', 'seed')


ONE_TIME = ('all samples have one time ({:.3f} s), so nothing can be evaluated; check the stamps '
            'and the clock of the recorder')  # fmt: skip


def find(
    recording: Recording,
    settings: FindingSettings | None = None,
    progress: Progress = lambda *_: None,
) -> Findings:
    """Return the findings of a recording, by default with ``default_settings``.

    ``progress`` is called regularly with the number of samples processed, and of all.
    """
    settings = settings or default_settings(recording)
    participants = participants_of(recording, settings.target)
    at = sample_times(participants, settings.step)
    silent = silent_agents(recording, participants)
    seen = sampled(participants, at, settings.timeout)
    replayed = _replay(seen, settings, at, progress)
    add_trails(replayed.observer, participants, silent, settings.target is not None)
    replayed.observer.events += silence_events(silent)
    limits = settings.timeout, settings.collision_distance
    separations = NO_SEPARATIONS
    series = {name: np.array(values) for name, values in replayed.observer.series.items()}
    series['min_separation'] = replayed.separations
    if recording.has_unknown_distances:
        series['min_separation'] = np.full(len(at), math.inf)
    else:
        separations = find_separations(seen, at, *limits)
    series['filtered'] = filtered_share(participants.telemetry, series['time'])
    live = agreement(series, settings, recording.metrics)
    observer = replayed.observer
    recoveries = closings(observer.events, observer.series, settings.timeout)
    if settings.target is None:
        recoveries = [GapRecovery(closing.event, None, None) for closing in recoveries]
    return Findings(
        recording=recording,
        settings=settings,
        series=series,
        events=tuple(closing.event for closing in recoveries),
        closings=tuple(recoveries),
        agents=agent_findings(seen, settings, replayed, separations, silent, at),
        min_separation=separations.closest,
        collisions=separations.collisions,
        summary=_summary(recording, participants, settings, replayed, silent),
        live=live,
        problems=(
            *recording.problems, *([ONE_TIME.format(at[0])] if is_instant(at) else []),
            *finding_warnings(participants, settings, live, recording.scenario),
            *silence_warnings(recording, participants, silent),
            *landing_warnings(participants, settings.target),
        ),
        observer=observer,
        alarms=alarms(recording, participants.telemetry, participants.names),
        measurements=tuple(measurement_errors(recording.members.values())),
        is_foreign=participants.is_foreign,
    )  # fmt: skip


def _replay(
    participants: Participants,
    settings: FindingSettings,
    at: Floats,
    progress: Progress,
) -> Replay:
    target = participants.target
    if target is None:
        places = target_positions(participants, settings.target, at)
        target = ObservedBody(
            at, np.arange(1.0, len(at) + 1), places, np.zeros_like(places), False
        )
    replayed = replay(participants, target, settings.scenario, progress)
    if settings.target is None:
        clear_metrics(replayed.observer)
    elif math.isnan(settings.radius):
        clear_metrics(replayed.observer, ['E_r'])
    return replayed


def _summary(
    recording: Recording,
    participants: Participants,
    settings: FindingSettings,
    replayed: Replay,
    silent: Silences,
) -> Mapping[str, Any]:
    """Return the summary of a run, without values that have no data."""
    names, known = participants.names, recording.scenario
    period = math.nan if known is None else known.swarm.control_period
    summary = summarise(
        settings.scenario,
        replayed.observer,
        command_facts(participants, settings, period),
        lambda k: names.get(k, uav(k)),
    )
    if settings.target is None:
        summary |= dict.fromkeys(closing_summary(()))
        summary['verdict'] = {'encircled': None, 'why': 'there is no target to encircle'}
    elif math.isnan(settings.radius):
        summary['verdict'] = {'encircled': None, 'why': 'the radius is unknown'}
    elif not participants.agents and recording.scenario is None:
        summary['verdict'] = {'encircled': None, 'why': 'no place of any agent is known'}
    elif recording.doubt and not participants.uses_states:
        summary['verdict'] = {'encircled': None, 'why': recording.doubt}
        summary['settling_time_s'] = None
    elif is_instant(replayed.observer.series['time']):
        # The bounds must hold for a while; one sample cannot show that.
        summary['verdict'] = {'encircled': None, 'why': 'all samples have one time'}
        summary['settling_time_s'] = None
    if recording.has_unknown_distances:
        summary |= dict.fromkeys(DISTANCES)
    if not participants.telemetry:
        known = FAILURES if silent else ()
        summary |= dict.fromkeys(key for key in NEEDS_TELEMETRY if key not in known)
    if down := [names[k] for k, outages in silent.items() if outages]:
        summary['verdict'] |= {'why': _with_outages(summary['verdict'], replayed, settings, down)}
    if recording.scenario is None:
        summary |= dict.fromkeys(NEEDS_SCENARIO)
        summary['scenario'] = recording.path.name
    return summary


def _with_outages(
    verdict: Mapping[str, Any], replayed: Replay, settings: FindingSettings, down: Sequence[str]
) -> str:
    """Return the reason of a verdict with the share alive in all of the recording."""
    alive = replayed.observer.series['alive']
    if verdict['encircled'] is None or not len(alive):
        return verdict['why']
    share = float(np.mean(alive)) / settings.scenario.run.num_agents
    return f'{verdict["why"]}; in all of the recording alive = {share:.3f}: {named(down)} silent'
