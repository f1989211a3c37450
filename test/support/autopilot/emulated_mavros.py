"""The whole bridge with an emulated MAVROS and its autopilot, without ROS."""

from types import SimpleNamespace

from support.ardupilot_emulator.wire import vector
from support.autopilot.emulated_flight import DT, PLACE, EmulatedFlight
from support.mavros_emulator import ArduPilotSide, MavrosEmulator, Px4Side
from velocity_mobility_ros.autopilot.bridge.bridge_records import BridgeParameters
from velocity_mobility_ros.autopilot.engage.engage_parameters import EngageParameters
from velocity_mobility_ros.autopilot.geodesy.frame_parameters import FrameParameters
from velocity_mobility_ros.autopilot.guidance.guidance_parameters import GuidanceParameters
from velocity_mobility_ros.autopilot.mavros import dialects, requests
from velocity_mobility_ros.autopilot.mavros.collector import MavrosReports
from velocity_mobility_ros.autopilot.mavros.writing import target

ENGAGE = EngageParameters(
    px4_offboard_loss_action='hold', px4_rc_policy='none', ardupilot_failsafes='as set',
    allow_kill=True,
)  # fmt: skip
FRAME = FrameParameters(
    origin_latitude=PLACE[0], origin_longitude=PLACE[1], origin_altitude=PLACE[2]
)
SIDES = {
    'px4': (Px4Side, dialects.PX4),
    'ardupilot': (ArduPilotSide, dialects.ardupilot('brake')),
}
ORIGIN_EVERY = 2.0


class EmulatedMavros(EmulatedFlight):
    """One vehicle, MAVROS and the bridge."""

    def __init__(self, autopilot, settings=None, parameters=None):
        make, self.dialect = SIDES[autopilot]
        self.side = make(settings)
        self.emulator = MavrosEmulator(self.side)
        super().__init__(
            parameters or BridgeParameters(ENGAGE, GuidanceParameters(), FRAME),
            self.dialect.traits,
        )
        self.reports, self.sent, self.asked = MavrosReports(self.dialect), [], []
        self._origin_asked = 0.0

    def _advance(self):
        for sent in self.emulator.step(DT):
            self.reports.take(sent.topic, sent.message, self.now)
        self.bridge.known = self.reports.known
        if not self.reports.has_origin and self.now - self._origin_asked > ORIGIN_EVERY:
            self._origin_asked = self.now
            self._call(requests.ORIGIN_REQUEST, lambda response: None)

    def _before_step(self, request):
        if isinstance(self.side, Px4Side) and request is not None:
            self.side.px4.operator_word()

    def _send(self, out):
        if out.setpoint is not None:
            fields = target(out.setpoint)
            self.sent.append((self.now, fields))
            self.emulator.receive(SimpleNamespace(
                coordinate_frame=1, type_mask=fields.type_mask, yaw=fields.yaw,
                position=vector(*fields.position), velocity=vector(*fields.velocity),
                acceleration_or_force=vector(*fields.acceleration), yaw_rate=fields.yaw_rate,
            ))  # fmt: skip
        if out.engage.send is not None:
            self._ask(out.engage.send, out.takeoff_height)

    def _ask(self, action, height):
        self.asked.append(action)

        def done(response):
            found = requests.answer(action, response, self.now)
            if found is not None:
                self.bridge.answer(found)

        self._call(requests.call_of(action, self.dialect, height), done)

    def _call(self, call, done):
        self.emulator.call(call.service, SimpleNamespace(**call.fields), done)

    @property
    def truth(self):
        return self.side.truth

    @property
    def is_armed(self):
        return self.side.armed

    @property
    def mode(self):
        return self.side.heartbeat().mode
