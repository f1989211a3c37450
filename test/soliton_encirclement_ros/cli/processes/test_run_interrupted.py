"""``swarm run`` that is interrupted: at any moment it ends in order and leaves whole files."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from support.cli import (
    Process,
    only_run_folder,
    processes_that_mention,
    start_swarm,
    wait_until,
)
from support.flights import SLOW, Pilot, has, is_flying, last_time, stamps
from support.recorded.run_folder import PICTURES, assert_whole, read_json, read_table

pytestmark = pytest.mark.ros

END = 60.0
"""Wall time [s] that an interrupted run has to draw its pictures and end."""


def after(seconds: float) -> Callable[[Path], bool]:
    """Return a check whether a time has passed since it was first asked."""
    begun: list[float] = []

    def check(folder: Path) -> bool:
        del folder
        begun.append(time.monotonic())
        return begun[-1] - begun[0] >= seconds

    return check


def press_again_if_lost(process: Process) -> None:
    """Press ctrl-C once more where Python dropped the first: it met a callback of an import."""
    time.sleep(1.0)
    if process.popen.poll() is None and 'Exception ignored in' in process.err:
        process.interrupt()


def interrupt(moment: Callable[[Path], bool], *pauses: float) -> Pilot:
    """Return a pilot that presses ctrl-C at a moment, and again after each pause."""

    def pilot(folder: Path, domain: int) -> tuple[Process, Path]:
        with start_swarm(*SLOW, domain=domain, folder=folder) as process:
            wait_until(lambda: moment(folder), 'the moment')
            process.interrupt()
            for pause in pauses:
                time.sleep(pause)
                process.interrupt()
            press_again_if_lost(process)
            process.end(END)
            wait_until(lambda: not processes_that_mention(str(folder)), 'orphans to end', 10.0)
        return process, folder

    return pilot


def interrupt_drawing(folder: Path, domain: int) -> tuple[Process, Path]:
    """Press ctrl-C when the first picture is there."""
    short = ('run', 'demo', '--agents', '3', '--duration', '3')
    with start_swarm(*short, domain=domain, folder=folder) as process:
        wait_until(lambda: has('metric_E_r.png')(folder), 'the first picture')
        process.interrupt()
        process.end(END)
    return process, folder


MOMENTS = {
    'python_starts': after(0.05),
    'libraries_load': after(0.12),
    'a_little_later': after(0.35),
    'folder_is_new': has('manifest.json'),
    'ros_comes_up': after(0.75),
    'tables_are_new': has('target_telemetry.csv'),
    'hosts_start': has('log/swarm.log'),
    'handshake': after(1.7),
    'flying': is_flying,
    'later': lambda folder: last_time(folder) > 2.5,
}
PAUSES = {'twice_at_once': 0.0, 'twice_quickly': 0.1, 'twice': 0.6}
FLIGHTS: dict[str, Pilot] = {
    'drawing': interrupt_drawing,
    **{name: interrupt(moment) for name, moment in MOMENTS.items()},
    **{name: interrupt(is_flying, pause) for name, pause in PAUSES.items()},
}


def code_in_a_shell(process: Process) -> int:
    """Return the exit code as a shell shows it: 128 + N after signal N."""
    code = process.popen.returncode
    return code if code >= 0 else 128 - code


def python_was_starting(told: str) -> bool:
    """Say whether ctrl-C met the interpreter on its way up: before ``main`` set its handler."""
    looks_for_us = '<frozen runpy>' in told and ', in main\n' not in told
    own = ('Fatal Python error: init_', 'Exception ignored in: <function _get_module_lock')
    return looks_for_us or any(text in told for text in own)


@pytest.mark.one_in(5)
@pytest.mark.parametrize('moment', [*MOMENTS, *PAUSES])
def test_ctrl_c_ends_a_run_in_order(flight, moment):
    process, folder = flight(moment)
    if python_was_starting(process.err):
        return
    assert code_in_a_shell(process) == 130
    assert process.err == ''
    for run_folder in folder.glob('runs/2*'):
        assert_whole(run_folder)


def test_ctrl_c_while_the_pictures_are_drawn_keeps_the_run(flight):
    process, folder = flight('drawing')
    assert process.popen.returncode in (0, 1, 130)
    assert process.err == ''
    folder = only_run_folder(folder)
    assert_whole(folder)
    assert read_json(folder / 'summary.json')['ticks'] == 60


def test_an_interrupted_run_is_complete_up_to_then(flight):
    process, folder = flight('later')
    assert process.popen.returncode == 130
    folder = only_run_folder(folder)
    _, rows = read_table(folder / 'target_telemetry.csv')
    assert rows[-1][0] > 2.5
    assert [row[0] for row in rows] == [stamp / 1e9 for stamp in stamps(len(rows))]
    assert read_json(folder / 'summary.json')['ticks'] == len(rows)
    _, agent_rows = read_table(folder / 'agent_telemetry.csv')
    flown = [row for row in agent_rows if row[1] < rows[-1][0]]
    assert [row[:2] for row in flown] == [[k, row[0]] for row in rows[:-1] for k in (1, 2, 3)]
    assert all((folder / name).exists() for name in PICTURES)
