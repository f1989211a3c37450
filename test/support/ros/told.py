"""For tests of what nodes tell people: the diagnostics and the log, by node."""

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from rcl_interfaces.msg import Log
from rclpy.qos import QoSProfile, ReliabilityPolicy

from support.ros.graph import Ros
from velocity_mobility_ros.ros_io.endpoints import COMMAND

OK, WARN = DiagnosticStatus.OK, DiagnosticStatus.WARN
ERROR, STALE = DiagnosticStatus.ERROR, DiagnosticStatus.STALE

ROSOUT = QoSProfile(depth=1000, reliability=ReliabilityPolicy.RELIABLE)


class Told:
    """Everything that nodes have told since this was made."""

    def __init__(self, ros: Ros) -> None:
        """Begin to listen."""
        self._arrays = ros.listen(DiagnosticArray, '/diagnostics', COMMAND)
        self._log = ros.listen(Log, '/rosout', ROSOUT)

    def statuses(self, name: str) -> list[DiagnosticStatus]:
        """Return every status of a name, oldest first."""
        found = (status for array in self._arrays for status in array.status)
        return [status for status in found if status.name == name]

    def names(self) -> set[str]:
        """Return the names of all statuses."""
        return {status.name for array in self._arrays for status in array.status}

    def shows(self, name: str, level: bytes, *texts: str) -> bool:
        """Say whether the last status of a name has a level and says all of these."""
        said = self.statuses(name)
        if not said or said[-1].level != level:
            return False
        return all(text in said[-1].message for text in texts)

    def lines(self, logger: str) -> list[str]:
        """Return what a logger has said."""
        return [message.msg for message in self._log if message.name == logger]

    def logged(self, logger: str, text: str) -> bool:
        """Say whether a logger has said something that contains a text."""
        return any(text in line for line in self.lines(logger))
