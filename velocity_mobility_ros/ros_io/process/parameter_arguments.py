"""Parameters given by ``-p`` on the command line, and which of them ROS ignores.

If a parameter file and ``-p`` give values of two types, rcl keeps both and selects one by its
type, not by its order.
"""

import itertools
import math
import re
from collections.abc import Sequence

BOOLEANS = ('true', 'false', 'yes', 'no', 'on', 'off', 'y', 'n')

C_INTEGER = re.compile(r'[-+]?0(x[0-9a-f]+|[0-7]+)')
"""Hexadecimal and octal integers."""


def command_line_parameters(arguments: Sequence[str]) -> dict[str, str]:
    """Return the last ``-p NAME:=VALUE`` of every parameter, as typed.

    Those for one node, ``-p NODE:NAME:=VALUE``, are left out.
    """
    found: dict[str, str] = {}
    is_of_ros = False
    for flag, rule in itertools.pairwise([*arguments, '']):
        if flag in ('--ros-args', '--'):
            is_of_ros = flag == '--ros-args'
        elif is_of_ros and flag in ('-p', '--param'):
            name, given, value = rule.partition(':=')
            if given and ':' not in name:
                found[name] = value
    return found


def is_lost(text: str, value: object) -> bool:
    """Return whether the value of a parameter is not the one of a text.

    ROS keeps one value per type from files and command line. It prefers booleans, then integers,
    then floats, then texts, in any order of writing.
    """
    if isinstance(value, bool):
        return text.strip().lower() not in BOOLEANS
    if isinstance(value, (int, float)):
        return not _is_number(text, float(value))
    return False


def _is_number(text: str, value: float) -> bool:
    """Return whether a text is a number of this value; hexadecimal and octal ones are accepted."""
    text = text.strip().strip('"\'').lower().replace('.nan', 'nan').replace('.inf', 'inf')
    if C_INTEGER.fullmatch(text):
        return True
    try:
        number = float(text)
    except ValueError:
        return False
    return number == value or (math.isnan(number) and math.isnan(value))
