"""The viewer of Rerun, without a window: keeps what it receives in a file, which is read here."""

import os
import subprocess
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import rerun_cli
from rerun.chunk import RrdReader
from rerun.error_utils import RerunWarning

from soliton_encirclement_ros.cli.streams.rerun_sink import TIMELINE
from support.cli import wait_until

PROGRAM = Path(rerun_cli.__file__).with_name('rerun')

STARTED = 'RecordingInfo:start_time'

Logged = dict[str, dict[str, list[tuple[float, Any]]]]
"""Times [s] and values by entity and component."""


@contextmanager
def viewer(path: Path, port: int) -> Iterator[None]:
    """Run a viewer that saves what it receives to a file, a moment later."""
    log = path.with_suffix('.log')
    command = [PROGRAM, '--save', path, '--bind', '127.0.0.1', '--port', str(port)]
    with log.open('wb') as out:
        process = subprocess.Popen(
            command, stdout=out, stderr=out, env={**os.environ, 'HOME': str(path.parent)}
        )
    try:
        wait_until(lambda: b'Listening' in log.read_bytes(), 'the viewer')
        yield
    finally:
        process.kill()
        process.wait()


def recordings(path: Path) -> list[Logged]:
    """Return the recordings in a file, also while more of it is written."""
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', RerunWarning)
        reader = RrdReader(path)
        try:
            return [_logged(reader.stream(store=recording)) for recording in reader.recordings()]
        except RuntimeError:  # half a message, the rest of which is to come
            return []


def blueprints(path: Path) -> int:
    """Return how many layouts a file has, also while more of it is written."""
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', RerunWarning)
        try:
            return len(RrdReader(path).blueprints())
        except RuntimeError:  # as above
            return 0


def _logged(chunks: Any) -> Logged:
    found: Logged = {}
    for chunk in chunks:
        rows = chunk.to_record_batch()
        entity = found.setdefault(chunk.entity_path, {})
        stamps = [0] * rows.num_rows
        if TIMELINE in rows.schema.names:
            stamps = rows[TIMELINE].cast('int64').to_pylist()
        for name in (name for name in rows.schema.names if ':' in name and name != STARTED):
            values = zip([1e-9 * stamp for stamp in stamps], rows[name].to_pylist(), strict=True)
            entity.setdefault(name, []).extend(values)
    return found
