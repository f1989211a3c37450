"""For tests of ``swarm fly``: what a bridge reports, with changes, and how it is seen."""

from soliton_encirclement_ros.cli.fly.fleet_state import Snapshot, read_report

READY = {
    'state': 'READY',
    'ready': 'true',
    'waits_for': '',
    'autopilot': 'px4',
    'autopilot_mode': 'AUTO_LOITER',
    'armed': 'false',
    'landed': 'true',
    'system_id': '2',
    'battery': '0.9',
    'x': '1.0',
    'y': '2.0',
    'z': '0.0',
    'origin': '47.4,8.5,488',
    'clock_offset_s': '-0.05',
    'command_age_s': '0.02',
    'odometry_age_s': '0.01',
}
HOLDING = {'state': 'HOLD', 'ready': 'false', 'armed': 'true', 'landed': 'false', 'z': '3.0'}


def report(reason='ready', **changes):
    """Return a report of a vehicle that is ready to take off, but for the changes."""
    return read_report(reason, {**READY, **{key: str(value) for key, value in changes.items()}})


def snapshot(reason='ready', reports=5, age=0.3, bridges=1, odometry_age=0.02, offset=-0.05,
             **changes):  # fmt: skip
    """Return how such a vehicle is seen."""
    return Snapshot(report(reason, **changes), reports, age, bridges, odometry_age, offset)
