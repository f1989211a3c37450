"""``swarm warm-up``: compile ahead what flights, sweeps, fits and large runs need."""

import functools
import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from soliton_encirclement_ros.cli.output import WRONG_INPUT, print_error, say
from soliton_encirclement_ros.cli.views.compilation_progress import compile_in_parallel
from soliton_encirclement_ros.controllers import Setup
from soliton_encirclement_ros.core.run.finished_run import FAILED
from soliton_encirclement_ros.core.scenario.scenario import load_scenario
from soliton_encirclement_ros.core.scenario.user_files import share_folder
from soliton_encirclement_ros.members.own_rules import OwnVehicle
from soliton_encirclement_ros.sim.compilation import loaded_code
from soliton_encirclement_ros.sim.compilation.agent_rows import (
    agent_programs, load_agents, usual_agent
)
from soliton_encirclement_ros.sim.compilation.code_cache import (
    CACHE, cache_folder, cache_root, digest_of, is_cached
)
from soliton_encirclement_ros.sim.compilation.compiled import compiled
from soliton_encirclement_ros.sim.compilation.numba_import import has_numba
from velocity_mobility_ros.core.velocity_model import MobilityParameters

MEGABYTE = 1e6

NODE_LAWS = 'predictive', 'soliton'
"""Laws of nodes whose code is compiled ahead."""


def warm_up() -> int:
    """Compile the laws ahead of their first use; exit with 1 if they cannot be stored."""
    if not has_numba():
        return WRONG_INPUT
    programs = everything()
    folders = [cache_folder(digest_of(program)) for program in programs]
    if None in folders:
        return _fail()
    began = time.monotonic()
    fresh = compile_in_parallel(programs, tasks(), len(os.sched_getaffinity(0)))
    if not all(map(is_cached, folders)):
        return _fail()
    used = sum(_bytes(folder) for folder in set(folders) if folder is not None)
    spent = f'{fresh} compiled in {time.monotonic() - began:.0f} s' if fresh else 'all up to date'
    say(f'{len(programs)} compiled programs: {spent}')
    say(
        f'kept in {_root()}: {used / MEGABYTE:.1f} MB in use, {_bytes(_root()) / MEGABYTE:.1f} MB '
        'with earlier versions; it may be deleted at any time'
    )
    return 0


def _fail() -> int:
    """Report that compiled code cannot be stored."""
    print_error(
        f'{_root()}: compiled code cannot be stored there; set {CACHE} to a writable folder'
    )
    return FAILED


def everything() -> list[Callable]:
    """Return what is compiled: for all laws and installed scenarios, for nodes, and for fits."""
    from soliton_encirclement_ros.analysis.fit import roll_out

    agent_code = [program for agent in usual_agents() for program in agent_programs(agent)]
    return list(dict.fromkeys([*loaded_code.programs(flight_kinds()), *agent_code, roll_out]))


@functools.cache
def flight_kinds() -> list[loaded_code.FlightKind]:
    """Return the kinds of flights that are compiled for: every law, every installed scenario."""
    paths = sorted((share_folder() / 'config' / 'scenarios').glob('*.yaml'))
    installed = (loaded_code.flight_kind(load_scenario(path)) for path in paths)
    return list(dict.fromkeys([*loaded_code.EVERY, *installed]))


def usual_agents() -> list[OwnVehicle]:
    """Return the agents in nodes that are compiled for: of the two usual laws."""
    return [usual_agent(law, Setup().propagation.propagation_method) for law in NODE_LAWS]


def tasks() -> list[Callable[[], object]]:
    """Return what compiles everything, in parts for several processes, the longest ones first.

    The first flight of a kind compiles vehicle and filter, too, so other kinds come last: they
    find these in the cache.
    """
    first = loaded_code.DEFAULT
    law_kinds = [kind for kind in loaded_code.EVERY if kind.program is first.program]
    others = [kind for kind in flight_kinds() if kind not in law_kinds]
    programs = {kind.program: kind for kind in others if kind.program is not first.program}
    vehicles = [kind for kind in others if kind.program is first.program]
    return [
        functools.partial(loaded_code.get_ready, [first]),
        *(functools.partial(loaded_code.compile_law, kind) for kind in law_kinds),
        *(functools.partial(loaded_code.get_ready, [kind]) for kind in programs.values()),
        *(functools.partial(loaded_code.get_ready, [kind]) for kind in vehicles),
        *(functools.partial(load_agents, agent) for agent in usual_agents()),
        _compile_roll_out,
    ]


def _compile_roll_out() -> None:
    """Compile what a fit calls."""
    from soliton_encirclement_ros.analysis.fit import roll_out

    nothing = np.empty((0, 3))
    no_stretch, no_time = np.zeros(1, dtype=np.int64), np.empty(0)
    limits = MobilityParameters().limits
    compiled(roll_out)(no_stretch, nothing, nothing, no_time, limits, nothing)


def _root() -> Path:
    try:
        return cache_root()
    except RuntimeError:
        return Path('~/.cache')


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob('*') if path.is_file())
