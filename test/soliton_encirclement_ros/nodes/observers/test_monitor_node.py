"""The monitor as a real node: metrics, markers, tables and summary for what it sees."""

import math

import pytest
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState
from visualization_msgs.msg import MarkerArray

from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.nodes.observers.monitor_node import MonitorNode
from support.recorded.run_folder import AGENT_COLUMNS, TARGET_COLUMNS, read_json, read_table
from support.ros.bodies import adversary, agent, odometry, said, target, values
from support.ros.sent_messages import values_to_joint_state
from velocity_mobility_ros.core.user_errors import MobilityError
from velocity_mobility_ros.ros_io.endpoints import COMMAND, LOCKSTEP, STATE
from velocity_mobility_ros.ros_io.node_time import time_to_ns

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

RING = ((20.0, 0.0, 0.0), (0.0, 20.0, 0.0), (-20.0, 0.0, 0.0), (0.0, -20.0, 0.0))
LAW = AGENT_COLUMNS[2 : AGENT_COLUMNS.index('velocity_norm')]
TELEMETRY = ['x', 'y', 'z', 'failed', 'pred', 'succ', *LAW]
ZEROS = [0.0] * len(TELEMETRY)
VALUES = len(LAW)
NUMBERS = (*(0.5,) * (VALUES - 3), 1.0, 2.0, 0.5)


class Scene:
    """A monitor and everybody it watches."""

    def __init__(self, ros, agents=4, lockstep=False, **parameters):
        """Start the monitor."""
        self.ros = ros
        qos = LOCKSTEP if lockstep else STATE
        mode = {'lockstep': lockstep, 'world': lockstep}
        self.node = ros.make(MonitorNode, None, num_agents=agents, **mode, **parameters)
        self.metrics = ros.listen(JointState, '/swarm/metrics', qos)
        self.markers = ros.listen(MarkerArray, '/swarm/markers', COMMAND)
        self.agents = ros.voice(JointState, '/swarm/agent_states', qos)
        self.target = ros.voice(JointState, '/swarm/target_state', qos)
        self.adversary = ros.voice(JointState, '/swarm/adversary_state', qos)
        self.telemetry = {
            k: ros.voice(JointState, f'/uav_{k}/telemetry', qos) for k in range(1, agents + 1)
        }
        self.seq = 0

    def say(self, stamp_ns, ring=RING, failed=()):
        """Let everybody say where they are."""
        self.seq += 1
        for k, position in enumerate(ring, start=1):
            if k not in failed:
                self.agents.publish(said(stamp_ns, agent(k, self.seq, position)))
            else:
                self.agents.publish(values_to_joint_state(stamp_ns, [], [], frame=f'uav_{k}'))
            self.tell(k, stamp_ns, position, k in failed)
        self.adversary.publish(said(stamp_ns, adversary(self.seq)))
        self.target.publish(said(stamp_ns, target(self.seq)))

    def tell(self, k, stamp_ns, position, failed=False, numbers=NUMBERS):
        """Publish an agent's telemetry."""
        held = [*position, float(failed), -1.0, -1.0, *numbers]
        rates = [0.3, 0.4, 0.0, *[0.0] * (3 + VALUES)]
        self.telemetry[k].publish(values_to_joint_state(stamp_ns, TELEMETRY, held, rates))

    def until(self, condition, what, **saying):
        """Let everybody speak until a condition holds."""

        def live():
            self.say(self.ros.now_ns(), **saying)
            self.ros.meanwhile(0.03)
            return condition()

        self.ros.until(live, what)


HOUR_NS = 3_600_000_000_000


@pytest.mark.parametrize('slip_ns', [HOUR_NS, None])
def test_telemetry_of_another_time_is_refused_and_sets_no_clock(ros, capfd, slip_ns):
    """One clock that is wrong, heard first, would be the begin of time for the whole watch."""
    scene = Scene(ros)
    stamp_ns = 0 if slip_ns is None else ros.now_ns() + slip_ns
    heard = lambda: scene.node.health.refused['/uav_1/telemetry']  # noqa: E731

    def tell():
        scene.tell(1, stamp_ns, RING[0])
        ros.meanwhile(0.03)
        return heard()

    ros.until(tell, 'the refusal')
    assert 'limit stamp_tolerance = 2 s' in capfd.readouterr().err
    scene.until(lambda: scene.node.samples > 3, 'samples')
    times = scene.node.observer.series['time']
    assert 0.0 < times[-1] - times[0] <= times[-1] < 60.0


