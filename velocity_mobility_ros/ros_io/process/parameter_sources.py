"""Parameters given to a process by ``-p`` and ``--params-file``, and those that ROS ignores.

rcl keeps one list for each name of a section, in the order in which the names first come, and in
each list one value of each type, of which it selects one by its type. So what is given last is not
always what is used.

A node tells the parameters that differ from their defaults, and where each comes from, in one line
of its log, and in the table of its run if there is one.
"""

import itertools
import os
import tempfile
from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from rclpy.node import Node

from velocity_mobility_ros.core.environment.parameter_files import (
    TABLE,
    Changed,
    Section,
    add_rows,
    is_value,
    no_section,
    read_sections,
    section_warnings,
    value_of,
)
from velocity_mobility_ros.core.parameter_declaration import is_missing
from velocity_mobility_ros.core.user_errors import ParameterError, StartupError, cut, shown
from velocity_mobility_ros.ros_io.live_parameters import change_text
from velocity_mobility_ros.ros_io.ros_parameters import QOS, USE_SIM_TIME, declared, given_values

LAUNCH, COMMAND_LINE = 'launch', 'command line'
OF_LAUNCH = str(Path(tempfile.gettempdir(), 'launch_params_'))
"""How the paths begin of files in which launch gives the parameters of a launch file."""

ANY = '/**'
SET_ITSELF = 'which the run gives to its nodes: change the scenario (set:=SECTION.KEY=VALUE)'


class Source(NamedTuple):
    """Where parameters come from.

    Attributes:
        origin: A file, ``LAUNCH`` or ``COMMAND_LINE``.
        sections: The sections of the file; the one of ``-p``.
    """

    origin: str
    sections: Sequence[Section]


class Given(NamedTuple):
    """A value for one node.

    Attributes:
        origin: Where it comes from.
        section: Name of the section.
        value: The value, as written.
    """

    origin: str
    section: str
    value: yaml.Node


def sources_of(arguments: Sequence[str]) -> list[Source]:
    """Return what gives parameters, in the order of a command line that rcl has accepted.

    A pipe, which rcl has read to its end, is left out.

    Raises:
        ParameterError: A file cannot be read.
    """
    found = []
    is_of_ros = False
    for flag, rule in itertools.pairwise([*arguments, '']):
        if flag in ('--ros-args', '--'):
            is_of_ros = flag == '--ros-args'
        elif is_of_ros and flag in ('-p', '--param') and ':=' in rule:
            found.append(Source(COMMAND_LINE, [_of_rule(rule)]))
        elif is_of_ros and flag == '--params-file' and os.path.isfile(rule):
            origin = LAUNCH if rule.startswith(OF_LAUNCH) else rule
            found.append(Source(origin, read_sections(Path(rule))))
    return found


def _of_rule(rule: str) -> Section:
    """Return what ``-p NAME:=VALUE`` or ``-p NODE:NAME:=VALUE`` gives."""
    name, _, text = rule.partition(':=')
    node, _, name = name.rpartition(':')
    try:
        value = yaml.compose(text, yaml.SafeLoader)
    except yaml.YAMLError:  # which rcl has read, as a text
        value = None
    return Section(node or ANY, {name: value or yaml.ScalarNode('', text)})


def refuse_without_section(sources: Sequence[Source], nodes: Sequence[str]) -> list[str]:
    """Refuse files that are for none of the nodes of a process, and ``-p`` for another node.

    A launch may give one file to many processes, so in one of those this is a warning.

    Args:
        sources: What gives parameters.
        nodes: Full names of the nodes.

    Returns:
        Warnings, also of sections that are for no node of this package.

    Raises:
        StartupError: There is such a file.
    """
    warnings = []
    for origin, sections in sources:
        fault = no_section(origin, sections, nodes)
        if origin == COMMAND_LINE and fault:
            (section,) = sections
            (name,) = section.values
            fault = (
                f'-p {section.name}:{name} is for /{section.name}, and this is '
                f'{", ".join(nodes)}: write -p {name}:=VALUE'
            )
        if fault and not is_launched():
            raise StartupError(fault)
        warnings += [fault] if fault else section_warnings(origin, sections, nodes)
    return warnings


def is_launched() -> bool:
    """Return whether ``ros2 launch`` has started this process."""
    try:
        words = Path(f'/proc/{os.getppid()}/cmdline').read_bytes().split(b'\0')
    except OSError:
        return False
    names = [os.path.basename(word) for word in words]
    return (b'ros2', b'launch') in itertools.pairwise(names)


def given_to(node: str, sources: Sequence[Source]) -> dict[str, list[Given]]:
    """Return all values that are given to a node, by name of the parameter, the last one last."""
    found: dict[str, list[Given]] = {}
    for origin, section in _sections(sources):
        if section.is_for(node):
            for name, value in section.values.items():
                found.setdefault(name, []).append(Given(origin, section.name, value))
    return found


