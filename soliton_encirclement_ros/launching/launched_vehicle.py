"""A vehicle with a bridge under launch: what dies beside the bridge does not end it in flight."""

from collections.abc import Sequence

from launch import LaunchContext
from launch.action import Action
from launch.actions import LogInfo
from launch.events.process import ProcessExited

from soliton_encirclement_ros.core.scenario.parts.vehicle_kinds import BRIDGES
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec
from soliton_encirclement_ros.launching.arguments import AGAIN, Given
from soliton_encirclement_ros.launching.launch_failure import fail
from soliton_encirclement_ros.launching.launch_nodes import end_together
from soliton_encirclement_ros.launching.launched_process import After, LaunchedProcess
from soliton_encirclement_ros.launching.launched_run import reported

ALONE = (
    'the bridge goes on: the vehicle brakes after its command_timeout and holds; start it again '
    'with `{again}`, then `swarm fly engage {member}`'
)


def after_of(plan: Sequence[NodeSpec], given: Given) -> After:
    """Return what follows the end of a process of one member: without a bridge the launch ends."""
    if any(spec.executable in BRIDGES.values() for spec in plan):
        return LaunchedVehicle(plan, given[AGAIN]).after
    return end_together


class LaunchedVehicle:
    """Tracks the processes of one vehicle; only the end of its bridge ends the launch."""

    def __init__(self, plan: Sequence[NodeSpec], again: str) -> None:
        """Start; no process has ended yet.

        Args:
            plan: The nodes that are started.
            again: The command that starts the agent again.
        """
        self._bridged = {spec.namespace for spec in plan if spec.executable in BRIDGES.values()}
        self._again = again
        self._failures: list[str] = []

    def after(
        self, process: LaunchedProcess, event: ProcessExited, context: LaunchContext
    ) -> list[Action]:
        """Return the actions when a process has ended."""
        ended = f'{process.name} ended with exit code {event.returncode}'
        if process.runs(*BRIDGES.values()):
            return self._without_bridge(ended, context.is_shutdown)
        if context.is_shutdown:
            return []
        if event.returncode != 0:
            self._failures.append(ended)
        namespace = process.name.rpartition('/')[0]
        if namespace not in self._bridged:
            return reported(process, event, context)
        alone = ALONE.format(again=self._again, member=namespace.rpartition('/')[2])
        return [LogInfo(msg=f'error: {ended}; {alone}')]

    def _without_bridge(self, ended: str, is_stopped: bool) -> list[Action]:
        """Return how the launch ends: with exit code 1 unless nothing had died until ctrl-C."""
        failures = self._failures if is_stopped else [*self._failures, ended]
        return fail('; '.join(failures)) if failures else []
