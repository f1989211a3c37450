"""``swarm doctor``: examines this computer before a flight, a line for each thing."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Optional

import typer
from velocity_mobility_ros.core.errors import MobilityError
from velocity_mobility_ros.core.network import interfaces
from velocity_mobility_ros.core.ros_environment import check_discovery, domain_number, is_alone

from soliton_encirclement_ros.cli.doctor import computer, settings
from soliton_encirclement_ros.cli.doctor.announcements import Announcements
from soliton_encirclement_ros.cli.doctor.check import ERROR, OK, Check, worst
from soliton_encirclement_ros.cli.libraries import explain
from soliton_encirclement_ros.cli.operator.operating import operating
from soliton_encirclement_ros.cli.output import print_json
from soliton_encirclement_ros.core.run.run_outcome import FAILED
from soliton_encirclement_ros.core.states.swarm_topics import ROOT

if TYPE_CHECKING:
    from soliton_encirclement_ros.cli.doctor.graph import DoctorNode


def doctor(
    as_json: bool = typer.Option(False, '--json', help='Print JSON instead of a table.'),
) -> int:
    """Examine this computer before a flight; exit with 1 if something will stop it.

    Each line has what was looked at, a verdict and the cure. It waits for others for 1.5 s, on
    a network for 3 s, and for 10 s while one that announces itself is not found; it changes
    nothing and orders nothing.
    """
    checks = examine()
    if as_json:
        told = {'verdict': worst(checks), 'checks': [one._asdict() for one in checks]}
        print_json(told)
    else:
        _print(checks)
    return FAILED if worst(checks) == ERROR else 0


def examine() -> list[Check]:
    """Return all checks; what others say is waited for while the rest is looked at."""
    found = interfaces()
    with ExitStack() as stack:
        addresses = [one.address for one in found or () if one.is_usable]
        announcements = Announcements(addresses)
        stack.callback(announcements.close)
        ros = _guarded('ROS', settings.ros_check)
        node, fault = _node(stack) if ros.verdict != ERROR else (None, None)
        checks = [
            computer.python_check(),
            ros,
            settings.middleware_check(),
            settings.domain_check(),
            settings.discovery_check(),
            settings.interfaces_check(found),
            *(_guarded(name, check) for name, check in (
                ('multicast', lambda: settings.multicast_check(found)),
                ('shared memory', settings.memory_check),
                ('clock', computer.clock_check),
                ('processor', computer.processor_check),
                ('disk', computer.disk_check),
                ('compiled laws', computer.compiled_laws_check),
            )),
        ]  # fmt: skip
        if ros.verdict != ERROR:
            checks.append(_guarded('px4_msgs', settings.px4_check))
        if fault is not None:
            checks.append(fault)
        if node is not None:
            checks += _graph(node, announcements)
    return checks


def _node(stack: ExitStack) -> 'tuple[Optional[DoctorNode], Optional[Check]]':
    """Return a node that begins to look around, or what keeps it from that, unless told before."""
    from rclpy.logging import LoggingSeverity, set_logger_level

    from soliton_encirclement_ros.cli.doctor.graph import DoctorNode

    try:
        domain_number()
        check_discovery(is_local=True)
    except MobilityError:
        return None, None
    set_logger_level('rcl', LoggingSeverity.ERROR)  # its warnings are checks of ours
    try:
        return stack.enter_context(operating('swarm doctor', lambda: DoctorNode, ROOT)), None
    except MobilityError as error:
        return None, Check('other nodes', 'not looked for', ERROR, str(error))


def _graph(node: 'DoctorNode', announcements: Announcements) -> Iterator[Check]:
    from soliton_encirclement_ros.cli.doctor.graph import graph_checks

    node.look()
    if not is_alone():
        announcements.wait()
        node.look_for(lambda: announcements.heard().get(node.context.get_domain_id(), {}))
    return graph_checks(node, announcements.heard())


def _guarded(name: str, check: Callable[[], Check]) -> Check:
    """Return a check; if a library is missing for it, or a setting wrong, that is an error."""
    try:
        return check()
    except ImportError as error:
        return Check(name, 'not looked at', ERROR, explain(error) or str(error))
    except MobilityError as error:
        return Check(name, 'not looked at', OK, str(error))


def _print(checks: list[Check]) -> None:
    from rich.table import Table
    from rich.text import Text

    from soliton_encirclement_ros.cli.views.terminal_tables import PAGE, print_table, wide_console

    table = Table('', 'value', 'verdict', 'what to do')
    for one in checks:
        table.add_row(*(Text(text) for text in (one.name, one.value, one.verdict, one.cure)))
    print_table(table, wide_console(False, PAGE))
