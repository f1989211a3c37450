"""Errors of ROS that stem from wrong input, in one line: what was wrong, and what to do."""

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

import rclpy
from rclpy.qos_overriding_options import InvalidQosOverridesError

from velocity_mobility_ros.core.errors import StartupError
from velocity_mobility_ros.core.shortage import ShortageError, shortage

KINDS = (
    rclpy.exceptions.InvalidParameterException,
    rclpy.exceptions.InvalidParameterTypeException,
    rclpy.exceptions.InvalidParameterValueException,
    rclpy.exceptions.InvalidNamespaceException,
    rclpy.exceptions.InvalidNodeNameException,
    rclpy.exceptions.InvalidTopicNameException,
    InvalidQosOverridesError,
)

OF_RCL = ('RCLError', 'RCLInvalidROSArgsError')
"""Names of errors that rclpy does not export."""

UNKNOWN = 'UnknownROSArgsError'

PLACE = re.compile(r',? at \S+\.(c|cpp|h|hpp):\d+')
"""Where in the sources of ROS an error was raised."""

PARSER = re.compile(r'\.? Error: Expected lexeme type.*')
"""What the parser of arguments says about itself."""

ARGUMENTS = (
    'after --ros-args come -p NAME:=VALUE, -r FROM:=TO, --params-file FILE and --log-level LEVEL'
)

ADVICE = {
    'parameter override rule': (
        'a parameter is given as -p NAME:=VALUE, a text with a colon as -p \'NAME:="A: B"\', '
        'an empty one as -p NAME:="\'\'"'
    ),
    'remap rule': 'a name is changed by -r FROM:=TO, the namespace by -r __ns:=/NAME',
    'invalid node namespace': 'give it another by -r __ns:=/NAME, of at most 180 characters',
    'params file': 'it must be a YAML file of parameters',
    'log level': 'it must be debug, info, warn, error or fatal, or LOGGER:=LEVEL',
    'rcutils_expand_user': 'set HOME, or ROS_LOG_DIR to a folder for the log',
    'create log directory': 'set ROS_LOG_DIR to a folder that can be written',
}
"""What to do, by what an error of rcl mentions."""

LIMITS = {
    errno.EMFILE: 'too many open files for this process: raise the limit (ulimit -n)',
    errno.ENFILE: 'too many open files on this machine: close other programs',
}
"""What the system has too little of, by the number of the error."""


def start_error(error: Exception) -> str | None:
    """Return one line for an error of ROS that stems from wrong input, None for any other.

    A process that has too little of something counts as wrong input.
    """
    if (line := shortage(error)) is not None:
        return line
    kind = type(error).__name__
    if kind == UNKNOWN:
        return f'unknown ROS argument {error}: {ARGUMENTS}'
    if kind in OF_RCL:
        return _of_rcl(_plain(str(error)))
    if isinstance(error, KINDS):
        return _plain(str(error))
    return LIMITS.get(error.errno) if isinstance(error, OSError) else None


def _plain(text: str) -> str:
    """Return a text in one line, without places in sources and marks below a character."""
    return PLACE.sub('', ' '.join(text.split())).removesuffix(' ^')


def _of_rcl(text: str) -> str:
    """Add to an error of rcl what to do about it."""
    text = PARSER.sub('', text).strip(' .')
    if text.endswith('error not set') and os.environ.get('ROS_SECURITY_ENABLE') == 'true':
        return f'{text}; {_security()}'
    hints = [hint for sign, hint in ADVICE.items() if sign in text]
    return '; '.join([text, *hints[:1]])


def _security() -> str:
    """Return what the environment asks of SROS2, and how to meet it."""
    strategy = os.environ.get('ROS_SECURITY_STRATEGY', '')
    store = os.environ.get('ROS_SECURITY_KEYSTORE', '')
    return (
        f'ROS_SECURITY_ENABLE=true, ROS_SECURITY_STRATEGY={strategy!r}, '
        f'ROS_SECURITY_KEYSTORE={store!r}: set ROS_SECURITY_KEYSTORE to a keystore that has an '
        'enclave for this node, or ROS_SECURITY_ENABLE to false'
    )


@contextmanager
def in_one_line() -> Iterator[None]:
    """Turn errors of ROS that stem from wrong input into one that people can mend.

    Raises:
        ShortageError: There is too little memory, or no thread is left.
        StartupError: There was any other such error.
    """
    try:
        yield
    except Exception as error:
        line = start_error(error)
        if line is None:
            raise
        kind = StartupError if shortage(error) is None else ShortageError
        raise kind(line) from None