def _sections(sources: Sequence[Source]) -> Iterator[tuple[str, Section]]:
    return ((origin, section) for origin, sections in sources for section in sections)


def refuse_lost(
    node: str,
    given: Mapping[str, Sequence[Given]],
    used: Mapping[str, Any],
    set_values: Container[str],
) -> None:
    """Refuse values that ROS ignores in favour of others: the last one given counts.

    Args:
        node: Full name of the node.
        given: What is given to it.
        used: The values that ROS uses.
        set_values: Names of those that the program sets itself, such as those of a scenario.

    Raises:
        ParameterError: There is one; the message says what to write instead.
    """
    for name, values in given.items():
        if name not in used:
            raise ParameterError(
                f'{node}: {name} in section {values[-1].section} of {values[-1].origin} is lost: '
                f'ROS misreads a second node below a namespace; write {node} as one key'
            )
        typed = [one for one in values if one.origin == COMMAND_LINE]
        for one in [*typed[-1:], *([] if name in set_values else values[-1:])]:
            if not is_value(one.value, used[name]):
                why = SET_ITSELF if name in set_values else _reason(one, values, used[name])
                raise ParameterError(
                    f'{node}: {name} = {cut(str(one.value.value))} ({one.origin}) is ignored: '
                    f'ROS uses {shown(used[name])}, {why}'
                )


def _reason(lost: Given, values: Sequence[Given], used: Any) -> str:
    """Return where the value in use comes from, why, and what to do about it."""
    taken = next((one for one in reversed(values) if is_value(one.value, used)), lost)
    if values.index(taken) > values.index(lost):
        return f'given after it ({taken.origin}); leave one of them out'
    if type(value_of(lost.value)) is not type(used):
        return (
            f'given before ({taken.origin}) with another type; give both with the same type, '
            'numbers all with or all without a decimal point, none as .nan'
        )
    return (
        f'given before ({taken.origin}) in section {taken.section}, which overrides '
        f'{lost.section} here; give both in one section'
    )


RUN = 'run'
"""Where values come from that the program sets itself: the scenario and options of a run."""

OF_ROS = {USE_SIM_TIME: False, 'start_type_description_service': True}
"""Defaults of the parameters that ROS itself declares."""

PIPE = 'pipe'
"""Where values come from that are in no file that can be read a second time."""

IN_VAIN = ', not'


def check_parameters(node: Node, sources: Sequence[Source] = (), table: str = '') -> None:
    """Refuse values that ROS ignores, and tell those in force that are not the defaults.

    Args:
        node: The node, all its parameters declared.
        sources: What gives parameters to its process.
        table: Path of the run's table; empty: that of the environment, if there is one.

    Raises:
        ParameterError: A value is ignored.
    """
    name = node.get_fully_qualified_name()
    given = given_to(name, sources)
    refuse_lost(name, given, given_values(node), _set_values(node))
    changed = changed_parameters(node, given)
    told = [
        f'{_text(one)} ({one.origin})'
        for one in changed
        if not one.parameter.startswith(QOS)  # dozens in a file of `ros2 param dump`
    ]
    if told:
        node.get_logger().info(f'parameters that differ from the defaults: {"; ".join(told)}')
    rows = [one for one in changed if one.origin != RUN]  # those of the scenario are there already
    add_rows(name, rows, table or os.environ.get(TABLE, ''))


def changed_parameters(node: Node, given: Mapping[str, Sequence[Given]]) -> list[Changed]:
    """Return the parameters that are not at their defaults, in the order of their declaration.

    Args:
        node: The node.
        given: What files and command line give to it.
    """
    known, values, found = declared(node), given_values(node), []
    for name in dict.fromkeys([*filter(values.__contains__, known), *values]):
        value, default, unit = values[name], OF_ROS.get(name, ''), ''
        if name in known:
            default, unit = known[name].default, known[name].unit
            value = None if known[name].optional and is_missing(value) else value
        origin = _origin(given.get(name, ()), values[name], name in _set_values(node))
        if value != default or IN_VAIN in origin:
            found.append(Changed(name, value, default, unit, origin))
    return found


def _set_values(node: Node) -> set[str]:
    return getattr(node, 'set_values', set())


def _text(one: Changed) -> str:
    if one.value == one.default:
        return f'{one.parameter} stays {one.value} {one.unit}'.rstrip()
    return change_text(one.parameter, one.default, one.value, one.unit)


def _origin(given: Sequence[Given], used: Any, is_set: bool) -> str:
    """Return where a value comes from, and what a user has given in vain to a node of a run."""
    origin = RUN if is_set else given[-1].origin if given else PIPE
    lost = [one for one in given if one.origin != LAUNCH and not is_value(one.value, used)]
    if lost and origin in (RUN, LAUNCH):
        return f'{origin}{IN_VAIN} {lost[-1].value.value} of {lost[-1].origin}'
    return origin
