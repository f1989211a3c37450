"""``swarm stop``: stops or releases the members of a swarm, whoever has started them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Optional

import typer

from soliton_encirclement_ros.cli.operator.addressees import (
    AGENTS, NAMESPACE, SCENARIO, parse_addressees
)
from soliton_encirclement_ros.cli.operator.ros_context import lend_node
from soliton_encirclement_ros.cli.options import WAIT, Number
from soliton_encirclement_ros.cli.output import print_error, say
from soliton_encirclement_ros.core.emergency_stop import EVERYBODY, LONGEST_TIMEOUT, MEMBER
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import named
from velocity_mobility_ros.core.environment.unix_process import Interrupt

if TYPE_CHECKING:
    from soliton_encirclement_ros.cli.operator.operator_nodes import OperatorNode
    from soliton_encirclement_ros.cli.operator.stop_session import StopOutcome


Tell = Callable[[str], None]
"""Prints a line."""

HOLDING = 'holding: ctrl-C stops all members, swarm stop --end-hold ends this without a stop'


def stop(
    members: Optional[list[str]] = typer.Argument(
        None,
        metavar='[MEMBER]...',
        help='Members such as uav_3 or target; default: all.',
        show_default=False,
    ),
    release: bool = typer.Option(False, '--release', help='Release instead of stopping.'),
    hold: bool = typer.Option(
        False,
        '--hold',
        help='Stop nobody now; all stop when this process ends, also if it is killed.',
    ),
    end_hold: bool = typer.Option(
        False, '--end-hold', help='End every --hold without a stop, and release nobody.'
    ),
    timeout: float = typer.Option(
        1.0,
        click_type=Number(min=0.0, min_open=True, max=LONGEST_TIMEOUT),
        help='With --hold: seconds without a heartbeat until all stop.',
    ),
    within: float = typer.Option(
        5.0, click_type=WAIT, help='Seconds to wait until all have confirmed.'
    ),
    agents: Optional[int] = AGENTS,
    scenario: Optional[str] = SCENARIO,
    namespace: str = NAMESPACE,
) -> int:
    """Stop all members in flight, or some, until released; exit with 1 if one does not."""
    scopes = checked_scopes(members or [], [release, hold, end_hold])
    expected = () if members else parse_addressees((), agents, scenario).expected
    interrupt = Interrupt() if hold else None
    with lend_node('swarm stop', 'operator.operator_nodes:OperatorNode', namespace) as node:
        from soliton_encirclement_ros.cli.operator import stop_session

        if end_hold:
            if watching := stop_session.end_holds(node, within):
                print_error(f'{named(watching)} still watch a heartbeat')
                return 1
            say('no member watches a heartbeat')
            return 0
        if interrupt is not None:
            say(HOLDING)
            if stop_session.hold(node, timeout, lambda: bool(interrupt), say):
                say('the heartbeat was ended by an operator: nobody stops')
                return 0
        outcome = stop_session.give_order(node, scopes, not release, within, '', expected)
        return conclude_order(node, scopes, outcome, not release, say, print_error)


def conclude_order(
    node: 'OperatorNode', scopes: list[str], outcome: 'StopOutcome', stop: bool, say: Tell,
    complain: Tell,
) -> int:  # fmt: skip
    """Say what has become of an order, and take back what nobody obeys; return the exit code.

    Args:
        node: The operator.
        scopes: Whom it was for.
        outcome: What has become of it.
        stop: Whether it was one to stop.
        say: Prints a line.
        complain: Prints an error.
    """
    code = _report(outcome, stop, node, say, complain)
    if stop and EVERYBODY not in scopes:
        _clear_up(outcome, node, say)
    own = [name for name, why in outcome.missing.items() if why.startswith('stopped')]
    if own and not stop:
        say(f'stopped by themselves or by name: swarm stop --release {" ".join(own)}')
    return code


def _clear_up(outcome: 'StopOutcome', node: 'OperatorNode', say: Tell) -> None:
    """Leave no order for a name that nobody has, or say how it is taken back."""
    from soliton_encirclement_ros.cli.operator import stop_session

    nobody = stop_session.cancel_unmatched_stops(node, outcome)
    left = [
        name for name, why in outcome.missing.items()
        if why == stop_session.NOT_FOUND and name not in nobody
    ]  # fmt: skip
    if nobody:
        say(f'nobody is called {", ".join(nobody)}: the order is taken back')
    if left:
        say(f'it stays for whoever comes later: swarm stop --release {" ".join(left)} ends that')


def checked_scopes(members: list[str], modes: list[bool]) -> list[str]:
    """Return whom an order is for.

    Raises:
        RunError: An option is invalid, or contradicts another.
    """
    if sum(modes) > 1:
        raise RunError('--release, --hold and --end-hold exclude each other: name one')
    if members and (modes[1] or modes[2]):
        raise RunError('--hold and --end-hold are for all members: leave the names out')
    for name in members:
        if not MEMBER.fullmatch(name):
            raise RunError(f'MEMBER = {name[:40]!r} must be a name such as uav_3 or target')
    return list(dict.fromkeys(members)) or [EVERYBODY]


def _report(
    outcome: 'StopOutcome', stop: bool, node: 'OperatorNode', say: Tell, complain: Tell
) -> int:
    """Print who has confirmed; return the exit code."""
    if not outcome.confirmed and not outcome.missing:
        others = node.fleets()
        hint = (
            f'fleets here: {", ".join(others)}; name one with --namespace'
            if others
            else ('compare ROS_DOMAIN_ID and the settings of discovery')
        )
        complain(f'no member of the swarm found on {node.orders.topic}: {hint}')
        return 1
    return conclude_stop(outcome, stop, say, complain)


def conclude_stop(
    outcome: 'StopOutcome', stop: bool, say: Tell, complain: Tell
) -> int:
    """Say who has confirmed, and who has not and why; return the exit code.

    Args:
        outcome: What has become of the order.
        stop: Whether it was one to stop.
        say: Prints a line.
        complain: Prints an error.
    """
    confirmed, missing, seconds, is_complete = outcome
    done, count = 'stopped' if stop else 'released', len(confirmed) + len(missing)
    if confirmed:
        of_all = f'{len(confirmed)} of {"" if is_complete else "at least "}{count}'
        say(f'{done}: {named(confirmed)} ({of_all}), confirmed within {seconds:.2f} s')
    if missing:
        reasons = '; '.join(f'{name} ({reason})' for name, reason in missing.items())
        complain(f'not {done}, or not confirmed: {reasons}')
    if not is_complete:
        complain(
            'the whole swarm is not known: say it with --agents N or --scenario, or name the '
            'members; who starts later is told, too'
        )
    return 0 if confirmed and not missing and is_complete else 1
