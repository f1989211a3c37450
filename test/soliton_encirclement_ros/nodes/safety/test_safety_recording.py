"""What a bag of vehicles with controllers of their own tells: who was pushed by whom, how near."""

from pathlib import Path
from typing import Any

import pytest
from soliton_encirclement_ros.analysis.bag.reading import read_recording
from soliton_encirclement_ros.analysis.findings import Findings, find
from soliton_encirclement_ros.analysis.findings.settings import default_settings
from soliton_encirclement_ros.core.laws.filter_codes import NONE
from soliton_encirclement_ros.core.laws.telemetry import FILTER_NAMES
from soliton_encirclement_ros.core.run.separation.flight_bounds import NOT_FINITE, OUTSIDE
from soliton_encirclement_ros.nodes.recorder.recorder_node import RecorderNode
from support.ros.bodies import target
from support.ros.graph import Ros
from support.ros.sky import Sky, along

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

RECORDED = ('/clock', '/swarm/agent_states', '/swarm/target_state', '/uav_1/telemetry',
            '/uav_2/telemetry', '/uav_1/cmd_vel', '/uav_1/odom')  # fmt: skip


def flown(ros: Ros, folder: Path, **parameters: Any) -> tuple[Sky, Findings]:
    """Let two vehicles fly at each other beside a target; return what the bag tells of it."""
    recorder = ros.make(RecorderNode, None, run_folder=str(folder))
    sky = Sky(ros)
    sky.flyer(1, (-9.0, 0.0, 5.0), along(6.0), **parameters)
    sky.flyer(2, (9.0, 0.0, 5.0), along(-6.0), **parameters)
    voice = sky.voice_of_targets()
    ros.until(lambda: all(recorder.count_subscribers(topic) for topic in RECORDED), 'the recorder')
    sky.begin()
    seq = iter(range(1, 1000))
    sky.fly(4.5, lambda: sky.tell(voice, target(next(seq), (0.0, 60.0, 5.0))))
    ros.meanwhile(0.3)
    recorder.close()
    recording = read_recording(folder / 'bag')
    return sky, find(recording, default_settings(recording))


def test_the_bag_tells_who_was_pushed_by_whom_and_how_near_they_came(
    ros: Ros, tmp_path: Path
) -> None:
    sky, found = flown(ros, tmp_path)
    recording = read_recording(tmp_path / 'bag')
    reasons = [member.telemetry.values[FILTER_NAMES[0]]
               for name, member in recording.members.items() if name != 'target']  # fmt: skip
    assert [len(one) > 50 for one in reasons] == [True, True]
    changed = sum(int((one != NONE).sum()) for one in reasons)
    share = changed / sum(map(len, reasons))
    assert found.summary['filtered_share'] == pytest.approx(share) and 0.05 < share < 0.95
    pairs = {(one['agent'], one['pusher']) for one in found.summary['filtered_pairs']}
    assert pairs == {('uav_1', 'uav_2'), ('uav_2', 'uav_1')}
    assert found.summary['near_misses_below_1m_per_min'] == 0.0
    assert found.summary['min_separation_m'] == pytest.approx(sky.least_distance(1, 2), abs=0.2)
    assert (found.summary[OUTSIDE], found.summary[NOT_FINITE]) == (0, 0)
    # They are no members of the ring round the target.
    assert set(found.series['alive']) == {0.0}
    assert [agent.radial_error for agent in found.agents] == [None, None]
    assert found.summary['neighbour_switches_per_min'] is None
    assert found.summary['agents'] == 1  # the least that a scenario may have


def test_without_the_filter_the_bag_tells_of_near_misses_and_of_no_filter(
    ros: Ros, tmp_path: Path
) -> None:
    _, found = flown(ros, tmp_path, separation_filter=False, ring_member=True)
    assert found.summary['filtered_share'] is None
    assert found.summary['near_misses_below_1m_per_min'] > 0.0
    assert max(found.series['alive']) == 2.0
    assert None not in [agent.radial_error for agent in found.agents]
