"""Checks of the computer: Python, clock, processor, disk, compiled laws."""

import ctypes
import os
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from velocity_mobility_ros.core.user_errors import MobilityError

OK, WARNING, ERROR = 'ok', 'warning', 'error'


class Check(NamedTuple):
    """What was looked at.

    Attributes:
        name: What it is.
        value: How it is.
        verdict: ``error``: it will stop a flight; ``warning``: it may; ``ok``.
        cure: What is wrong and what to do, or what is worth knowing.
    """

    name: str
    value: str
    verdict: str = OK
    cure: str = ''


def worst(checks: list[Check]) -> str:
    """Return the worst verdict."""
    verdicts = {check.verdict for check in checks}
    return next((verdict for verdict in (ERROR, WARNING) if verdict in verdicts), OK)


def check_by_rules(
    name: str, value: str, *rules: Callable[[], object], lines: Callable[[], list[str]]
) -> Check:
    """Return a check that is an error if a rule refuses, else a warning if there are lines.

    Args:
        name: What it is.
        value: How it is.
        *rules: Raise a ``MobilityError`` that says what is wrong and what to do.
        lines: Returns what is worth a warning, where no rule refuses.
    """
    for rule in rules:
        try:
            rule()
        except MobilityError as error:
            return Check(name, value, ERROR, str(error))
    warnings = lines()
    return Check(name, value, WARNING if warnings else OK, '; '.join(warnings))


OLDEST = (3, 10)
"""The oldest Python that works."""

GIGA = 1e9

LITTLE, TOO_LITTLE = 1.0 * GIGA, 0.1 * GIGA
"""Free disk space [bytes] below which a flight may not, or will not, be recorded."""

UNSYNCHRONISED = 5
"""What the kernel answers while nothing sets its clock (TIME_ERROR)."""

CHRONY = 'install chrony on all computers of the swarm (docs/how_to/swarm_by_hand.md)'


class Timex(ctypes.Structure):
    """The state of the kernel's clock: the fields that are read here, and padding."""

    _fields_ = (
        ('modes', ctypes.c_uint),
        ('offset', ctypes.c_long),
        ('freq', ctypes.c_long),
        ('maxerror', ctypes.c_long),
        ('rest', ctypes.c_char * 256),
    )


def python_check() -> Check:
    """Check the interpreter."""
    value = f'{platform.python_version()}, {sys.executable}'
    if sys.version_info < OLDEST:
        wanted = '.'.join(map(str, OLDEST))
        return Check('Python', value, ERROR, f'it must be {wanted} or newer: install one')
    return Check('Python', value)


def clock_check() -> Check:
    """Check whether something keeps the clock of this computer right."""
    ask = getattr(ctypes.CDLL(None), 'adjtimex', None) if sys.platform == 'linux' else None
    if ask is None:
        return Check('clock', 'not known', WARNING, f'see that it is synchronised: {CHRONY}')
    timex = Timex()
    state = ask(ctypes.byref(timex))
    if state < 0 or state == UNSYNCHRONISED:
        return Check('clock', 'not synchronised', WARNING, f'with several computers: {CHRONY}')
    return Check('clock', f'synchronised, wrong by {timex.maxerror / 1e3:.0f} ms at most')


def load() -> tuple[float, float]:
    """Return the cores, and how many were busy in the last minute."""
    from soliton_encirclement_ros.core.run.machine_resources import usable_cores

    return usable_cores(), os.getloadavg()[0]


def processor_check() -> Check:
    """Check that the processor is free for a flight."""
    cores, busy = load()
    value = f'{cores:g} cores, {busy:.1f} busy in the last minute'
    if busy > cores:
        return Check('processor', value, WARNING, 'ticks may be late: end other programs')
    return Check('processor', value)


def disk_check() -> Check:
    """Check that a flight can be recorded in the working folder."""
    from soliton_encirclement_ros.core.run.machine_resources import free_disk

    folder = Path()
    free = free_disk(folder)
    if free is None:
        return Check('disk', 'not known')
    value = f'{free / GIGA:.1f} GB free in {Path.cwd()}'
    if not os.access(folder, os.W_OK):
        return Check('disk', value, WARNING, 'it cannot be written: go to another folder')
    verdict = ERROR if free < TOO_LITTLE else WARNING
    if free < LITTLE:
        return Check('disk', value, verdict, 'a flight may not be recorded: make room')
    return Check('disk', value)


def compiled_laws_check() -> Check:
    """Check whether all that flies has been compiled."""
    from soliton_encirclement_ros.sim.compilation.numba_import import numba_trouble

    if trouble := numba_trouble():
        return Check('compiled laws', 'none', WARNING, trouble)
    from soliton_encirclement_ros.cli.warm_up import everything
    from soliton_encirclement_ros.sim.compilation.code_cache import CACHE, cache_folder, cache_root
    from soliton_encirclement_ros.sim.compilation.compiled import to_compile

    programs = everything()
    missing = len(to_compile(programs))
    value = f'{len(programs) - missing} of {len(programs)}'
    if cache_folder('') is None:
        cure = f'nothing can be stored: set {CACHE} to a writable folder'
        return Check('compiled laws', value, WARNING, cure)
    value += f' in {cache_root()}'
    if missing:
        cure = 'the first run with many agents, or without ROS, waits for minutes: swarm warm-up'
        return Check('compiled laws', value, WARNING, cure)
    return Check('compiled laws', value)
