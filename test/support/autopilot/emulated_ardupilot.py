"""The whole bridge with an emulated ArduCopter over AP_DDS, without ROS."""

from types import SimpleNamespace

from support.ardupilot_emulator import ApDdsEmulator, ArduSettings
from support.autopilot.emulated_flight import DT, PLACE, EmulatedFlight
from velocity_mobility_ros.autopilot.ardupilot import requests, topics
from velocity_mobility_ros.autopilot.ardupilot.collector import ArduPilotReports
from velocity_mobility_ros.autopilot.ardupilot.writing import velocity_command
from velocity_mobility_ros.autopilot.bridge.bridge_records import BridgeParameters
from velocity_mobility_ros.autopilot.engage.engage_parameters import EngageParameters
from velocity_mobility_ros.autopilot.geodesy.frame_parameters import FrameParameters
from velocity_mobility_ros.autopilot.guidance.guidance_parameters import GuidanceParameters
from velocity_mobility_ros.autopilot.service_call import unsupported
from velocity_mobility_ros.autopilot.traits import ARDUPILOT

ENGAGE = EngageParameters(ardupilot_failsafes='FS_GCS_ENABLE 5, BATT_FS_LOW_ACT 1')
FRAME = FrameParameters(
    origin_latitude=PLACE[0], origin_longitude=PLACE[1], origin_altitude=PLACE[2]
)


class EmulatedArduPilot(EmulatedFlight):
    """One vehicle and its bridge.

    Attributes:
        frame_id: Stands for the frame of all commands; None: the bridge's own.
    """

    def __init__(self, settings=None, parameters=None, hold_mode='brake'):
        self.emulator = ApDdsEmulator(settings or ArduSettings())
        super().__init__(
            parameters or BridgeParameters(ENGAGE, GuidanceParameters(), FRAME), ARDUPILOT
        )
        self.hold_mode, self.frame_id = hold_mode, None
        self.reports, self.sent, self.asked = ArduPilotReports(), [], []

    def _advance(self):
        for sent in self.emulator.step(DT):
            if sent.topic in topics.MESSAGES_OUT:
                self.reports.take(sent.topic, sent.message, self.now)
        self.bridge.known = self.reports.known

    def _send(self, out):
        if out.setpoint is not None:
            command = velocity_command(out.setpoint)
            self.sent.append((self.now, command))
            x, y, z = command.linear
            self.emulator.receive(SimpleNamespace(
                header=SimpleNamespace(frame_id=self.frame_id or command.frame_id),
                twist=SimpleNamespace(linear=SimpleNamespace(x=x, y=y, z=z),
                                      angular=SimpleNamespace(z=command.yaw_rate)),
            ))  # fmt: skip
        if out.engage.send is not None:
            self._ask(out.engage.send, out.takeoff_height)

    def _ask(self, action, height):
        self.asked.append(action)
        call = requests.call_of(action, self.hold_mode, height)
        if call is None:
            self.bridge.answer(unsupported(action, self.now))
            return

        def done(response):
            self.bridge.answer(requests.answer(action, response, self.now))

        self.emulator.call(call.service, SimpleNamespace(**call.fields), done)

    def check_arming(self):
        """Ask for the checks before arming, as the link does once a second."""
        self.emulator.call(
            topics.PREARM_CHECK, SimpleNamespace(),
            lambda response: self.reports.take_preflight(response.success),
        )  # fmt: skip

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
