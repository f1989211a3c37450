"""The whole bridge with an emulated PX4, without ROS: what is read and written as in the node."""

from types import SimpleNamespace

from support.autopilot.emulated_flight import DT, PLACE, EmulatedFlight
from support.px4_emulator.emulator import Px4Emulator
from support.px4_emulator.settings import Px4Parameters, Settings
from velocity_mobility_ros.autopilot.bridge.bridge_records import BridgeParameters
from velocity_mobility_ros.autopilot.engage.engage_parameters import EngageParameters
from velocity_mobility_ros.autopilot.engage.records import Request
from velocity_mobility_ros.autopilot.geodesy.frame_parameters import FrameParameters
from velocity_mobility_ros.autopilot.guidance.guidance_parameters import GuidanceParameters
from velocity_mobility_ros.autopilot.px4 import reading
from velocity_mobility_ros.autopilot.px4.commands import Address, answer, command_fields
from velocity_mobility_ros.autopilot.px4.writing import heartbeat_fields, setpoint_fields
from velocity_mobility_ros.autopilot.traits import PX4

COMPONENT = 191
HEARTBEAT = ('timestamp', 'position', 'velocity', 'acceleration', 'attitude', 'body_rate',
             'thrust_and_torque', 'direct_actuator')  # fmt: skip
ENGAGE = EngageParameters(px4_offboard_loss_action='hold', px4_rc_policy='no remote control')
FLYABLE = Px4Parameters(com_obl_rc_act=5, com_rcl_except=4)
FRAME = FrameParameters(
    origin_latitude=PLACE[0], origin_longitude=PLACE[1], origin_altitude=PLACE[2]
)
READ = {
    'vehicle_status': ('status', reading.vehicle_status),
    'vehicle_local_position': ('local', reading.local_position),
    'vehicle_odometry': ('odometry', reading.vehicle_odometry),
    'vehicle_land_detected': ('land', reading.land_state),
    'battery_status': ('battery', reading.battery),
    'failsafe_flags': ('flags', lambda m, t: reading.flags(m, vars(m), t)),
}
SAID = (Request.ENGAGE, Request.TAKE_OFF, Request.HOLD, Request.LAND, Request.RETURN)


class EmulatedVehicle(EmulatedFlight):
    """One vehicle and its bridge; attributes can be changed at any time."""

    def __init__(self, settings=None, parameters=None, now=0.0):
        self.px4 = Px4Emulator(settings or Settings(vehicle='kinematic', parameters=FLYABLE), now)
        super().__init__(
            parameters or BridgeParameters(ENGAGE, GuidanceParameters(), FRAME), PX4, now
        )
        self.log = []

    def _advance(self):
        for sent in self.px4.step(DT):
            self._take(sent.topic, sent.message)

    def _before_step(self, request):
        if request in SAID:
            self.px4.operator_word()

    def _take(self, topic, message):
        if topic == 'vehicle_command_ack':
            found = answer(message, COMPONENT, self.now)
            if found is not None:
                self.bridge.answer(found)
        elif topic in READ:
            field, read = READ[topic]
            report = read(message, self.now)
            if report is not None:
                self.bridge.known = self.bridge.known._replace(**{field: report})

    def _send(self, out):
        if out.heartbeat is not None:
            self._publish('offboard_control_mode', heartbeat_fields(out.heartbeat, HEARTBEAT))
        if out.setpoint is not None:
            self._publish('trajectory_setpoint', setpoint_fields(out.setpoint))
        if out.engage.send is not None:
            to = Address(self.bridge.known.status.system_id, 1, COMPONENT)
            self._publish('vehicle_command', command_fields(out.engage.send, to))

    def _publish(self, topic, fields):
        self.log.append((self.now, topic, fields))
        self.px4.receive(topic, SimpleNamespace(**fields))

    @property
    def truth(self):
        return self.px4.firmware.body.truth

    @property
    def nav_state(self):
        return self.px4.firmware.commander.nav_state.name

    @property
    def is_armed(self):
        return self.px4.firmware.commander.armed

    def sent(self, topic, since):
        """Return what was sent on a topic after a time."""
        return [fields for at, name, fields in self.log if name == topic and at > since]
