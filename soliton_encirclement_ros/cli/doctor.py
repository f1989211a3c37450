"""``swarm doctor``: examines this computer before a flight, a line for each thing.

Checks of ROS are here: its installation, its settings, and the network as it uses it. Every
process that looks beyond its computer announces itself to its domain every three seconds; such
multicasts, of any domain, are heard without ROS.
"""

import contextlib
import importlib.util
import itertools
import os
import select
import shutil
import socket
import struct
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Optional

import typer

from soliton_encirclement_ros.cli import computer_checks
from soliton_encirclement_ros.cli.computer_checks import (
    ERROR, OK, WARNING, Check, check_by_rules, worst
)
from soliton_encirclement_ros.cli.operator.ros_context import port_warning, ros_node
from soliton_encirclement_ros.cli.output import explain, print_json
from soliton_encirclement_ros.core.run.finished_run import FAILED
from soliton_encirclement_ros.core.states.swarm_topics import ROOT
from velocity_mobility_ros.core.environment.fast_dds import SERVERS, check_servers, server_warnings
from velocity_mobility_ros.core.environment.network import (
    MULTICAST_GROUP, SHARED_MEMORY, Interface, first_port, interfaces, links, memory_gap
)
from velocity_mobility_ros.core.environment.ros_environment import (
    DISCOVERY, LOCALHOST, OFF, TRANSPORTS, UDP_ONLY, check_discovery, check_interfaces,
    check_middleware, discovery_text, discovery_warnings, domain_number, interface_warnings,
    is_alone, range_in_force
)
from velocity_mobility_ros.core.user_errors import MobilityError, StartupError

if TYPE_CHECKING:
    from soliton_encirclement_ros.cli.graph_checks import DoctorNode


DOMAINS = range(102)
"""Domains whose ports are their own."""

SIGN = b'RTPS'
"""How a message of DDS begins."""

WAIT = 3.2
"""Time for announcements [s]: a little more than from one to the next."""

HOST = slice(8, 12)
"""Bytes of a message of DDS that are the same for all processes of a computer."""

PROBE = b'swarm doctor'

ANSWER_TIME = 0.3
"""Time in which what is sent to oneself arrives [s]."""

LONGEST = 65536


class Announcements:
    """Sockets that wait for announcements; the kernel keeps what arrives until it is read."""

    def __init__(self, addresses: Iterable[str], domains: Iterable[int] = DOMAINS) -> None:
        """Begin to listen on the interfaces with some addresses."""
        self._addresses = tuple(addresses)
        self._sockets: dict[int, socket.socket] = {}
        self._started = time.monotonic()
        self._heard: dict[int, dict[str, bytes]] = {}
        for domain in domains:
            with contextlib.suppress(OSError):  # another program has the port for itself
                self._sockets[domain] = listener(first_port(domain))
        for sock, address in itertools.product(self._sockets.values(), self._addresses):
            with contextlib.suppress(OSError):  # ``multicast_fault`` says why
                join(sock, address)

    def wait(self) -> None:
        """Wait for the time from one announcement to the next, since the beginning."""
        time.sleep(max(0.0, self._started + WAIT - time.monotonic()))

    def heard(self) -> dict[int, dict[str, bytes]]:
        """Return the other computers that have announced processes until now.

        By domain, the address of each, with the identifier by which Fast DDS knows it.
        """
        for domain, sock in self._sockets.items():
            with contextlib.suppress(BlockingIOError):  # all is read
                while True:
                    data, (address, _) = sock.recvfrom(LONGEST)
                    if data.startswith(SIGN) and address not in self._addresses:
                        self._heard.setdefault(domain, {})[address] = data[HOST]
        return self._heard

    def close(self) -> None:
        """End it."""
        for sock in self._sockets.values():
            sock.close()


def listener(port: int) -> socket.socket:
    """Return a socket for multicast; others may listen there, too.

    Args:
        port: The port; 0: any.

    Raises:
        OSError: Another program has the port for itself.
    """
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        sock.setblocking(False)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((MULTICAST_GROUP, port))
    except OSError:
        sock.close()
        raise
    return sock


def join(sock: socket.socket, address: str) -> None:
    """Let multicast arrive that comes by the interface with an IPv4 address.

    Raises:
        OSError: There is no such interface, or it passes no multicast.
    """
    member = struct.pack('4s4s', socket.inet_aton(MULTICAST_GROUP), socket.inet_aton(address))
    sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)


def multicast_fault(address: str) -> str:
    """Return why multicast that is sent on an interface does not come back, empty if it does.

    Args:
        address: IPv4 address of the interface.
    """
    try:
        with listener(0) as back, socket.socket(type=socket.SOCK_DGRAM) as out:
            join(back, address)
            out.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(address))
            out.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)
            out.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 0)  # no farther than here
            out.sendto(PROBE, (MULTICAST_GROUP, back.getsockname()[1]))
            until = time.monotonic() + ANSWER_TIME
            while select.select([back], [], [], max(0.0, until - time.monotonic()))[0]:
                if back.recv(LONGEST) == PROBE:
                    return ''
    except OSError as error:
        return error.strerror or str(error)
    return 'what is sent does not come back'


