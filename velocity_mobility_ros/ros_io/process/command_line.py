"""Command line of a node: arguments of ROS, and ``--help``."""

from collections.abc import Sequence
from pathlib import Path

from velocity_mobility_ros.core.errors import StartupError
from velocity_mobility_ros.core.shown import is_undecoded, shown
from velocity_mobility_ros.ros_io.process.start_errors import ARGUMENTS

HELP = ('-h', '--help')


def plain_arguments(argv: Sequence[str]) -> list[str]:
    """Return the arguments that are not for ROS, without the name of the program."""
    found, is_of_ros = [], False
    for argument in argv[1:]:
        if argument == '--ros-args' or (argument == '--' and is_of_ros):
            is_of_ros = argument == '--ros-args'
        elif not is_of_ros:
            found.append(argument)
    return found


def wants_help(argv: Sequence[str]) -> bool:
    """Return whether the help is requested."""
    return any(argument in HELP for argument in plain_arguments(argv))


def help_text(argv: Sequence[str], meaning: str) -> str:
    """Return the help of a node: its purpose, and how to set parameters.

    Args:
        argv: The command line.
        meaning: Purpose of the node in one line.
    """
    program = Path(argv[0]).name
    return (
        f'{meaning}\n\n'
        f'usage: {program} --ros-args [-r __ns:=/NAME] [-p NAME:=VALUE] [--params-file FILE]\n\n'
        'docs/parameters.md lists the parameters; so does `swarm scenario parameters`, and for a '
        'running node\n`ros2 param describe`.'
    )


def refuse_plain(argv: Sequence[str]) -> None:
    """Refuse arguments that would have no effect.

    Raises:
        StartupError: There is one.
    """
    for argument in plain_arguments(argv):
        raise StartupError(f'unknown argument {shown(argument)}: {ARGUMENTS}')


def refuse_undecoded(arguments: Sequence[str]) -> None:
    """Refuse arguments that are not UTF-8, which ROS requires.

    Raises:
        StartupError: There is one.
    """
    for argument in arguments:
        if not argument.isascii() and is_undecoded(argument):
            raise StartupError(
                f'argument {shown(argument)} is not UTF-8 text: write it in UTF-8, and use a '
                'UTF-8 locale such as C.UTF-8'
            )
