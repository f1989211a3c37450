"""What is left of a flight when its process is killed, or the disk is full, in the middle."""

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from pyarrow import parquet

from soliton_encirclement_ros.core.run.run_folder import TARGET_CSV
from support.chunks import lively
from support.cli import REPOSITORY
from support.recorded.run_folder import read_table, stream_log_times
from support.sink_writer import STEP

FORMATS = ('csv', 'parquet', 'bag')
ENVIRONMENT = {**os.environ, 'PYTHONPATH': f'{REPOSITORY}:{REPOSITORY / "test"}'}


def writer(folder: Path, *formats: str) -> list[str]:
    """Return the command of a process that writes chunks."""
    return [sys.executable, '-m', 'support.sink_writer', str(folder), *formats]


def last_time(folder: Path, name: str) -> float:
    """Return the time [s] of the last sample that can be read."""
    if name == 'csv':
        text = (folder / TARGET_CSV).read_text()
        return float(text[: text.rindex('\n')].rsplit('\n', 1)[1].split(',')[0])
    if name == 'parquet':
        times = parquet.read_table(folder / 'target.parquet')['timestamp'].to_pylist()
        agents = parquet.read_table(folder / 'agents.parquet')['timestamp'].to_pylist()
        assert times == sorted(times)
        return min(times[-1], agents[-1])
    return max(stream_log_times(folder / 'bag' / 'bag.mcap')) / 1e9


def test_a_killed_process_costs_the_last_second(tmp_path: Path) -> None:
    """By the clock of the process, which the test advances from chunk to chunk."""
    told = []
    with subprocess.Popen(
        writer(tmp_path, *FORMATS), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env=ENVIRONMENT, cwd=tmp_path,
    ) as process:  # fmt: skip
        for _ in range(24):
            told.append(float(process.stdout.readline()))
            process.stdin.write('\n')
            process.stdin.flush()
        process.kill()
    assert process.returncode == -signal.SIGKILL
    second = round(1.0 / STEP)
    for name, chunks in (('csv', 0), ('parquet', second), ('bag', second)):
        assert last_time(tmp_path, name) >= told[-1 - chunks] > told[0], name


@pytest.fixture(scope='module')
def small_disk(tmp_path_factory: pytest.TempPathFactory):
    """Return a runner of a writer on a disk of some MB: its errors, and what it left, copied."""

    def run(name: str) -> tuple[str, Path]:
        disk, left = tmp_path_factory.mktemp('disk'), tmp_path_factory.mktemp('left')
        steps = [
            f'mount -t tmpfs -o size=4m none {disk} || exit 77',
            shlex.join(writer(disk, name)),
            f'cp -r {disk}/. {left}',
        ]
        done = subprocess.run(
            ['unshare', '--map-root-user', '--mount', 'sh', '-c', '\n'.join(steps)],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, env=ENVIRONMENT,
            check=False, timeout=60,
        )  # fmt: skip
        if 'unshare' in done.stderr or done.returncode == 77:
            pytest.skip(f'this machine lends no disk of its own: {done.stderr}')
        return done.stderr, left

    return run


@pytest.mark.one_in(3)
@pytest.mark.parametrize('name', FORMATS)
def test_a_full_disk_ends_a_format_in_one_line_and_keeps_what_there_was(small_disk, name) -> None:
    error, left = small_disk(name)
    assert error.count('\n') == 1
    assert 'cannot write: No space left on device; it ends here' in error
    assert last_time(left, name) > 2 * lively().run.sim_duration
    if name == 'csv':
        assert read_table(left / TARGET_CSV)[1]
    assert not list(left.rglob('*.part'))
