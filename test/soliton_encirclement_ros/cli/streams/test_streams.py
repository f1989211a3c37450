"""Streams, received by clients of the viewers that they are for."""

import math
import sys
import threading
import time

import pytest

from soliton_encirclement_ros.cli.output import explain
from soliton_encirclement_ros.cli.streams.moment import TAIL, TAIL_STEP, live_moment
from soliton_encirclement_ros.cli.streams.streaming import check_stream, follow, live_sink
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.run.observer import SAMPLE_NAMES
from support.cli import wait_until
from support.foxglove_client import by_topic, received
from support.live_page import RADIUS, Flight
from support.rerun_viewer import blueprints, recordings, viewer
from support.sweeping.sweeps import free_port

TOPICS = ('/swarm/markers', '/tf', '/swarm/metrics', '/rosout')


class Listener(Flight):
    """A swarm as the listener of a stream has it, with an agent that has just failed."""

    def update(self):
        """Take what has arrived."""
        is_new = super().update()
        self.down = {2} if self.picture.now > 0.2 else set()
        return is_new


@pytest.fixture
def listener():
    return Listener(3)


class Following:
    """Sends a swarm to a sink in a thread of its own."""

    def __init__(self, listener, sink):
        self._is_over = False
        self._thread = threading.Thread(target=follow, args=(listener, sink, self._over))

    def _over(self):
        return self._is_over

    def __enter__(self):
        self._thread.start()

    def __exit__(self, *error):
        self._is_over = True
        self._thread.join()


def test_a_moment_has_who_is_seen_where_and_what_happened(listener):
    listener.update()
    listener.picture.look()
    time.sleep(0.3)
    listener.update()
    listener.update()
    moment = live_moment(listener.picture, listener.picture.look())
    kinds = {body.name: (body.kind, body.is_off) for body in moment.bodies}
    assert kinds['target'] == ('target', False) and kinds['uav_2'] == ('agent', True)
    one = next(body for body in moment.bodies if body.name == 'uav_1')
    assert math.hypot(*one.place[:2]) == pytest.approx(RADIUS, rel=1e-5)
    assert one.trail[0] == pytest.approx(one.place, rel=1e-5)
    assert len(one.trail) <= TAIL / TAIL_STEP
    assert moment.ring == ((0.0, 0.0, 0.0), RADIUS)
    assert [(event.name, event.text) for event in moment.events] == [('uav_2', 'down')]
    assert moment.known_metrics['alive'] == 2.0


def test_foxglove_receives_scene_frames_metrics_and_events(listener):
    port = free_port()
    with live_sink('foxglove', port) as sink, Following(listener, sink):
        messages = received(port)
        found = by_topic(messages, *TOPICS[:3])
        listener.begins_anew = True
        found |= by_topic(messages, TOPICS[3])
    entities = {entity.id: entity for entity in found['/swarm/markers'].content.entities}
    assert entities.keys() == {'target', 'uav_1', 'uav_2', 'uav_3', 'ring'}
    agent = entities['uav_3']
    place = agent.spheres[0].pose.position
    assert math.hypot(place.x, place.y) == pytest.approx(RADIUS, rel=1e-5)
    assert (agent.frame_id, agent.texts[0].text) == ('map', 'uav_3')
    ends = [agent.lines[0].points[0].x, agent.lines[0].points[0].y]
    assert ends == pytest.approx([place.x, place.y], rel=1e-5)
    assert len(entities['ring'].lines[0].points) > 60
    frames = {transform.child_frame_id: transform for transform in found['/tf'].content.transforms}
    turn, at = frames['uav_3'].rotation, frames['uav_3'].translation
    off = 2.0 * math.atan2(turn.z, turn.w) - math.atan2(at.y, at.x)  # he looks where he is
    assert math.remainder(off, 2.0 * math.pi) == pytest.approx(0.0, abs=1e-5)
    metrics = found['/swarm/metrics'].content
    values = dict(zip(metrics['name'], metrics['position'], strict=True))
    assert tuple(values) == SAMPLE_NAMES and values['min_separation'] is None
    assert values['E_r'] == pytest.approx(0.0, abs=1e-6)
    event = found['/rosout'].content
    assert (event.name, event.message, event.level) == ('uav_2', 'down', 3)


def test_foxglove_takes_a_swarm_whose_time_has_not_begun(listener):
    listener.update()
    moment = live_moment(listener.picture, listener.picture.look())
    with live_sink('foxglove', free_port()) as sink:
        sink.send(moment._replace(time=-0.05))


PARTS = {
    ('/world/uav_1', 'Points3D:positions'), ('/world/uav_1', 'Points3D:labels'),
    ('/world/uav_2', 'Points3D:colors'), ('/world/uav_1/trail', 'LineStrips3D:strips'),
    ('/world/ring', 'LineStrips3D:strips'), ('/metrics/E_r', 'Scalars:scalars'),
    ('/events', 'TextLog:text'),
}  # fmt: skip


def test_rerun_receives_bodies_trails_metrics_events_and_a_layout(listener, tmp_path):
    path, port = tmp_path / 'seen.rrd', free_port()

    def whole():
        seen = recordings(path)
        return all(not PARTS - {(name, part) for name in one for part in one[name]}
                   and len(one['/world/uav_2']['Points3D:colors']) > 1 for one in seen) and seen

    with viewer(path, port), live_sink('rerun', port) as sink, Following(listener, sink):
        (found,) = wait_until(whole, 'all parts')
        assert wait_until(lambda: blueprints(path), 'the layout') == 1
    places = found['/world/uav_1']['Points3D:positions']
    assert [math.hypot(*one[0][:2]) for _, one in places] == pytest.approx([RADIUS] * len(places))
    assert found['/world/uav_1']['Points3D:labels'][0][1] == ['uav_1']
    assert len(found['/world/uav_2']['Points3D:colors']) == 2  # up, and down
    assert found['/metrics/E_r']['Scalars:scalars'][0][1] == pytest.approx([0.0], abs=1e-6)
    assert [text for _, text in found['/events']['TextLog:text']] == [['uav_2: down']]


def test_rerun_has_a_recording_for_each_swarm_that_begins(listener, tmp_path):
    path, port = tmp_path / 'seen.rrd', free_port()

    def swarms():
        return sum('/world/uav_1' in recording for recording in recordings(path))

    with viewer(path, port), live_sink('rerun', port) as sink, Following(listener, sink):
        wait_until(lambda: swarms() == 1, 'the first')
        listener.begins_anew = True
        wait_until(lambda: swarms() == 2, 'the second')


@pytest.mark.parametrize('stream', ['foxglove', 'rerun'])
def test_a_library_that_is_not_installed_is_named_with_its_extra(stream, monkeypatch):
    monkeypatch.setitem(sys.modules, stream, None)
    with pytest.raises(ModuleNotFoundError) as caught:
        check_stream(stream)
    line = explain(caught.value)
    assert f'pip install "soliton_encirclement_ros[{stream}]"' in line and '\n' not in line


def test_rerun_without_a_viewer_is_told_how_to_open_one():
    port = free_port()
    with pytest.raises(RunError, match=f'no viewer listens on port {port} .*: rerun --bind'):
        check_stream('rerun', port=port)
    check_stream('rerun', is_live=False)
