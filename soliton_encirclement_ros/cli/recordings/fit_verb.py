"""``swarm fit``: limits and lag of a vehicle, from recorded commands and odometry."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Optional

import typer
from rich.console import Console, RenderableType
from rich.markup import escape
from rich.progress_bar import ProgressBar
from rich.table import Table
from velocity_mobility_ros.core.user_errors import counted

from soliton_encirclement_ros.cli.options import PATH, PICTURES, VEHICLES, WHOLE, check_ending
from soliton_encirclement_ros.cli.output import print_error, print_json
from soliton_encirclement_ros.cli.recordings.recording_input import FLEET, read_bag, report_folder
from soliton_encirclement_ros.cli.views.run_report import if_installed
from soliton_encirclement_ros.cli.views.terminal_display import (
    LiveDisplay,
    print_table,
    wide_console,
)
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import name_from, named
from soliton_encirclement_ros.core.scenario.vehicle_file import as_text

if TYPE_CHECKING:
    from soliton_encirclement_ros.analysis.fit import Estimate, Fit
    from soliton_encirclement_ros.analysis.recording import Recording


DISPLAY_DELAY = 2.0
"""Time [s] after which the display starts."""


class FitProgress(LiveDisplay):
    """One fit."""

    def __init__(self, console: Console) -> None:
        """Show a fit."""
        super().__init__(console)
        self._done, self._all = 0, 1
        self._began = time.monotonic()

    def note(self, done: int, parts: int) -> None:
        """Store how many parts of the work are done."""
        self._done, self._all = done, parts
        if time.monotonic() - self._began > DISPLAY_DELAY:
            self.update()

    def line(self) -> str:
        """Return the progress."""
        return f'fitting: {100 * self._done // self._all} %'

    def view(self) -> RenderableType:
        """Return a bar with the same text."""
        view = Table.grid(padding=(0, 2))
        view.add_row(ProgressBar(total=self._all, completed=self._done, width=40), self.line())
        return view


def print_fit(
    fit: 'Fit', problems: Sequence[str], written: Sequence[Path], console: Console
) -> None:
    """Print the parameters, their prediction error, the warnings, and the files."""
    table = Table('', 'value', '95 % interval', '', title=title(fit))
    for one in fit.estimates.values():
        table.add_row(one.name, *cells(one), escape(one.reason))
    print_table(table, console)
    lines = (
        f'RMS of predicted velocity on the last {fit.validation.samples} samples, not fitted: '
        f'{fit.validation.xy:.3g} m/s in xy, {fit.validation.z:.3g} m/s in z '
        f'(medians {fit.validation.usual_xy:.3g} and {fit.validation.usual_z:.3g})',
        f'the same on the fitted samples: {fit.fitted.xy:.3g} and {fit.fitted.z:.3g} m/s; '
        f'roughness of the odometry alone: {fit.noise[0]:.3g} and {fit.noise[1]:.3g} m/s',
    )
    for line in lines:
        console.print(line, highlight=False, soft_wrap=True, markup=False)
    for line in problems:
        console.print(line, style='yellow', highlight=False, soft_wrap=True, markup=False)
    for path in written:
        console.print(str(path), highlight=False, soft_wrap=True, markup=False)


def title(fit: 'Fit') -> str:
    """Return the fitted agents and the amount of data."""
    return escape(f'{named(fit.agents)}: {fit.used:.0f} s of flight, up to {fit.until:.1f} s')


def cells(one: 'Estimate') -> tuple[str, str]:
    """Return value and interval as text."""
    if not one.known:
        return 'not identifiable', ''
    if one.value is None:
        return 'none', ''
    value, low, high = (f'{round(x, 5) + 0.0:.5g}' for x in (one.value, one.low, one.high))
    return f'{value} {one.unit}', f'{low} .. {high}'


VEHICLE, PICTURE = 'vehicle.yaml', 'fit.png'
NOTHING_KNOWN = 1

SLOW = 6_000
"""Maximum number of updates without a compiler: about a minute of one agent."""


def fit(
    path: Path = typer.Argument(
        click_type=PATH, help="A run's folder, a bag's folder, or an .mcap or .db3 file.",
        show_default=False,
    ),
    agents: list[str] = typer.Option(
        [], '--agent', help='Agent to fit; may be repeated, all of the same vehicle type.',
        show_default='all agents',
    ),
    vehicle: str = typer.Option(
        'kinematic', '--type',
        help='Type of vehicle to fit: kinematic, or second_order, whose acceleration builds up as '
        'that of a multirotor that tilts first; a delay becomes a part of it.',
    ),
    names: Optional[Path] = typer.Option(
        None, '--map', click_type=PATH,
        help='YAML file that maps topics to members and quantities.'
    ),
    flight: Optional[int] = typer.Option(
        None, click_type=WHOLE, help='Number of the simulated flight in the bag.',
        show_default='the last',
    ),
    namespace: Optional[str] = FLEET,
    out: Optional[Path] = typer.Option(
        None, click_type=PATH, help='Vehicle file.',
        show_default=f"{VEHICLE} in the run's folder, else BAG-report",
    ),
    picture: Optional[Path] = typer.Option(
        None, click_type=PATH, help='Plot of the validation.',
        show_default=f'beside the vehicle file: {PICTURE} of {VEHICLE}, NAME.png of NAME.yaml',
    ),
    json_wanted: bool = typer.Option(False, '--json', help='Print JSON, no progress.'),
) -> int:  # fmt: skip
    """Fit the mobility of a vehicle to a recording; exit with 1 if nothing is identifiable."""
    check_ending('--out', out, VEHICLES)
    check_ending('--picture', picture, PICTURES)
    from soliton_encirclement_ros.analysis.fit import FITTED_VEHICLES, as_json

    if vehicle not in FITTED_VEHICLES:
        known = ', '.join(FITTED_VEHICLES)
        raise RunError(f'--type {vehicle[:40]!r} must be one of {known}')
    console = wide_console(json_wanted)
    recording = read_bag(path, names, console, flight, namespace)
    found = _fit(recording, agents, vehicle, console)
    out = report_folder(path, None) / VEHICLE if out is None else out
    if picture is None:
        picture = out.with_name(PICTURE) if out.name == VEHICLE else out.with_suffix('.png')
    known = any(one.known for one in found.estimates.values() if one.name != 'delay')
    written = [_write(out, found, recording)] if known else []
    with console.status('drawing'):
        written += if_installed('picture', lambda: [_draw(picture, found, recording)])
    problems = list(dict.fromkeys([*recording.problems, *found.problems]))
    print_fit(found, problems, written, console)
    if not known:
        problems.append(
            'no parameter is identifiable: no vehicle file written; record a manoeuvre'
        )
        print_error(problems[-1])
    if json_wanted:
        files = [str(one) for one in written]
        content = {**as_json(found), 'problems': problems, 'files': files}
        print_json(content)
    return 0 if known else NOTHING_KNOWN


def _fit(recording: 'Recording', agents: list[str], vehicle: str, console: Console) -> 'Fit':
    """Fit with the compiled law; a run's own update period is known."""
    from soliton_encirclement_ros.analysis.fit import FitSettings, chosen, fit, follow, roll_out
    from soliton_encirclement_ros.sim.compilation.compiled import compiled
    from soliton_encirclement_ros.sim.compilation.numba_import import has_numba

    members = chosen(recording, agents)
    given = {'vehicle': vehicle} | ({} if has_numba() else {'most_updates': SLOW})
    if recording.scenario is not None:
        given['update_rate'] = recording.scenario.mobility.update_rate
    settings = FitSettings(**given)
    with FitProgress(console) as progress:
        return fit(members, settings, compiled(roll_out), progress.note, compiled(follow))


def _write(path: Path, found: 'Fit', recording: 'Recording') -> Path:
    from soliton_encirclement_ros.analysis.fit import vehicle_of

    name = name_from(path, 'vehicle')
    vehicle = vehicle_of(found, name, recording.path.resolve().name, recording.clock)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(as_text(vehicle), encoding='utf-8')
    except OSError as error:
        raise RunError(
            f'{path}: cannot write: {error.strerror or error}; name another file with --out'
        ) from None
    return path


def _draw(path: Path, found: 'Fit', recording: 'Recording') -> Path:
    from soliton_encirclement_ros.analysis.plots.fit_plots import draw_fit

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        name, count = recording.path.resolve().name, counted(len(found.agents), 'agent')
        draw_fit(path, found, f'{name}: {count}')
    except (OSError, ValueError) as error:
        reason = getattr(error, 'strerror', None) or str(error)
        raise RunError(f'{path}: cannot draw: {reason}') from None
    return path
