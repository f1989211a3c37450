"""Computes the findings of a recording."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from soliton_encirclement_ros.analysis.findings.agreement import agreement
from soliton_encirclement_ros.analysis.findings.alarms import alarms
from soliton_encirclement_ros.analysis.findings.filtering import command_facts, filtered_share
from soliton_encirclement_ros.analysis.findings.finding_records import Findings, FindingSettings
from soliton_encirclement_ros.analysis.findings.finding_warnings import finding_warnings
from soliton_encirclement_ros.analysis.findings.landings import landing_warnings
from soliton_encirclement_ros.analysis.findings.measurements import measurement_errors
from soliton_encirclement_ros.analysis.findings.participants import (
    ObservedBody,
    Participants,
    participants_of,
)
from soliton_encirclement_ros.analysis.findings.per_agent import agent_findings
from soliton_encirclement_ros.analysis.findings.replay import (
    Progress,
    Replay,
    clear_metrics,
    replay,
)
from soliton_encirclement_ros.analysis.findings.sampling import (
    is_instant,
    sample_times,
    sampled,
    target_positions,
)
from soliton_encirclement_ros.analysis.findings.separation import NO_SEPARATIONS, find_separations
from soliton_encirclement_ros.analysis.findings.settings import default_settings
from soliton_encirclement_ros.analysis.findings.silent_agents import (
    Silent,
    silence_events,
    silence_warnings,
    silent_agents,
)
from soliton_encirclement_ros.analysis.findings.trails import add_trails
from soliton_encirclement_ros.analysis.recording import Floats, Recording
from soliton_encirclement_ros.core.files.name_list import named
from soliton_encirclement_ros.core.run.figures.gap_recovery import (
    GapRecovery,
    closing_summary,
    closings,
)
from soliton_encirclement_ros.core.run.figures.steady_means import STEADY, STEADY_SHARE
from soliton_encirclement_ros.core.run.separation.flight_bounds import OUTSIDE
from soliton_encirclement_ros.core.run.separation.near_misses import RATES
from soliton_encirclement_ros.core.run.summary import summarise
from soliton_encirclement_ros.core.states.swarm_topics import uav

FAILURES = 'failures', 'failures_recovered'
"""Keys of the summary that silences give where other software recorded."""

NEEDS_TELEMETRY = (
    *FAILURES, 'neighbour_switches_per_min', STEADY, STEADY_SHARE, OUTSIDE,
)  # fmt: skip
"""Keys of the summary that require telemetry."""

DISTANCES = ('min_separation_m', 'min_separation_time_s', 'min_separation_pair', *RATES)
"""Keys of the summary that require positions from one origin."""

NEEDS_SCENARIO = ('controller', 'seed')
"""Keys of the summary that require a scenario."""


def find(
    recording: Recording,
    settings: FindingSettings | None = None,
    progress: Progress = lambda *_: None,
) -> Findings:
    """Return the findings of a recording.

    Args:
        recording: The recording.
        settings: Reference values; None for ``default_settings``.
        progress: Called regularly with the number of samples processed, and of all.
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
    separations, series = NO_SEPARATIONS, _series(replayed)
    if recording.has_unknown_distances:
        series['min_separation'] = np.full(len(at), math.inf)
    else:
        separations = find_separations(seen, at, *limits)
    series['filtered'] = filtered_share(participants.telemetry, series['time'])
    live = agreement(series, settings, recording.metrics)
    observer = replayed.observer
    followed = closings(observer.events, observer.series, settings.timeout)
    if settings.target is None:
        followed = [GapRecovery(closing.event, None, None) for closing in followed]
    return Findings(
        path=recording.path,
        clock=recording.clock,
        start_ns=recording.start_ns,
        duration=recording.duration,
        settings=settings,
        series=series,
        events=tuple(closing.event for closing in followed),
        closings=tuple(followed),
        agents=agent_findings(seen, settings, replayed, separations, silent, at),
        min_separation=separations.closest,
        collisions=separations.collisions,
        topics=recording.topics,
        summary=_summary(recording, participants, settings, replayed, silent),
        live=live,
        problems=(
            *recording.problems, *_time_warnings(at),
            *finding_warnings(participants, settings, live, recording.scenario),
            *silence_warnings(recording, participants, silent),
            *landing_warnings(participants, settings.target),
        ),
        observer=observer,
        changes=recording.changes,
        alarms=alarms(recording, participants.telemetry, participants.names),
        measurements=tuple(measurement_errors(recording.members.values())),
        judged=recording.judged,
        sources=recording.sources,
        is_foreign=participants.is_foreign,
        begin=recording.begin,
    )  # fmt: skip


def _time_warnings(at: Floats) -> list[str]:
    if not is_instant(at):
        return []
    return [
        f'all samples have one time ({at[0]:.3f} s), so nothing can be evaluated; check the '
        'stamps and the clock of the recorder'
    ]


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


def _series(replayed: Replay) -> dict[str, Floats]:
    series = {name: np.array(values) for name, values in replayed.observer.series.items()}
    return {**series, 'min_separation': replayed.separations}


def _summary(
    recording: Recording,
    participants: Participants,
    settings: FindingSettings,
    replayed: Replay,
    silent: Silent,
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
