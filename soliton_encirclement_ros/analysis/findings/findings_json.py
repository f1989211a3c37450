"""Findings as plain data for ``json``: no NaN, no infinity, no series."""

import datetime
import math
from collections.abc import Mapping
from typing import Any

from soliton_encirclement_ros.analysis.bag.storage.recorder_clock import FIRST_REAL
from soliton_encirclement_ros.analysis.findings.finding_records import (
    AGENT_UNITS,
    Findings,
    FindingSettings,
)
from soliton_encirclement_ros.analysis.recording import SIMULATED
from soliton_encirclement_ros.core.run.figures.gap_recovery import GapRecovery


def as_json(findings: Findings) -> dict[str, Any]:
    """Return the findings without their series; null: unknown, or never."""
    return plain(
        {
            'path': str(findings.path),
            'clock': findings.clock,
            'started': started(findings),
            'begin_s': findings.begin,
            'duration_s': findings.duration - findings.begin,
            **({'judged': findings.judged} if findings.judged else {}),
            'settings': _settings(findings.settings),
            'summary': findings.summary,
            'agents': findings.agents,
            'agent_units': AGENT_UNITS,
            'min_separation': findings.min_separation,
            'collisions': findings.collisions,
            'events': [
                _event(closing, findings.name_of(closing.event.agent_id))
                for closing in findings.closings
            ],
            'parameter_changes': findings.changes,
            'alarms': findings.alarms,
            'measurements': findings.measurements,
            'topics': findings.topics,
            'sources': findings.sources,
            'live': findings.live,
            'problems': findings.problems,
        }
    )


def started(findings: Findings) -> str | None:
    """Return the date and time of time 0 (UTC, ISO 8601), None if its clock tells none."""
    if findings.clock == SIMULATED or findings.start_ns < FIRST_REAL:
        return None
    begin = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    try:
        return (begin + datetime.timedelta(microseconds=findings.start_ns // 1000)).isoformat()
    except OverflowError:
        return None


def plain(value: Any) -> Any:
    """Return a value for JSON: records as objects, None for values that are not finite."""
    if hasattr(value, '_asdict'):
        return plain(value._asdict())
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if hasattr(value, 'item'):
        value = value.item()
    return value if not isinstance(value, float) or math.isfinite(value) else None


def _settings(settings: FindingSettings) -> dict[str, Any]:
    return {
        'scenario': settings.scenario.name,
        'target': settings.target,
        'radius_m': settings.radius,
        'radius_from': settings.radius_from,
        'timeout_s': settings.timeout,
        'max_speed_xy_m_s': settings.max_speed_xy,
        'max_speed_z_m_s': settings.max_speed_z,
        'collision_distance_m': settings.collision_distance,
        'max_e_gap': settings.scenario.run.max_e_gap,
        'max_e_r': settings.scenario.run.max_e_r,
        'settle_window_s': settings.scenario.run.settle_window,
    }


def _event(closing: GapRecovery, name: str) -> dict[str, Any]:
    return {
        'time_s': closing.event.time,
        'agent': name,
        'failed': closing.event.failed,
        'time_to_close_s': closing.time_to_close,
        'peak_G_max': closing.peak_g_max,
    }
