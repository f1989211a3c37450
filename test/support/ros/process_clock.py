"""For tests that set the clock of one process, as if the whole computer had been set."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

SOURCE = Path(__file__).with_name('clock_step.c')


def compile_clock(folder: Path) -> Path | None:
    """Compile the library that such a process loads; None without a C compiler."""
    folder.mkdir(parents=True, exist_ok=True)
    library = folder / 'clock_step.so'
    command = ('cc', '-shared', '-fPIC', '-O1', '-o', str(library), str(SOURCE), '-ldl', '-lm')
    try:
        subprocess.run(command, check=True, capture_output=True)
    except FileNotFoundError:
        return None
    return library


def clock_environment(library: Path, file: Path) -> Mapping[str, str]:
    """Return the variables of a process whose clock a file sets."""
    return {'LD_PRELOAD': str(library), 'CLOCK_STEP_FILE': str(file)}


def set_clock(file: Path, ahead: float) -> None:
    """Set the clock of the process of a file ahead of that of the computer [s]."""
    new = file.with_suffix('.new')
    new.write_text(f'{ahead:.6f}\n')
    new.rename(file)
