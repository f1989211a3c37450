"""The emulator on real DDS: flown by another process with the messages of its release."""

import json
import subprocess
import sys
from collections import Counter
from types import SimpleNamespace

import pytest
from support.interfaces.environment import built_releases
from support.px4_emulator.ros.formats import fields_hash
from support.px4_emulator.ros.process import EmulatedPx4s, px4_environment
from support.px4_emulator.wire.releases import RELEASES, namespace
from support.ros.graph import domain

__all__ = ['domain']

STRICT = {'ROS_PYTHON_CHECK_FIELDS': '1'}
ACCEPTED = 0
OFFBOARD, ARM = 176, 400
LATE = {'heartbeat_gap', 'setpoint_outside_offboard'}
"""What also happens on a machine that has too much to do."""

IN_SHORT = ('1.14', '1.17', '1.18')
"""The releases that `make test` flies; the other ones differ in names only."""

releases = [
    pytest.param(release, marks=() if release in IN_SHORT else pytest.mark.nightly)
    for release in built_releases()
]


def climbed(px4s, domain, release, instance):
    """Let a companion fly a vehicle to 1 m; return the truth then, and what that has seen."""
    command = (sys.executable, '-m', 'support.px4_emulator.ros.companion',
               namespace(instance), str(instance + 1))  # fmt: skip
    with subprocess.Popen(
        command, env=px4_environment(domain, release) | STRICT, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, text=True,
    ) as companion:  # fmt: skip

        def is_up():
            assert companion.poll() is None
            return px4s[instance].height > 1.0

        px4s.wait(is_up, f'vehicle {instance} to climb')
        truth = px4s[instance]
        seen, _ = companion.communicate(timeout=30)
    assert companion.returncode == 0
    return truth, SimpleNamespace(**json.loads(seen))


@pytest.mark.paced
@pytest.mark.one_in(3)
@pytest.mark.parametrize('release', releases)
def test_a_flight(release, domain, tmp_path):
    vehicles = [{'instance': 1}, {'instance': 2}]
    with EmulatedPx4s(tmp_path, domain, vehicles, release, **STRICT) as px4s:
        flown, seen = climbed(px4s, domain, release, 2)
        assert (flown.mode, flown.armed, flown.landed) == ('OFFBOARD', True, False)
        assert {rule for _, rule, _ in flown.violations} <= LATE
        left = px4s[1]
        assert not left.armed
        assert left.height == 0.0

    table = RELEASES[release]
    named = {f'/px4_2/fmu/out/{table.name(topic)}' for topic in table.rates}
    named -= {'/px4_2/fmu/out/vehicle_attitude'}  # no bridge reads it: px4_msgs has no class
    formats = {'/px4_2/fmu/out/message_format_response'} if release != '1.14' else set()
    assert set(seen.writers) == named | formats
    profiles = Counter(tuple(profile) for _, *profile in seen.writers.values())
    assert set(profiles) == {('BEST_EFFORT', 'TRANSIENT_LOCAL')}
    assert set(seen.heard) == set(seen.writers)

    assert ([OFFBOARD, ACCEPTED] in seen.acks) == (release != '1.14')
    assert ([ARM, ACCEPTED] in seen.replies) == (release != '1.14')
    assert ('/px4_2/fmu/vehicle_command' in seen.services) == (release != '1.14')
    expected = {'true': fields_hash(release, 'VehicleStatus')} if release != '1.14' else {}
    assert seen.formats == expected


def test_the_first_vehicle_has_no_namespace(domain, tmp_path):
    with EmulatedPx4s(tmp_path, domain, [{}]) as px4s:
        _, seen = climbed(px4s, domain, '1.17', 0)
    assert '/fmu/out/vehicle_status_v1' in seen.heard
    assert '/fmu/vehicle_command' in seen.services
