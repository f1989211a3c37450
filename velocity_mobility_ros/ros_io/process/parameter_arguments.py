"""Parameters given by ``-p`` on a node's command line, and which of them ROS loses.

A parameter file and ``-p`` may give one parameter values of two types; rcl keeps both and takes
one of them by its type, not by who came last.
"""

import itertools
import math
import re
from collections.abc import Sequence

TRUTHS = ('true', 'false', 'yes', 'no', 'on', 'off', 'y', 'n')

OF_C = re.compile(r'[-+]?0(x[0-9a-f]+|[0-7]+)')
"""Hexadecimal and octal numbers."""


def told_parameters(arguments: Sequence[str]) -> dict[str, str]:
    """Return what ``-p NAME:=VALUE`` says last of every parameter, as it was typed.

    Those for a single node by its name, ``-p NODE:NAME:=VALUE``, are left out.
    """
    told: dict[str, str] = {}
    is_of_ros = False
    for flag, rule in itertools.pairwise([*arguments, '']):
        if flag in ('--ros-args', '--'):
            is_of_ros = flag == '--ros-args'
        elif is_of_ros and flag in ('-p', '--param'):
            name, given, value = rule.partition(':=')
            if given and ':' not in name:
                told[name] = value
    return told


def is_lost(text: str, value: object) -> bool:
    """Say whether a text is not what a parameter has got.

    ROS keeps one value of each type that it was told, in files and on the command line. It takes a
    truth value before a whole number, that before any other, and a text last, in any order.
    """
    if isinstance(value, bool):
        return text.strip().lower() not in TRUTHS
    if isinstance(value, (int, float)):
        return not _is_number(text, float(value))
    return False


def _is_number(text: str, value: float) -> bool:
    """Say whether a text is how people write a number; spellings of C count as right."""
    text = text.strip().strip('"\'').lower().replace('.nan', 'nan').replace('.inf', 'inf')
    if OF_C.fullmatch(text):
        return True
    try:
        told = float(text)
    except ValueError:
        return False
    return told == value or (math.isnan(told) and math.isnan(value))