TESTED = ('jazzy', 'kilted')
"""Distributions of ROS with which the tests run."""

DEFAULT_MIDDLEWARE = 'rmw_fastrtps_cpp'

MESSAGES = (
    'diagnostic_msgs', 'geometry_msgs', 'nav_msgs', 'rosgraph_msgs', 'sensor_msgs', 'std_srvs',
    'visualization_msgs',
)  # fmt: skip
"""Message packages that nodes need."""

MEGA, GIGA = 1e6, 1e9

LEAST_MEMORY = 16 * MEGA
"""Free shared memory [bytes]: Fast DDS takes 0.5 MB for each process, and more for its topics."""


def ros_check() -> Check:
    """Check that ROS and the messages are installed."""
    distro = os.environ.get('ROS_DISTRO', '')  # set by setup.bash, not by packages of PyPI
    distribution = distro or 'distribution not known'
    missing = [name for name in MESSAGES if importlib.util.find_spec(name) is None]
    try:
        check_middleware()  # without it the import ends the process
        import rclpy
    except ImportError as error:
        return Check('ROS', 'not installed', ERROR, explain(error) or str(error))
    except MobilityError as error:
        return Check('ROS', distribution, ERROR, str(error))
    value = f'{distribution}, {os.path.dirname(rclpy.__file__)}'
    if missing:
        return Check(
            'ROS', value, ERROR,
            f'{", ".join(missing)} missing: install ros-DISTRO-NAME, or pip install ros-NAME',
        )  # fmt: skip
    if distro and distro not in TESTED:
        return Check('ROS', value, WARNING, f'tested with {" and ".join(TESTED)} (ROS_DISTRO)')
    return Check('ROS', value)


def middleware_check() -> Check:
    """Check the implementation of rmw."""
    chosen = os.environ.get('RMW_IMPLEMENTATION', '')
    foreign = 'advice on discovery and shared memory is for Fast DDS: unset RMW_IMPLEMENTATION'
    lines = [] if 'fastrtps' in (chosen or DEFAULT_MIDDLEWARE) else [foreign]
    value = chosen or f'{DEFAULT_MIDDLEWARE} (default)'
    return check_by_rules('middleware', value, check_middleware, lines=lambda: lines)


def domain_check() -> Check:
    """Check the ROS domain."""
    value = os.environ.get('ROS_DOMAIN_ID', '') or '0 (default)'
    lines = lambda: [*filter(None, [port_warning(domain_number())])]  # noqa: E731
    return check_by_rules('domain', value, domain_number, lines=lines)


def discovery_check() -> Check:
    """Check the settings by which processes find each other."""

    def refuse_off() -> None:
        if range_in_force() == OFF:
            raise StartupError(f'{DISCOVERY}={OFF}: nothing is found; set {LOCALHOST} or SUBNET')

    def refuse_dead_servers() -> None:
        dead = server_warnings()
        if dead and len(dead) == len([*filter(None, os.environ[SERVERS].split(';'))]):
            raise StartupError('; '.join(dead))

    try:
        value, lines = discovery_text().partition('discovery ')[2], discovery_warnings()
        if os.environ.get(SERVERS) and not lines:
            value += ' (whether it runs cannot be asked)'
    except StartupError:
        value, lines = os.environ.get(DISCOVERY, ''), []
    rules = range_in_force, refuse_off, check_servers, refuse_dead_servers
    return check_by_rules('discovery', value, *rules, lines=lambda: lines)


def interfaces_check(all_interfaces: Collection[Interface] | None) -> Check:
    """Check the network interfaces."""
    if all_interfaces is None:
        return Check('interfaces', 'not known')
    up = [
        f'{interface.name} {interface.address}'
        for interface in all_interfaces
        if interface.is_usable
    ]
    down = [interface.name for interface in all_interfaces if not interface.is_usable]
    value = ', '.join(up or ['none up']) + (f'; down: {", ".join(down)}' if down else '')
    rules = range_in_force, lambda: check_interfaces(is_local=True)
    return check_by_rules('interfaces', value, *rules, lines=interface_warnings)


def multicast_check(all_interfaces: Collection[Interface] | None) -> Check:
    """Check that multicast passes through the interfaces, where it is used."""
    used, way = links(all_interfaces), range_in_force()
    if way in (LOCALHOST, OFF):
        return Check('multicast', f'not used with {way}')
    if not used:
        return Check('multicast', 'no interface for it')
    faults = {name: multicast_fault(address) for name, address in used.items()}
    good = ', '.join(name for name, fault in faults.items() if not fault)
    bad = [f'{name}: {fault}' for name, fault in faults.items() if fault]
    value = f'works on {good}' if good else 'does not work'
    if bad:
        cure = f'{"; ".join(bad)}: see the firewall, or name the others in ROS_STATIC_PEERS'
        return Check('multicast', value, WARNING if good else ERROR, cure)
    return Check('multicast', value)


