"""The whole bridge with an emulated PX4, without ROS: what is read and written as in the node."""

from types import SimpleNamespace

from support.autopilot.emulated_flight import DT, EmulatedFlight
from support.px4_emulator import events
from support.px4_emulator.emulator import Px4Emulator
from support.px4_emulator.settings import IDEAL, LinkSettings, Px4Parameters, Settings
from velocity_mobility_ros.autopilot.autopilot_requests import PX4
from velocity_mobility_ros.autopilot.protocols import px4_reports
from velocity_mobility_ros.autopilot.protocols.px4_requests import (
    Address, answer, command_fields, heartbeat_fields, setpoint_fields
)

COMPONENT = 191
HEARTBEAT = ('timestamp', 'position', 'velocity', 'acceleration', 'attitude', 'body_rate',
             'thrust_and_torque', 'direct_actuator')  # fmt: skip
FLYABLE = Px4Parameters(com_obl_rc_act=5, com_rcl_except=4)
READ = {
    'vehicle_status': ('status', px4_reports.vehicle_status),
    'vehicle_local_position': ('local', px4_reports.local_position),
    'vehicle_odometry': ('odometry', px4_reports.vehicle_odometry),
    'vehicle_land_detected': ('land', px4_reports.land_state),
    'battery_status': ('battery', px4_reports.battery),
    'failsafe_flags': ('flags', lambda m, t: px4_reports.flags(m, vars(m), t)),
}


class EmulatedVehicle(EmulatedFlight):
    """One vehicle and its bridge; settings are those of the emulated PX4."""

    def __init__(self, parameters=None, **settings):
        base = {'vehicle': 'kinematic', 'parameters': FLYABLE}
        self.px4 = Px4Emulator(Settings(**(base | settings)))
        super().__init__(PX4, parameters)

    def _advance(self):
        for sent in self.px4.step(DT):
            self._take(sent.topic, sent.message)

    def _operator_word(self):
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

    def _send_heartbeat(self, kind):
        self._publish('offboard_control_mode', heartbeat_fields(kind, HEARTBEAT))

    def _send_setpoint(self, setpoint):
        self._publish('trajectory_setpoint', setpoint_fields(setpoint))

    def _ask(self, action, _):
        to = Address(self.bridge.known.status.system_id, 1, COMPONENT)
        self._publish('vehicle_command', command_fields(action, to))

    def _publish(self, topic, fields):
        self.px4.receive(topic, SimpleNamespace(**fields))

    def cut(self, is_cut=True):
        for direction in ('in', 'out'):
            self.px4.set_link(direction, LinkSettings(loss=1.0) if is_cut else IDEAL)

    def pilot_takes(self):
        self.px4.happens(events.pilot_takes)

    @property
    def truth(self):
        return self.px4.firmware.body.truth

    @property
    def mode(self):
        return self.px4.firmware.commander.nav_state.name

    @property
    def is_armed(self):
        return self.px4.firmware.commander.armed
