"""Orders to vehicles with autopilots and their agents, as ``swarm fly`` and ``swarm stop`` give.

Each function connects for the time of its order, and returns the vehicles that do as ordered. If
not all do, it raises ``OrderError`` with the reasons; ``NotReadyError`` if the readiness gate has
kept them, and then nothing was ordered.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from soliton_encirclement_ros.core.errors import OrderError
from velocity_mobility_ros.core.environment.unix_process import interruptible

if TYPE_CHECKING:
    from soliton_encirclement_ros.cli.fly.fly_node import FlyNode
    from soliton_encirclement_ros.cli.fly.order_screen import QuietScreen


def takeoff(
    *vehicles: str,
    agents: int | None = None,
    scenario: str | None = None,
    places: Path | str | None = None,
    separation: float | None = None,
    min_battery: float = 0.3,
    max_clock_offset: float = 0.5,
    within: float | None = None,
    namespace: str = '',
) -> list[str]:
    """Let vehicles take off together once all agree; if one is not ready, nobody arms.

    Args:
        *vehicles: Names such as ``uav_3``; none: all.
        agents: Number N of vehicles, ``uav_1`` to ``uav_N``.
        scenario: Scenario: its agents are expected, its separation distance holds.
        places: File of planned places, as of ``swarm fly takeoff --places``.
        separation: Least distance of two vehicles [m]; None: 2, or that of the scenario.
        min_battery: Least charge, 0 to 1; 0: any, also one that is not known.
        max_clock_offset: Largest difference of stamps and clocks [s].
        within: Longest time to wait until all hold in the air [s].
        namespace: Namespace of the fleet.

    Returns:
        The vehicles that hold in the air.

    Raises:
        NotReadyError: The gate has kept vehicles; nothing was armed.
        OrderError: Somebody does not do as ordered.
        MobilityError: An argument is invalid, or ROS cannot start.

    Example:
        >>> try:
        ...     takeoff(agents=3)
        ... except NotReadyError as error:
        ...     print(error.reasons)
        {'uav_2': ['eph = 3.0 m, at most 1.5 m']}
    """
    from soliton_encirclement_ros.cli.fly.fly_verbs import gate_settings
    from soliton_encirclement_ros.cli.operator.addressees import parse_addressees

    meant = parse_addressees(vehicles, agents, scenario)
    settings = gate_settings(
        scenario, separation, min_battery, max_clock_offset,
        None if places is None else Path(places), there=meant.expected,
    )  # fmt: skip

    def order(node: 'FlyNode', screen: 'QuietScreen') -> int:
        from soliton_encirclement_ros.cli.fly.fly_order import TAKE_OFF
        from soliton_encirclement_ros.cli.fly.takeoff import FlyRequest, fly_takeoff

        return fly_takeoff(node, FlyRequest(meant, settings, within or TAKE_OFF.within), screen)

    return _ordered(order, namespace)


def engage(
    *vehicles: str,
    agents: int | None = None,
    scenario: str | None = None,
    separation: float | None = None,
    max_clock_offset: float = 0.5,
    stop: bool = True,
    within: float | None = None,
    namespace: str = '',
) -> list[str]:
    """Let vehicles in the air follow their agents, which start together; if one cannot, none.

    Args:
        *vehicles: As of ``takeoff``; so are all others but one.
        agents: Number of vehicles.
        scenario: Scenario.
        separation: Least distance [m].
        max_clock_offset: Largest difference of stamps and clocks [s].
        stop: Whether agents are stopped until all track; not for vehicles with a controller that
            obeys no ``swarm stop``.
        within: Longest time to wait until all track [s].
        namespace: Namespace of the fleet.

    Returns:
        The vehicles that track their agents.

    Raises:
        NotReadyError: The gate has kept vehicles; nothing was changed.
        OrderError: Somebody does not do as ordered.
        MobilityError: An argument is invalid, or ROS cannot start.

    Example:
        >>> engage(agents=3)
        ['uav_1', 'uav_2', 'uav_3']
    """
    from soliton_encirclement_ros.cli.fly.fly_verbs import gate_settings
    from soliton_encirclement_ros.cli.operator.addressees import parse_addressees

    settings = gate_settings(scenario, separation, 0.0, max_clock_offset, is_named=bool(vehicles))
    meant = parse_addressees(vehicles, agents, scenario)

    def order(node: 'FlyNode', screen: 'QuietScreen') -> int:
        from soliton_encirclement_ros.cli.fly.fly_order import ENGAGE
        from soliton_encirclement_ros.cli.fly.takeoff import FlyRequest, fly_engage

        return fly_engage(node, FlyRequest(meant, settings, within or ENGAGE.within, stop), screen)

    return _ordered(order, namespace)


def hold(
    *vehicles: str,
    agents: int | None = None,
    scenario: str | None = None,
    within: float | None = None,
    namespace: str = '',
) -> list[str]:
    """Let vehicles brake and hold where they are.

    Args:
        *vehicles: Names such as ``uav_3``; none: all that are found.
        agents: Number N of vehicles, ``uav_1`` to ``uav_N``, whose answers are waited for.
        scenario: Scenario whose agents' answers are waited for.
        within: Longest time to wait [s].
        namespace: Namespace of the fleet.

    Returns:
        The vehicles that do so.

    Raises:
        OrderError: Somebody does not do as ordered.
        MobilityError: An argument is invalid, or ROS cannot start.

    Example:
        >>> hold('uav_3')
        ['uav_3']
    """
    return _given('HOLD', vehicles, agents, scenario, within, namespace)


def land(
    *vehicles: str,
    agents: int | None = None,
    scenario: str | None = None,
    within: float | None = None,
    namespace: str = '',
) -> list[str]:
    """Let the autopilots land where the vehicles are, and wait until they are disarmed.

    Arguments, result and errors are those of ``hold``.

    Example:
        >>> land(agents=3)
        ['uav_1', 'uav_2', 'uav_3']
    """
    return _given('LAND', vehicles, agents, scenario, within, namespace)


def rtl(
    *vehicles: str,
    agents: int | None = None,
    scenario: str | None = None,
    within: float | None = None,
    namespace: str = '',
) -> list[str]:
    """Let the autopilots return to where they took off, and land there.

    Arguments, result and errors are those of ``hold``.

    Example:
        >>> rtl(agents=3)
        ['uav_1', 'uav_2', 'uav_3']
    """
    return _given('RETURN', vehicles, agents, scenario, within, namespace)


def stop(
    *members: str,
    agents: int | None = None,
    scenario: str | None = None,
    within: float = 5.0,
    namespace: str = '',
) -> list[str]:
    """Stop members in flight: they command zero velocity until they are released.

    Args:
        *members: Names such as ``uav_3`` or ``target``; none: all.
        agents: Number N of agents, ``uav_1`` to ``uav_N``, whose answers are waited for.
        scenario: Scenario whose agents' answers are waited for.
        within: Longest time to wait until all have confirmed [s].
        namespace: Namespace of the fleet.

    Returns:
        The members that have confirmed it.

    Raises:
        OrderError: Somebody has not.
        MobilityError: An argument is invalid, or ROS cannot start.

    Example:
        >>> stop()
        ['target', 'uav_1', 'uav_2', 'uav_3']
    """
    return _stop_or_release(True, members, agents, scenario, within, namespace)


def release(
    *members: str,
    agents: int | None = None,
    scenario: str | None = None,
    within: float = 5.0,
    namespace: str = '',
) -> list[str]:
    """Release members from a stop; arguments, result and errors are those of ``stop``.

    Example:
        >>> release('uav_3')
        ['uav_3']
    """
    return _stop_or_release(False, members, agents, scenario, within, namespace)


def _given(
    name: str, vehicles: tuple[str, ...], agents: int | None, scenario: str | None,
    within: float | None, namespace: str,
) -> list[str]:  # fmt: skip
    """Give an order without a gate, by its name in ``fly_order``."""
    from soliton_encirclement_ros.cli.operator.addressees import parse_addressees

    meant = parse_addressees(vehicles, agents, scenario)

    def order(node: 'FlyNode', screen: 'QuietScreen') -> int:
        from soliton_encirclement_ros.cli.fly import fly_order

        given = getattr(fly_order, name)
        execution = fly_order.Execution(node, given, meant, within or fly_order.ABSENT)
        return screen.follow(execution, given, within or given.within)

    return _ordered(order, namespace)


def _ordered(order: 'Callable[[FlyNode, QuietScreen], int]', namespace: str) -> list[str]:
    """Give an order with a node of an operator; return the vehicles that do as ordered.

    Raises:
        OrderError: Not all do.
    """
    from soliton_encirclement_ros.cli.fly.fly_verbs import operator

    with interruptible() as interrupt, operator(namespace) as node:
        from soliton_encirclement_ros.cli.fly.order_screen import QuietScreen

        screen = QuietScreen(node, interrupt)
        screen.raise_unless_done(order(node, screen))
    return screen.done


def _stop_or_release(
    stops: bool, members: tuple[str, ...], agents: int | None, scenario: str | None,
    within: float, namespace: str,
) -> list[str]:  # fmt: skip
    """Stop or release members; return who has confirmed it.

    Raises:
        OrderError: Not all have.
    """
    from soliton_encirclement_ros.cli.operator.addressees import parse_addressees
    from soliton_encirclement_ros.cli.operator.ros_context import lend_node
    from soliton_encirclement_ros.cli.operator.stop_verb import checked_scopes, conclude_order

    scopes = checked_scopes([*members], [False] * 3)
    expected = () if members else parse_addressees((), agents, scenario).expected
    complaints = list[str]()
    with lend_node('swarm stop', 'operator.operator_nodes:OperatorNode', namespace) as node:
        from soliton_encirclement_ros.cli.operator.stop_session import give_order

        outcome = give_order(node, scopes, stops, within, '', expected)
        code = conclude_order(node, scopes, outcome, stops, str, complaints.append)
    if code:
        reasons = {name: [why] for name, why in outcome.missing.items()}
        raise OrderError('; '.join(complaints), reasons)
    return outcome.confirmed
