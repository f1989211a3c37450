"""The command line of a node, and errors of ROS that wrong input causes, in one line.

A node takes the arguments of ROS, and ``--help``.
"""

import argparse
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import rclpy
from rclpy.qos_overriding_options import InvalidQosOverridesError
from rclpy.utilities import remove_ros_args

from velocity_mobility_ros.core.user_errors import StartupError, is_undecoded, shown

KINDS = (
    rclpy.exceptions.InvalidParameterException,
    rclpy.exceptions.InvalidParameterTypeException,
    rclpy.exceptions.InvalidParameterValueException,
    rclpy.exceptions.InvalidNamespaceException,
    rclpy.exceptions.InvalidNodeNameException,
    rclpy.exceptions.InvalidTopicNameException,
    InvalidQosOverridesError,
)

RCL_ERRORS = ('RCLError', 'RCLInvalidROSArgsError', 'UnknownROSArgsError')
"""Names of error types that rclpy does not export."""

PLACE = re.compile(r',? at \S+\.(c|cpp|h|hpp):\d+')
"""Source location of an error of ROS."""

NO_ENCLAVE = (
    '; with ROS_SECURITY_ENABLE=true set ROS_SECURITY_KEYSTORE to a keystore that has an enclave '
    'for this node, or ROS_SECURITY_ENABLE to false'
)

ARGUMENTS = (
    'after --ros-args come -p NAME:=VALUE, -r FROM:=TO, -r __ns:=/NAME, --params-file FILE and '
    '--log-level LEVEL; `swarm scenario parameters` lists the parameters'
)


def start_error(error: Exception) -> str | None:
    """Return one line for an error of ROS caused by wrong input, None for any other."""
    if isinstance(error, KINDS) or type(error).__name__ in RCL_ERRORS:
        line = PLACE.sub('', ' '.join(str(error).split())).removesuffix(' ^')
        is_secured = os.environ.get('ROS_SECURITY_ENABLE') == 'true'
        return line + NO_ENCLAVE if is_secured and line.endswith('error not set') else line
    return None


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Convert errors of ROS caused by wrong input into one-line errors.

    Raises:
        StartupError: It was such an error.
    """
    try:
        yield
    except Exception as error:
        line = start_error(error)
        if line is None:
            raise
        raise StartupError(line) from None


def read_arguments(argv: Sequence[str], meaning: str) -> None:
    """Refuse arguments that are not for ROS, which a node does not have; print the help if asked.

    Args:
        argv: The command line.
        meaning: Purpose of the node in one line.

    Raises:
        StartupError: An argument is not UTF-8, which ROS requires.
        SystemExit: The help was asked for, or an argument is none.
    """
    for argument in argv:
        if is_undecoded(argument):
            raise StartupError(f'argument {shown(argument)} is not UTF-8 text')
    with one_line_errors():
        plain = remove_ros_args(argv)[1:]
    parser = argparse.ArgumentParser(
        description=meaning, usage='%(prog)s --ros-args ...', epilog=ARGUMENTS
    )
    unknown = parser.parse_known_args(plain)[1]
    if unknown:
        print(f'error: unknown argument {shown(unknown[0])}: {ARGUMENTS}', file=sys.stderr)
        sys.exit(2)