def test_an_even_ring_has_no_error(ros):
    scene = Scene(ros)
    scene.until(lambda: scene.metrics and scene.metrics.last.position[6] == 4.0, 'all four')
    held = values(scene.metrics.last)
    assert list(held) == [*METRIC_NAMES, 'alive', 'min_separation']
    assert [held[name] for name in METRIC_NAMES] == pytest.approx([0, 0, 0, 1, 0, 0], abs=1e-12)
    assert held['min_separation'] == pytest.approx(20.0 * math.sqrt(2.0))
    drawn = {marker.ns for marker in scene.markers.last.markers}
    assert drawn == {'agents', 'labels', 'ring', 'target', 'adversary'}
    assert abs(time_to_ns(scene.metrics.last.header.stamp) - ros.now_ns()) < 1e9


def test_metrics_are_those_of_the_true_motion_while_it_is_published(ros):
    scene = Scene(ros)
    for k in range(1, 5):
        voice = ros.voice(Odometry, f'/uav_{k}/ground_truth', STATE)
        x, y, z = RING[k - 1]
        voice.publish(odometry(ros.now_ns(), (1.5 * x, 1.5 * y, z), body=f'uav_{k}/base_link'))
    scene.until(lambda: scene.metrics and scene.metrics.last.position[0] == 0.5, 'the truth')
    scene.until(lambda: scene.metrics.last.position[0] == 0.0, 'what members say after it')


def test_a_true_motion_in_another_frame_is_refused(ros):
    scene = Scene(ros)
    voice = ros.voice(Odometry, '/uav_1/ground_truth', STATE)
    message = odometry(ros.now_ns(), (99.0, 0.0, 0.0))
    message.header.frame_id = 'uav_1/odom'
    voice.publish(message)
    scene.until(lambda: scene.node.health.refused['/uav_1/ground_truth'], 'the refusal')
    assert scene.metrics.last.position[0] == 0.0


TICKS, TICK_NS = 21, 50_000_000


def test_after_a_stall_what_was_said_meanwhile_is_watched_in_its_order(ros):
    """Two agents pass each other 2 m apart while the monitor gets no processor time."""
    scene = Scene(ros, agents=2)
    begin_ns = ros.now_ns() - TICKS * TICK_NS
    for tick in range(TICKS):
        along = tick - TICKS // 2
        ring = ((20.0, -along, 0.0), (22.0, along, 0.0))
        scene.say(begin_ns + tick * TICK_NS, ring=ring)
    ros.stall(0.5)  # the middleware goes on receiving
    ros.until(lambda: len(scene.node.observer.series['time']) == TICKS, 'every sample')
    assert scene.node.observer.closest.distance == pytest.approx(2.0)
    assert scene.node.observer.last.min_separation == pytest.approx(math.hypot(2.0, 20.0))


def test_agents_beyond_those_it_watches_do_not_count(ros):
    """Whoever forgets ``num_agents`` gets no share above one, but a line that says what to do."""
    scene = Scene(ros, agents=2)
    voices = {k: ros.voice(JointState, f'/uav_{k}/telemetry', STATE, 0) for k in (3, 4)}
    scene.telemetry.update(voices)
    scene.until(lambda: scene.node.health.refused['/swarm/agent_states'] > 20, 'the strangers')
    assert scene.metrics.last.position[6] == 2.0
    assert scene.node.summary()['alive_share_mean'] <= 1.0
    reasons = [condition.reason for condition in scene.node.health.conditions()]
    assert any('must be at most num_agents = 2; raise it' in reason for reason in reasons)


