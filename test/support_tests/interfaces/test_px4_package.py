"""px4_msgs of each release as it is built: fields, size on the wire and constants of PX4's own."""

import functools
import json
import subprocess
import sys

import pytest
from support.interfaces.environment import built_releases
from support.interfaces.px4_fields import all_definitions
from support.px4_emulator.ros.process import px4_environment
from velocity_mobility_ros.autopilot.px4.definitions import RELEASES, definitions, matching
from velocity_mobility_ros.autopilot.px4.topics import topic_name

SIZES = {
    'OffboardControlMode': (14, 15, 15, 15, 15),
    'TrajectorySetpoint': (64, 64, 64, 64, 64),
    'VehicleCommand': (54, 56, 56, 56, 56),
    'VehicleCommandAck': (23, 25, 25, 25, 25),
    'VehicleOdometry': (114, 114, 114, 114, 114),
    'VehicleLocalPosition': (184, 200, 216, 216, 216),
    'VehicleStatus': (71, 82, 80, 80, 83),
    'VehicleControlMode': (21, 23, 23, 23, 20),
    'TimesyncStatus': (44, 44, 44, 44, 44),
    'VehicleLandDetected': (20, 20, 20, 20, 20),
    'FailsafeFlags': (85, 85, 86, 91, 95),
}
"""Bytes of a message without the header of CDR, by release; Fast DDS adds some up to 4."""

KILL_SWITCH = (9, 9, 9, 9, 8)
STATUS_TOPIC = ('', '', '_v1', '_v1', '_v4')
BATTERY_TOPIC = ('', '', '', '_v1', '_v1')

built = pytest.mark.parametrize('release', built_releases())


@functools.cache
def classes(release):
    """Return what the classes of a release are like, see ``support.interfaces.described``."""
    command = (sys.executable, '-m', 'support.interfaces.described')
    ran = subprocess.run(
        command, env=px4_environment(0, release), capture_output=True, text=True, check=False,
        timeout=60,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def version(release, name):
    return classes(release)[name]['constants'].get('MESSAGE_VERSION', 0)


def test_the_release_of_most_tests_is_built():
    assert '1.17' in built_releases()


@built
@pytest.mark.parametrize('name', SIZES)
def test_size_on_the_wire(release, name):
    found = classes(release)[name]['size']
    assert found - 4 < SIZES[name][RELEASES.index(release)] <= found


@built
def test_the_bridge_recognises_the_release(release):
    found = classes(release)
    fields = {name: tuple(found[name]['fields']) for name in definitions(release)}
    assert matching(fields, {name: version(release, name) for name in fields}) == (release,)


@built
def test_all_that_the_emulator_says_has_a_class(release):
    assert set(classes(release)) == set(all_definitions(release))
    assert ('MessageFormatRequest' in classes(release)) == (release != '1.14')


@built
def test_constants(release):
    index = RELEASES.index(release)
    reasons = classes(release)['VehicleStatus']['constants']
    assert reasons['ARM_DISARM_REASON_KILL_SWITCH'] == KILL_SWITCH[index]
    status = topic_name('', 'out', 'vehicle_status', version(release, 'VehicleStatus'))
    assert status == f'/fmu/out/vehicle_status{STATUS_TOPIC[index]}'
    battery = topic_name('', 'out', 'battery_status', version(release, 'BatteryStatus'))
    assert battery == f'/fmu/out/battery_status{BATTERY_TOPIC[index]}'
    has_version = 'MESSAGE_VERSION' in classes(release)['TrajectorySetpoint']['constants']
    assert has_version == (release not in ('1.14', '1.15'))
    assert 'MESSAGE_VERSION' not in classes(release)['OffboardControlMode']['constants']
