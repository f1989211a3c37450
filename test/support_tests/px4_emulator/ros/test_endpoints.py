"""The emulated PX4 on real DDS: its names and quality of service, flown by a bridge."""

import pytest

from support.autopilot.sky import Sky
from support.px4_emulator.wire.releases import RELEASES
from support.ros.graph import domain, ros

__all__ = ['domain', 'ros']

FLIES, STANDS = 2, 1


def profiles(infos):
    return {(one.qos_profile.reliability.name, one.qos_profile.durability.name) for one in infos}


@pytest.mark.nightly
@pytest.mark.parametrize('release', ['1.17', '1.14'])
def test_a_flight(release, ros, domain, tmp_path):
    """A reliable writer of the emulator would hide a reader that gets nothing from PX4."""
    head, node = f'/px4_{FLIES}/fmu', ros.tester
    named = {f'{head}/out/{RELEASES[release].name(topic)}' for topic in RELEASES[release].rates}
    if release != '1.14':
        named.add(f'{head}/out/message_format_response')

    def out():
        return {name for name, _ in node.get_topic_names_and_types() if f'{head}/out/' in name}

    with Sky(tmp_path, domain, {STANDS: {}, FLIES: {}}, release) as sky:
        ros.until(lambda: out() >= named, 'the topics')
        assert out() == named
        for name in named:
            found = profiles(node.get_publishers_info_by_topic(name))
            assert found == {('BEST_EFFORT', 'TRANSIENT_LOCAL')}, name
        commands = node.get_subscriptions_info_by_topic(f'{head}/in/vehicle_command')
        assert profiles(commands) == {('BEST_EFFORT', 'VOLATILE')}
        sky.start(FLIES)
        start = sky.tracking(FLIES, command=(0.0, 0.0, 1.0, 0.0)) and sky.px4s[FLIES]
        sky.wait(lambda: sky.px4s[FLIES].height > start.height + 1.0, 'a climb')
        assert sky.px4s[FLIES].mode == 'OFFBOARD' and sky.broken() == {}
        assert not sky.px4s[STANDS].armed and sky.px4s[STANDS].height == 0.0
        with pytest.raises(AssertionError, match="fly_away: KeyError: 'fly_away'"):
            sky.px4s.do(STANDS, 'fly_away')