@pytest.mark.parametrize(
    'broken',
    [
        values_to_joint_state(0, TELEMETRY[:-1], ZEROS[1:], ZEROS[1:]),
        values_to_joint_state(0, TELEMETRY, ZEROS, ZEROS[1:]),
        values_to_joint_state(0, TELEMETRY[::-1], ZEROS, ZEROS),
        values_to_joint_state(0, TELEMETRY, [*ZEROS[:3], 0.5, *ZEROS[4:]], ZEROS),
        values_to_joint_state(0, TELEMETRY, [math.nan] * len(ZEROS), ZEROS),
        values_to_joint_state(0, TELEMETRY, ZEROS, [math.inf] * len(ZEROS)),
    ],
)
def test_telemetry_of_the_wrong_shape_is_refused(ros, broken):
    scene = Scene(ros)
    broken.header.stamp = ros.tester.get_clock().now().to_msg()
    scene.telemetry[1].publish(broken)
    ros.until(lambda: scene.node.health.refused['/uav_1/telemetry'] == 1, 'the refusal')
    assert scene.node.observer.telemetry == {}


def test_tables_and_summary_are_written(ros, tmp_path):
    scene = Scene(ros, lockstep=True, run_folder=str(tmp_path), scenario_name='here')
    for tick in range(1, 11):
        scene.say(tick * 50_000_000, failed=(2,) if tick in (4, 5) else ())
    ros.until(lambda: len(scene.metrics) == 10, 'ten samples')
    scene.node.close()
    header, rows = read_table(tmp_path / 'agent_telemetry.csv')
    assert header == AGENT_COLUMNS
    assert [row[:2] for row in rows] == [
        [k, tick * 50_000_000 / 1e9] for tick in range(1, 11) for k in (1, 2, 3, 4)
    ]
    assert rows[0][2:] == [*NUMBERS, 0.5, *RING[0], 0.3, 0.4, 0.0]
    header, rows = read_table(tmp_path / 'target_telemetry.csv')
    assert header == TARGET_COLUMNS
    assert [row[1:7] for row in rows] == [list(m.position[:6]) for m in scene.metrics]
    assert rows[-1][7:] == [*target(10).position, *target(10).velocity]
    summary = read_json(tmp_path / 'summary.json')
    assert (summary['scenario'], summary['ticks'], summary['duration_s']) == ('here', 10, 0.5)
    assert (summary['failures'], summary['failures_recovered']) == (1, 1)
    assert summary['real_time_factor'] is None


def test_in_lockstep_the_order_of_arrival_does_not_matter(ros, tmp_path):
    tables = []
    for turn in (1, -1):
        folder = tmp_path / str(turn)
        folder.mkdir()
        scene = Scene(ros, lockstep=True, run_folder=str(folder))
        stamp = 50_000_000
        scene.target.publish(said(stamp, target(1)))
        for k in (1, 2, 3, 4)[::turn]:
            scene.agents.publish(said(stamp, agent(k, 1, (20.0 * k, 0.1 * k, 0.0))))
            scene.tell(k, stamp, RING[k - 1])
        ros.meanwhile(0.5)
        assert scene.metrics == []
        scene.adversary.publish(said(stamp, adversary(1)))
        ros.until(lambda scene=scene: len(scene.metrics) == 1, 'the sample')
        scene.node.close()
        ros.remove(scene.node)
        tables.append([path.read_bytes() for path in sorted(folder.glob('*.csv'))])
    assert tables[0] == tables[1]
    assert len(tables[0]) == 2


@pytest.mark.parametrize(
    ('parameters', 'text'),
    [
        ({'run_folder': '/proc/no'}, "run_folder = '/proc/no': cannot write: No such file"),
        ({'controller': 'magic'}, "controller = 'magic' must be one of"),
        ({'marker_period': 0.0}, 'marker_period = 0.0 must be'),
    ],
)
def test_a_bad_parameter_stops_the_start(ros, parameters, text):
    with pytest.raises(MobilityError, match=text):
        ros.make(MonitorNode, None, **parameters)


def test_a_full_disk_ends_the_tables_and_not_the_watch(ros, tmp_path):
    (tmp_path / 'summary.json.part').symlink_to('/dev/full')
    scene = Scene(ros, run_folder=str(tmp_path))
    scene.until(lambda: not scene.node.complete, 'the full disk to show')
    text = 'No space left on device; the tables end here, everything before is kept'
    assert any(text in condition.reason for condition in scene.node.conditions())
    seen = len(scene.metrics)
    scene.until(lambda: len(scene.metrics) > seen + 3, 'metrics to go on')
    header, rows = read_table(tmp_path / 'target_telemetry.csv')
    assert tuple(header) == TARGET_COLUMNS
    assert len(rows) < len(scene.metrics)