def memory_check() -> Check:
    """Check that processes of this computer can share memory."""
    if os.environ.get(TRANSPORTS) in UDP_ONLY and range_in_force() != LOCALHOST:
        return Check('shared memory', f'not used ({TRANSPORTS}={os.environ[TRANSPORTS]})')
    if not os.access(SHARED_MEMORY, os.W_OK):
        return Check('shared memory', f'{SHARED_MEMORY} cannot be written; UDP is used instead')
    free = shutil.disk_usage(SHARED_MEMORY).free
    size = f'{free / GIGA:.1f} GB' if free >= GIGA else f'{free / MEGA:.0f} MB'
    gap = memory_gap(domain_number())
    if free < LEAST_MEMORY and not gap:
        gap = f'{SHARED_MEMORY} is nearly full, and UDP is used instead: fastdds shm clean'
    return Check('shared memory', f'{SHARED_MEMORY}, {size} free', WARNING if gap else 'ok', gap)


def px4_check() -> Check:
    """Check the messages for PX4, which only its bridge needs."""
    from velocity_mobility_ros.ros_io.autopilot.px4_types import installed_px4_types

    try:
        types = installed_px4_types()
    except StartupError as error:
        return Check('px4_msgs', 'not installed', cure=f'for PX4 alone: {error}')
    return Check('px4_msgs', types.description, WARNING if types.fault else 'ok', types.fault)


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
        content = {'verdict': worst(checks), 'checks': [check._asdict() for check in checks]}
        print_json(content)
    else:
        from rich.text import Text

        from soliton_encirclement_ros.cli.views.terminal_display import PAGE, print_rows

        heads = '', 'value', 'verdict', 'what to do'
        print_rows(heads, (map(Text, check) for check in checks), PAGE)
    return FAILED if worst(checks) == ERROR else 0


def examine() -> list[Check]:
    """Return all checks; announcements of others are awaited while the rest runs."""
    all_interfaces = interfaces()
    with ExitStack() as stack:
        usable = [interface for interface in all_interfaces or () if interface.is_usable]
        addresses = [interface.address for interface in usable]
        announcements = Announcements(addresses)
        stack.callback(announcements.close)
        ros = _run_check('ROS', ros_check)
        node, fault = _node(stack) if ros.verdict != ERROR else (None, None)
        checks = [
            computer_checks.python_check(),
            ros,
            middleware_check(),
            domain_check(),
            discovery_check(),
            interfaces_check(all_interfaces),
            *(_run_check(name, check) for name, check in (
                ('multicast', lambda: multicast_check(all_interfaces)),
                ('shared memory', memory_check),
                ('clock', computer_checks.clock_check),
                ('processor', computer_checks.processor_check),
                ('disk', computer_checks.disk_check),
                ('compiled laws', computer_checks.compiled_laws_check),
            )),
        ]  # fmt: skip
        if ros.verdict != ERROR:
            checks.append(_run_check('px4_msgs', px4_check))
        if fault is not None:
            checks.append(fault)
        if node is not None:
            checks += _graph_checks(node, announcements)
    return checks


def _node(stack: ExitStack) -> 'tuple[Optional[DoctorNode], Optional[Check]]':
    """Return a node that observes the graph; else the check that says why, unless one does."""
    from rclpy.logging import LoggingSeverity, set_logger_level

    from soliton_encirclement_ros.cli.graph_checks import DoctorNode

    try:
        domain_number()
        check_discovery(is_local=True)
    except MobilityError:
        return None, None
    set_logger_level('rcl', LoggingSeverity.ERROR)  # its warnings are checks of ours
    try:
        return stack.enter_context(ros_node('swarm doctor', lambda: DoctorNode, ROOT)), None
    except MobilityError as error:
        return None, Check('other nodes', 'not looked for', ERROR, str(error))


def _graph_checks(node: 'DoctorNode', announcements: Announcements) -> Iterator[Check]:
    from soliton_encirclement_ros.cli.graph_checks import graph_checks

    node.look()
    if not is_alone():
        announcements.wait()
        node.look_for(lambda: announcements.heard().get(node.context.get_domain_id(), {}))
    return graph_checks(node, announcements.heard())


def _run_check(name: str, check: Callable[[], Check]) -> Check:
    """Run a check; a missing library or a wrong setting becomes its result."""
    try:
        return check()
    except ImportError as error:
        return Check(name, 'not looked at', ERROR, explain(error) or str(error))
    except MobilityError as error:
        return Check(name, 'not looked at', OK, str(error))
