"""The whole bridge with an emulated ArduCopter over AP_DDS, without ROS."""

from types import SimpleNamespace

from support.ardupilot_emulator import ApDdsEmulator, ArduSettings
from support.ardupilot_emulator.modes import Flight
from support.autopilot.emulated_flight import DT, EmulatedFlight
from velocity_mobility_ros.autopilot.autopilot_requests import ARDUPILOT, unsupported
from velocity_mobility_ros.autopilot.protocols import ap_dds
from velocity_mobility_ros.autopilot.protocols.ardupilot_reports import ArduPilotReports


class EmulatedArduPilot(EmulatedFlight):
    """One vehicle and its bridge; settings are those of the emulated ArduCopter."""

    def __init__(self, parameters=None, hold_mode='brake', **settings):
        self.emulator = ApDdsEmulator(ArduSettings(**settings))
        super().__init__(ARDUPILOT, parameters)
        self.hold_mode, self.reports = hold_mode, ArduPilotReports()

    def _advance(self):
        for sent in self.emulator.step(DT):
            if sent.topic in ap_dds.MESSAGES_OUT:
                self.reports.take(sent.topic, sent.message, self.now)
        self.bridge.known = self.reports.known

    def _send_setpoint(self, setpoint):
        x, y, z = setpoint.target
        self.emulator.receive(SimpleNamespace(
            header=SimpleNamespace(frame_id=ap_dds.FRAME),
            twist=SimpleNamespace(linear=SimpleNamespace(x=x, y=y, z=z),
                                  angular=SimpleNamespace(z=setpoint.yaw_rate)),
        ))  # fmt: skip

    def _ask(self, action, height):
        call = ap_dds.call_of(action, self.hold_mode, height)
        if call is None:
            self.bridge.answer(unsupported(action, self.now))
            return

        def done(response):
            self.bridge.answer(ap_dds.answer(action, response, self.now))

        self.emulator.call(call.service, SimpleNamespace(**call.fields), done)

    def check_arming(self, seconds=0.5):
        """Ask for the checks before arming, as the link does once a second; go on for a while."""
        self.emulator.call(
            ap_dds.PREARM_CHECK, SimpleNamespace(),
            lambda response: self.reports.take_preflight(response.success),
        )  # fmt: skip
        self.run(seconds)

    def cut(self, is_cut=True):
        self.emulator.is_up = not is_cut

    def pilot_takes(self):
        self.copter.set_mode(Flight.ALT_HOLD)

    @property
    def copter(self):
        return self.emulator.copter

    @property
    def truth(self):
        return self.copter.body.truth

    @property
    def is_armed(self):
        return self.copter.armed

    @property
    def mode(self):
        return self.copter.mode.name
