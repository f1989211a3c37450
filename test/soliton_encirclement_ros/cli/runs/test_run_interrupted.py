"""``swarm run`` that is interrupted: at any moment it ends in order and leaves whole files."""

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from support.cli import Process, only_run_folder, processes_that_mention, start_swarm, wait_until
from support.flights import SLOW, Pilot, has, is_flying, last_time, stamps
from support.recorded.run_folder import PICTURES, assert_whole, read_json, read_table

pytestmark = pytest.mark.ros

Moment = Callable[[Path, Process], object]
SHORT = ('run', 'demo', '--agents', '3', '--duration', '3')


def loaded(library: str) -> Moment:
    """Return a check whether the command has loaded a library."""

    def check(folder: Path, process: Process) -> bool:
        del folder
        return library in Path(f'/proc/{process.pid}/maps').read_text(encoding='utf-8')

    return check


def there(is_there: Callable[[Path], bool]) -> Moment:
    """Return a check of what is on disk."""
    return lambda folder, process: is_there(folder)


def interrupt(
    *moments: Moment, arguments: tuple[str, ...] = SLOW, number: int = signal.SIGINT
) -> Pilot:
    """Return a pilot that sends a signal at a moment, and again at each further one."""

    def pilot(folder: Path, domain: int) -> tuple[Process, Path]:
        with start_swarm(*arguments, domain=domain, folder=folder) as process:
            for moment in moments:
                wait_until(
                    lambda now=moment: process.popen.poll() is not None or now(folder, process),
                    'the moment',
                )
                process.popen.send_signal(number)
            process.end()
            wait_until(lambda: not processes_that_mention(str(folder)), 'orphans to end')
        return process, folder

    return pilot


FLYING, DRAWING = there(is_flying), there(has('metric_E_r.png'))
MOMENTS: dict[str, tuple[Moment, ...]] = {
    'libraries_load': (loaded('numpy'),),
    'ros_loads': (loaded('librcl'),),
    'folder_is_new': (there(has('manifest.json')),),
    'tables_are_new': (there(has('target_telemetry.csv')),),
    'hosts_start': (there(has('log/swarm.log')),),
    'flying': (FLYING,),
    'twice_at_once': (FLYING, FLYING),
    'twice': (FLYING, DRAWING),
}
FLIGHTS: dict[str, Pilot] = {
    'drawing': interrupt(DRAWING, arguments=SHORT),
    'later': interrupt(there(lambda folder: last_time(folder) > 2.5), number=signal.SIGTERM),
    'ended': interrupt(loaded('numpy'), number=signal.SIGTERM),
    'hung_up': interrupt(FLYING, number=signal.SIGHUP),
    **{name: interrupt(*moments) for name, moments in MOMENTS.items()},
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize('moment', [*MOMENTS, 'ended', 'hung_up'])
def test_a_signal_ends_a_run_in_order(flight, moment):
    process, folder = flight(moment)
    assert (process.popen.returncode, process.err) == (130, '')
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
    assert (process.popen.returncode, process.err) == (130, '')
    folder = only_run_folder(folder)
    _, rows = read_table(folder / 'target_telemetry.csv')
    assert rows[-1][0] > 2.5
    assert [row[0] for row in rows] == [stamp / 1e9 for stamp in stamps(len(rows))]
    assert read_json(folder / 'summary.json')['ticks'] == len(rows)
    _, agent_rows = read_table(folder / 'agent_telemetry.csv')
    flown = [row for row in agent_rows if row[1] < rows[-1][0]]
    assert [row[:2] for row in flown] == [[k, row[0]] for row in rows[:-1] for k in (1, 2, 3)]
    assert all((folder / name).exists() for name in PICTURES)
