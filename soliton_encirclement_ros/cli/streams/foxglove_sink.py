"""Moments as Foxglove and Lichtblick take them: live over a websocket, or as an mcap file.

The topics are those of ROS, whatever the namespace, so that one layout shows ROS, bags and this.
"""

import math

from foxglove import Capability, Channel, Context, start_server
from foxglove.channels import FrameTransformsChannel, LogChannel, SceneUpdateChannel
from foxglove.messages import (
    Color, FrameTransform, FrameTransforms, LinePrimitive, Log, LogLevel, Point3, Pose, Quaternion,
    SceneEntity, SceneEntityDeletion, SceneEntityDeletionType, SceneUpdate, SpherePrimitive,
    TextPrimitive, Timestamp, Vector3
)

from soliton_encirclement_ros.cli.streams.moment import BODY_SIZE, GREY, SceneBody, SceneMoment
from soliton_encirclement_ros.core.run.observer import SAMPLE_NAMES
from soliton_encirclement_ros.core.states.swarm_topics import MARKERS, METRICS, ROOT
from velocity_mobility_ros.core.coordinate_frames import MAP_FRAME
from velocity_mobility_ros.core.step_time import to_ns

EVENTS = '/rosout'

STAMP = {'type': 'object', 'properties': {key: {'type': 'integer'} for key in ('sec', 'nsec')}}
JOINT_STATE = {
    'type': 'object', 'title': 'JointState',
    'properties': {
        'header': {'type': 'object', 'properties': {'stamp': STAMP}},
        'name': {'type': 'array', 'items': {'type': 'string'}},
        'position': {'type': 'array', 'items': {'type': 'number'}},
    },
}  # fmt: skip
"""The metrics, as they are on their topic of ROS."""

LINE_WIDTH = 0.15
"""Width of a ring or trail [m]."""


class FoxgloveSink:
    """Writes moments to the channels of a context."""

    def __init__(self, context: Context, begin_ns: int = 0) -> None:
        """Open the channels.

        Args:
            context: The context that gets their messages.
            begin_ns: Stamp of time 0 [ns].
        """
        self._begin_ns, self._context = begin_ns, context  # without it the channels close
        self._scene = SceneUpdateChannel(ROOT.full_name(MARKERS), context=context)
        self._frames = FrameTransformsChannel('/tf', context=context)
        self._metrics = Channel(ROOT.full_name(METRICS), schema=JOINT_STATE, context=context)
        self._events = LogChannel(EVENTS, context=context)

    def begin(self) -> None:
        """Prepare for a restarted swarm."""

    def send(self, moment: SceneMoment) -> None:
        """Write a moment."""
        now = self._ns(moment.time)
        self._scene.log(_scene(moment, _stamp(now)), log_time=now)
        frames = [_frame(body, _stamp(now)) for body in moment.bodies]
        self._frames.log(FrameTransforms(transforms=frames), log_time=now)
        if moment.metrics is not None:
            at, known = self._ns(moment.metrics['time']), moment.known_metrics
            stamp = dict(zip(('sec', 'nsec'), divmod(at, 10**9), strict=True))
            values = {'name': SAMPLE_NAMES, 'position': [known.get(name) for name in SAMPLE_NAMES]}
            self._metrics.log({'header': {'stamp': stamp}, **values}, log_time=at)
        for event in moment.events:
            at = self._ns(event.time)
            level = LogLevel.Warning if event.is_bad else LogLevel.Info
            log = Log(timestamp=_stamp(at), level=level, name=event.name, message=event.text)
            self._events.log(log, log_time=at)

    def close(self) -> None:
        """Write no more: the context ends with whoever opened it."""

    def _ns(self, time: float) -> int:
        """Return a stamp [ns]; there are none below 0, where a swarm may begin."""
        return max(0, self._begin_ns + to_ns(time))


class FoxgloveServer(FoxgloveSink):
    """Serves moments to whoever connects; their time is that of the viewers, too."""

    def __init__(self, host: str, port: int) -> None:
        """Serve at an address."""
        context = Context()
        super().__init__(context)
        self._server = start_server(
            name='swarm', host=host, port=port, capabilities=[Capability.Time], context=context
        )

    def begin(self) -> None:
        """Let viewers drop the swarm before its restart."""
        self._server.clear_session()

    def send(self, moment: SceneMoment) -> None:
        """Send a moment."""
        self._server.broadcast_time(self._ns(moment.time))
        super().send(moment)

    def close(self) -> None:
        """Serve no more."""
        self._server.stop()


def _stamp(ns: int) -> Timestamp:
    return Timestamp(*divmod(ns, 10**9))


def _scene(moment: SceneMoment, stamp: Timestamp) -> SceneUpdate:
    """Return all that is drawn; what was drawn before goes."""
    entities = [
        SceneEntity(
            timestamp=stamp, frame_id=MAP_FRAME, id=body.name,
            spheres=[SpherePrimitive(pose=_pose(body.place), size=SIZE, color=_colour(body))],
            texts=[_label(body)], lines=[_line(body.trail.tolist(), _colour(body, 0.5))],
        ) for body in moment.bodies
    ]  # fmt: skip
    if points := moment.ring_points:
        line = _line(points, Color(r=GREY[0] / 255, g=GREY[1] / 255, b=GREY[2] / 255, a=0.8))
        entities.append(
            SceneEntity(timestamp=stamp, frame_id=MAP_FRAME, id='ring', lines=[line])
        )
    gone = SceneEntityDeletion(timestamp=stamp, type=SceneEntityDeletionType.All)
    return SceneUpdate(deletions=[gone], entities=entities)


SIZE = Vector3(x=BODY_SIZE, y=BODY_SIZE, z=BODY_SIZE)


def _pose(place: tuple[float, float, float]) -> Pose:
    x, y, z = place
    return Pose(position=Vector3(x=x, y=y, z=z), orientation=Quaternion(w=1.0))


def _label(body: SceneBody) -> TextPrimitive:
    x, y, z = body.place
    return TextPrimitive(
        pose=_pose((x, y, z + 1.5 * BODY_SIZE)), billboard=True, font_size=BODY_SIZE,
        color=_colour(body), text=body.name,
    )  # fmt: skip


def _line(points: list[list[float]], colour: Color) -> LinePrimitive:
    vertices = [Point3(x=x, y=y, z=z) for x, y, z in points]
    return LinePrimitive(points=vertices, thickness=LINE_WIDTH, color=colour)


def _colour(body: SceneBody, alpha: float = 1.0) -> Color:
    r, g, b = (channel / 255 for channel in body.colour)
    return Color(r=r, g=g, b=b, a=alpha)


def _frame(body: SceneBody, stamp: Timestamp) -> FrameTransform:
    x, y, z = body.place
    half = 0.5 * body.yaw if math.isfinite(body.yaw) else 0.0
    return FrameTransform(
        timestamp=stamp, parent_frame_id=MAP_FRAME, child_frame_id=body.name,
        translation=Vector3(x=x, y=y, z=z),
        rotation=Quaternion(z=math.sin(half), w=math.cos(half)),
    )  # fmt: skip
