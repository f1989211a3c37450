"""One-line errors, with advice, for errors of ROS caused by wrong input, and the command line.

A node takes the arguments of ROS, and ``--help``.
"""

import errno
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import rclpy
from rclpy.qos_overriding_options import InvalidQosOverridesError

from velocity_mobility_ros.core.environment.parameter_files import why_unread
from velocity_mobility_ros.core.user_errors import (
    ShortageError,
    StartupError,
    is_undecoded,
    shortage,
    shown,
)

KINDS = (
    rclpy.exceptions.InvalidParameterException,
    rclpy.exceptions.InvalidParameterTypeException,
    rclpy.exceptions.InvalidParameterValueException,
    rclpy.exceptions.InvalidNamespaceException,
    rclpy.exceptions.InvalidNodeNameException,
    rclpy.exceptions.InvalidTopicNameException,
    InvalidQosOverridesError,
)

RCL_ERRORS = ('RCLError', 'RCLInvalidROSArgsError')
"""Names of error types that rclpy does not export."""

UNKNOWN = 'UnknownROSArgsError'

PLACE = re.compile(r',? at \S+\.(c|cpp|h|hpp):\d+')
"""Source location of an error of ROS."""

PARSER = re.compile(r'\.? Error: Expected lexeme type.*')
"""Internal detail of the argument parser."""

NO_REASON = '. Error: error not set'
"""What rcl says where it has no reason."""

PARAMS_FILE = re.compile(r"params file: '--params-file (.*?)'(\. |$)")

NAMESPACE = re.compile(r"remap rule: .*__ns:=([^']*)'")

ARGUMENTS = (
    'after --ros-args come -p NAME:=VALUE, -r FROM:=TO, --params-file FILE and --log-level LEVEL'
)

ADVICE = {
    'aliasing': 'parameter files of ROS have no anchors (&, *, <<): write the values out',
    'parameter override rule': (
        'a parameter is given as -p NAME:=VALUE, a text with a colon as -p \'NAME:="A: B"\', '
        'an empty one as -p NAME:="\'\'"'
    ),
    'remap rule': 'a name is changed by -r FROM:=TO, the namespace by -r __ns:=/NAME',
    'invalid node namespace': 'give it another by -r __ns:=/NAME, of at most 180 characters',
    'params file': 'it must be a YAML file of parameters',
    'log level': 'it must be debug, info, warn, error or fatal, or LOGGER:=LEVEL',
    'get logging directory': 'set HOME, or ROS_LOG_DIR to a folder for the log',
    'Unable to resolve peer': (
        'ROS_STATIC_PEERS is a list of computers, by address or name, separated by ; without '
        'spaces and ports'
    ),
    'create log directory': 'set ROS_LOG_DIR to a folder that can be written',
}
"""Advice, by a part of the error text of rcl."""

LIMITS = {
    errno.EMFILE: 'too many open files for this process: raise the limit (ulimit -n)',
    errno.ENFILE: 'too many open files on this machine: close other programs',
}
"""Exhausted resource and advice, by error number."""


def start_error(error: Exception) -> str | None:
    """Return one line for an error of ROS caused by wrong input, None for any other.

    A lack of memory, threads or files counts as wrong input.
    """
    if (line := shortage(error)) is not None:
        return line
    kind = type(error).__name__
    if kind == UNKNOWN:
        return f'unknown ROS argument {error}: {ARGUMENTS}'
    if kind in RCL_ERRORS:
        return _with_advice(_plain(str(error)))
    if isinstance(error, KINDS):
        return _plain(str(error))
    return LIMITS.get(error.errno) if isinstance(error, OSError) else None


def _plain(text: str) -> str:
    """Return a text in one line, without source locations and position marks."""
    return PLACE.sub('', ' '.join(text.split())).removesuffix(' ^')


def _with_advice(text: str) -> str:
    """Return an error of rcl with advice."""
    text = PARSER.sub('', text).strip(' .')
    if text.endswith('error not set') and os.environ.get('ROS_SECURITY_ENABLE') == 'true':
        return f'{text}; {_security()}'
    text = text.removesuffix(NO_REASON)
    if (file := PARAMS_FILE.search(text)) and (reason := why_unread(file[1])):
        return f'--params-file {reason}'
    hints = [hint for sign, hint in ADVICE.items() if sign in text]
    if namespace := _namespace(text):
        hints = [namespace]
    return '; '.join([text, *hints[:1]])


def _namespace(text: str) -> str:
    """Return what is wrong with the namespace of a rule that rcl refuses; empty if not known."""
    given = NAMESPACE.search(text)
    meant = re.sub(r'[^\w/]', '_', f'/{given[1].strip("/")}', flags=re.ASCII) if given else ''
    if not given or meant == given[1]:
        return ''
    return f'a namespace begins with / and has only letters, digits, _ and /: write {meant}'


def _security() -> str:
    """Return the SROS2 settings of the environment, with advice."""
    strategy = os.environ.get('ROS_SECURITY_STRATEGY', '')
    store = os.environ.get('ROS_SECURITY_KEYSTORE', '')
    return (
        f'ROS_SECURITY_ENABLE=true, ROS_SECURITY_STRATEGY={strategy!r}, '
        f'ROS_SECURITY_KEYSTORE={store!r}: set ROS_SECURITY_KEYSTORE to a keystore that has an '
        'enclave for this node, or ROS_SECURITY_ENABLE to false'
    )


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Convert errors of ROS caused by wrong input into one-line errors.

    Raises:
        ShortageError: There is too little memory, or there are no threads left.
        StartupError: It was any other such error.
    """
    try:
        yield
    except Exception as error:
        line = start_error(error)
        if line is None:
            raise
        kind = StartupError if shortage(error) is None else ShortageError
        raise kind(line) from None


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
