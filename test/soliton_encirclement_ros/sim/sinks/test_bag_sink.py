"""The bag of a flight without ROS, read by two libraries, and beside one that was recorded."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from rosbags.rosbag2 import Reader

from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.state_codec import StateDecoder, encode
from soliton_encirclement_ros.core.states.swarm_topics import uav_id
from soliton_encirclement_ros.sim import Simulation
from soliton_encirclement_ros.sim.recorded_data import RecordedData
from soliton_encirclement_ros.sim.sinks.bag_sink import BagSink
from soliton_encirclement_ros.sim.sinks.chunk_messages import SentStates
from support.chunks import fly_in_chunks, fly_into, lively
from support.cli import only_run_folder, run_swarm
from support.plain_loop import SwarmLoop
from support.recorded.run_folder import (
    Recorded, read_bag_with_mcap, read_bag_with_rosbags, read_json
)
from support.ros_domain import domain_of_its_own

FAILING = (
    '--agents', '4', '--duration', '6', '--seed', '3',
    '--set', 'failure.failure_enable=true', '--set', 'failure.failure_mean_failures_per_min=30',
    '--set', 'failure.failure_off_time=0.6',
)  # fmt: skip
SENSING = (
    '--set', 'mobility.position_noise_xy=0.3', '--set', 'mobility.velocity_noise_xy=0.1',
    '--set', 'mobility.odom_latency=0.07', '--set', 'mobility.dropouts_per_min=30.0',
    '--set', 'mobility.dropout_time=0.4',
)  # fmt: skip
"""No age of an odometry is 0, which recorded states would leave out."""

OWN_TOPICS = {'/clock', '/swarm/agent_states', '/swarm/target_state', '/swarm/metrics'}


def leave_bag(scenario: Scenario, folder: Path, size: int = 16) -> Path:
    """Write the bag of a scenario and return it."""
    fly_into(BagSink(folder / 'bag', scenario), scenario, size)
    return folder / 'bag'


def coordinates(message: Any) -> dict[str, tuple[float, ...]]:
    """Return the numbers of a JointState by name."""
    lists = [message.position, message.velocity or [0.0] * len(message.name)]
    named = zip(message.name, *lists, strict=True)
    return {name: numbers for name, *numbers in sorted(named)}


def plain(message: Any) -> list[Any]:
    """Return what a message says, in a form that can be compared: of every member by itself."""
    if hasattr(message, 'child_frame_id'):
        pose, twist = message.pose, message.twist
        moving = (twist.twist.linear, twist.twist.angular)
        vectors = (pose.pose.position, pose.pose.orientation, *moving)
        numbers = [getattr(vector, axis, None) for vector in vectors for axis in 'xyzw']
        frames = (message.header.frame_id, message.child_frame_id)
        return [(frames, numbers, list(pose.covariance), list(twist.covariance))]
    if hasattr(message, 'twist'):
        vectors = (message.twist.linear, message.twist.angular)
        return [(message.header.frame_id, [getattr(v, axis) for v in vectors for axis in 'xyz'])]
    if hasattr(message, 'name'):
        values = coordinates(message)
        told: dict[str, dict[str, tuple[float, ...]]] = {}
        for name in (name for name in values if '/prop/relay_' not in name):
            member, slash, _ = name.partition('/')
            told.setdefault(member if slash else '', {})[name] = values[name]
        return [(message.header.frame_id, one, len(message.effort)) for one in told.values()]
    return [None]


def said(recorded: list[Recorded]) -> list[tuple[Any, ...]]:
    """Return what a topic says in any order within a tick, no handshake and no silence."""
    words = [m for m in recorded if m.stamp_ns and getattr(m.message, 'name', None) != []]
    return sorted((m.logged_ns, m.stamp_ns, str(one)) for m in words for one in plain(m.message))


def offers(folder: Path) -> dict[str, tuple[Any, ...]]:
    """Return type, definition and quality of service by topic."""
    with Reader(folder) as reader:
        return {
            c.topic: (c.msgtype, c.msgdef, c.digest, c.ext.offered_qos_profiles)
            for c in reader.connections
        }


def speakers(scenario: Scenario) -> list[int]:
    """Return how many agents speak at each tick of a flight."""
    loop = SwarmLoop(scenario)
    counts = []
    loop.fly(each_tick=lambda: counts.append(sum(uav_id(name) is not None for name in loop.sent)))
    assert len(set(counts)) > 1
    return counts


@pytest.mark.nightly
@pytest.mark.ros
@pytest.mark.parametrize(
    ('flown', 'sensing'), [('demo', ()), ('ground_target', SENSING)], ids=['exact', 'noisy, late']
)
def test_it_is_the_bag_of_a_lockstep_run(
    tmp_path: Path, flown: str, sensing: tuple[str, ...]
) -> None:
    """Attitudes included, of bodies that tilt and turn."""
    with domain_of_its_own() as domain:
        run = run_swarm('run', flown, *FAILING, *sensing, domain=domain, folder=tmp_path)
    assert run.popen.returncode in (0, 1), run.err
    folder = only_run_folder(tmp_path)
    flown = read_json(folder / 'manifest.json')['scenario']
    scenario = Scenario(flown.pop('name')).with_changes(flown, 'manifest')
    bag = leave_bag(scenario, tmp_path)
    recorded, found = read_bag_with_mcap(folder / 'bag'), read_bag_with_mcap(bag)
    parts = 'odom', 'cmd_vel', 'telemetry'
    uavs = [f'/uav_{k}/{part}' for k in scenario.agent_ids for part in parts]
    others = {'/target/odom', '/adversary/odom', '/swarm/adversary_state'}
    true = {f'/{name}/ground_truth' for name in scenario.members} if sensing else set()
    assert set(found) == OWN_TOPICS | others | set(uavs) | true
    for topic in found:
        assert said(found[topic]) == said(recorded[topic]), topic
    silent = [m for m in recorded['/swarm/agent_states'] if m.stamp_ns and not m.message.name]
    assert silent
    theirs = offers(folder / 'bag')
    assert offers(bag) == {topic: theirs[topic] for topic in found}


def test_both_readers_find_the_numbers_of_the_chunks(tmp_path: Path) -> None:
    scenario = lively(control={'controller': 'two_channel'}, adversary={'adversary_enable': False})
    bag = leave_bag(scenario, tmp_path, 7)
    with_mcap, with_rosbags = read_bag_with_mcap(bag), read_bag_with_rosbags(bag)
    assert set(with_mcap) == set(with_rosbags)
    assert not any('adversary' in topic for topic in with_mcap)
    (chunk,) = fly_in_chunks(scenario, 1000)
    for bag in (with_mcap, with_rosbags):
        told = [[*m.message.position] for m in bag['/uav_2/telemetry']]
        columns = [0, 1, 2, 6, 7, 8, *range(16, chunk.agents.shape[2])]
        assert told == chunk.agents[:, 1, columns].tolist()
        assert [m.stamp_ns / 1e9 for m in bag['/clock']] == chunk.times.tolist()
        assert [m.logged_ns / 1e9 for m in bag['/swarm/metrics']] == chunk.times.tolist()
        words = Counter(m.stamp_ns / 1e9 for m in bag['/swarm/agent_states'])
        assert [words[t] for t in chunk.times] == speakers(scenario)


def test_states_tell_of_silent_agents_as_the_loop_sends_them(tmp_path: Path) -> None:
    """Written by the engine, without what they pass on of the target; the silent agents change."""
    scenario = lively()
    Simulation(scenario, tmp_path, RecordedData(('bag',))).fly()
    loop, sent = SwarmLoop(scenario), {}

    def note() -> None:
        for name in loop.sent.keys() & {f'uav_{k}' for k in scenario.agent_ids}:
            said = loop.sent[name]._replace(prop=())
            sent[loop.observer.last.time, name] = encode([said])

    loop.fly(each_tick=note)
    found = {}
    for one in read_bag_with_mcap(tmp_path / 'bag')['/swarm/agent_states']:
        message = one.message
        values = [*message.name], [*message.position], [*message.velocity]
        found[one.stamp_ns / 1e9, message.name[0].partition('/')[0]] = values
    assert found == sent
    told = {tuple(name for name in one.names if name.endswith('/age')) for one in sent.values()}
    assert len(told) > 3


def test_an_unfiltered_flight_tells_of_nobody(tmp_path: Path) -> None:
    """Neither states nor telemetry have a name that they had not without the filter."""
    scenario = lively(safety={'separation_filter': False})
    Simulation(scenario, tmp_path, RecordedData(('bag', 'csv'))).fly()
    bag = read_bag_with_mcap(tmp_path / 'bag')
    words = {len(one.message.name) for one in bag['/swarm/agent_states']}
    assert words == {6}
    assert bag['/uav_1/telemetry'][0].message.name[-1] == 'radius'
    head = (tmp_path / 'agent_telemetry.csv').read_text().partition('\n')[0]
    assert head.endswith(',loss,radius,velocity_norm,x,y,z,vx,vy,vz')


@pytest.mark.parametrize(
    'more', [{}, {'mobility': {'position_noise_xy': 0.2, 'odom_latency': 0.1}}],
    ids=['exact', 'sensed'],
)  # fmt: skip
def test_states_read_from_chunks_are_those_in_the_bag(tmp_path: Path, more) -> None:
    scenario = lively(**more)
    sink, reader, found = BagSink(tmp_path / 'bag', scenario), SentStates(scenario.agent_ids), []
    for chunk in fly_in_chunks(scenario):
        sink.write(chunk)
        found += [state for states in reader.see(chunk) for state in states]
    sink.close()
    decoder, recorded = StateDecoder(), []
    for message in read_bag_with_rosbags(tmp_path / 'bag')['/swarm/agent_states']:
        body = message.message
        decoded = decoder.decode(body.name, body.position.tolist(), body.velocity.tolist())
        recorded += decoded.states
    assert len(recorded) > 100
    assert found == recorded
    assert any(state.silent for state in found)
