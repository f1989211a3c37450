"""``swarm warm-up``: compile ahead what flights, sweeps, fits and large runs need."""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import typer
from rich.console import Console
from velocity_mobility_ros.core.model import MobilityParameters

from soliton_encirclement_ros.cli.views.compiling import compile_visibly
from soliton_encirclement_ros.controllers import Setup
from soliton_encirclement_ros.core.run.run_outcome import FAILED
from soliton_encirclement_ros.sim.compilation import loaded_code
from soliton_encirclement_ros.sim.compilation.code_cache import (
    CACHE,
    cache_folder,
    cache_root,
    is_cached,
)
from soliton_encirclement_ros.sim.compilation.code_digest import digest_of
from soliton_encirclement_ros.sim.compilation.compiled import compiled
from soliton_encirclement_ros.sim.compilation.compiled_agent import agent_code, agent_programs
from soliton_encirclement_ros.sim.compilation.numba_import import has_numba

WRONG_INPUT = 2
MEGABYTE = 1e6


def warm_up() -> int:
    """Compile the laws ahead of their first use; exit with 1 if they cannot be stored."""
    if not has_numba():
        return WRONG_INPUT
    programs = everything()
    folders = [cache_folder(digest_of(one)) for one in programs]
    if None in folders:
        return _fail()
    began = time.monotonic()
    fresh = compile_visibly(programs, _load)
    if not all(map(is_cached, folders)):
        return _fail()
    used = sum(_bytes(folder) for folder in set(folders) if folder is not None)
    spent = f'{fresh} compiled in {time.monotonic() - began:.0f} s' if fresh else 'all up to date'
    console = Console()
    console.print(f'{len(programs)} compiled programs: {spent}', highlight=False)
    console.print(
        f'kept in {_root()}: {used / MEGABYTE:.1f} MB in use, {_bytes(_root()) / MEGABYTE:.1f} MB '
        'with earlier versions; it may be deleted at any time',
        highlight=False, soft_wrap=True,
    )  # fmt: skip
    return 0


def _fail() -> int:
    """Report that compiled code cannot be stored."""
    typer.echo(
        f'error: {_root()}: compiled code cannot be stored there; set {CACHE} to a writable '
        'folder', err=True,
    )  # fmt: skip
    return FAILED


def everything() -> list[Callable]:
    """Return what is compiled: all laws for flights, the usual one for nodes, and the fit."""
    from soliton_encirclement_ros.analysis.fit import roll_out

    return [*loaded_code.programs(loaded_code.EVERY), *agent_programs(Setup(), True), roll_out]


def _load() -> None:
    """Call every program once."""
    from soliton_encirclement_ros.analysis.fit import roll_out

    loaded_code.get_ready(loaded_code.EVERY)
    agent_code(Setup(), True)
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
