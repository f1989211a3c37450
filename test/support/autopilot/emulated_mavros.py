"""The whole bridge with an emulated MAVROS and its autopilot, without ROS."""

from types import SimpleNamespace

from support.ardupilot_emulator import ArduSettings
from support.ardupilot_emulator.modes import Flight
from support.ardupilot_emulator.wire import vector
from support.autopilot.emulated import FLYABLE
from support.autopilot.emulated_flight import DT, EmulatedFlight
from support.mavros_emulator import ArduPilotSide, MavrosEmulator, Px4Side
from support.px4_emulator import events
from support.px4_emulator.settings import Settings
from velocity_mobility_ros.autopilot.protocols import mavros
from velocity_mobility_ros.autopilot.protocols.mavros import MavrosReports

ORIGIN_EVERY = 2.0


class EmulatedMavros(EmulatedFlight):
    """One vehicle, MAVROS and the bridge; settings are those of the vehicle behind."""

    def __init__(self, autopilot, parameters=None, **settings):
        if autopilot == 'px4':
            base = {'vehicle': 'kinematic', 'parameters': FLYABLE}
            self.side, self.dialect = Px4Side(Settings(**(base | settings))), mavros.PX4
            self.px4 = self.side.px4
        else:
            self.side = ArduPilotSide(ArduSettings(**settings))
            self.dialect, self.copter = mavros.ardupilot('brake'), self.side.copter
        self.autopilot, self.emulator = autopilot, MavrosEmulator(self.side)
        super().__init__(self.dialect.traits, parameters)
        self.reports, self._origin_asked = MavrosReports(self.dialect), 0.0

    def _advance(self):
        for sent in self.emulator.step(DT):
            self.reports.take(sent.topic, sent.message, self.now)
        self.bridge.known = self.reports.known
        if not self.reports.has_origin and self.now - self._origin_asked > ORIGIN_EVERY:
            self._origin_asked = self.now
            self._call(mavros.ORIGIN_REQUEST, lambda response: None)

    def _operator_word(self):
        if self.autopilot == 'px4':
            self.px4.operator_word()

    def _send_setpoint(self, setpoint):
        message = SimpleNamespace(
            yaw=0.0, yaw_rate=0.0, position=vector(0.0, 0.0, 0.0), velocity=vector(0.0, 0.0, 0.0),
            acceleration_or_force=vector(0.0, 0.0, 0.0),
        )  # fmt: skip
        mavros.fill(message, setpoint)
        self.emulator.receive(message)

    def _ask(self, action, height):
        def done(response):
            reply = mavros.answer(action, response, self.now)
            if reply is not None:
                self.bridge.answer(reply)

        self._call(mavros.call_of(action, self.dialect, height), done)

    def _call(self, call, done):
        self.emulator.call(call.service, SimpleNamespace(**call.fields), done)

    def cut(self, is_cut=True):
        self.emulator.is_up = not is_cut

    def pilot_takes(self):
        if self.autopilot == 'px4':
            self.px4.happens(events.pilot_takes)
        else:
            self.copter.set_mode(Flight.ALT_HOLD)

    @property
    def truth(self):
        return self.side.truth

    @property
    def is_armed(self):
        return self.side.armed

    @property
    def mode(self):
        return self.side.heartbeat().mode
