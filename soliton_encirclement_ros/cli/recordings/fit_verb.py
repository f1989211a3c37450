"""``swarm fit``: limits and lag of a vehicle, from recorded commands and odometry."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Optional

import click
import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from soliton_encirclement_ros.cli.options import JSON, PATH, PICTURES, VEHICLES, check_ending
from soliton_encirclement_ros.cli.output import print_error, print_json
from soliton_encirclement_ros.cli.recordings.recording_input import (
    CODE, FLEET, FLIGHT, MAP, RECORDINGS, read_flight, report_folder
)
from soliton_encirclement_ros.cli.views.run_report import WorkProgress, if_installed
from soliton_encirclement_ros.cli.views.terminal_display import (
    print_line, print_table, wide_console
)
from soliton_encirclement_ros.core.files import name_from, named, writing
from soliton_encirclement_ros.core.scenario.vehicle_file import as_text
from velocity_mobility_ros.core.user_errors import counted

if TYPE_CHECKING:
    from soliton_encirclement_ros.analysis.fit import Fit, ParameterEstimate
    from soliton_encirclement_ros.analysis.recording import Recording


def print_fit(
    fit: 'Fit', remarks: Sequence[str], written: Sequence[Path], console: Console
) -> None:
    """Print the parameters, their prediction error, notes and warnings, and the files."""
    table = Table('', 'value', '95 % interval', title=title(fit))
    if any(estimate.reason for estimate in fit.estimates.values()):
        table.add_column('')
    for estimate in fit.estimates.values():
        reason = [escape(estimate.reason)] if estimate.reason else []
        table.add_row(estimate.name, *cells(estimate), *reason)
    print_table(table, console)
    lines = (
        f'RMS of predicted velocity on the last {fit.validation.samples} samples, not fitted: '
        f'{fit.validation.xy:.3g} m/s in xy, {fit.validation.z:.3g} m/s in z '
        f'(medians {fit.validation.usual_xy:.3g} and {fit.validation.usual_z:.3g})',
        f'the same on the fitted samples: {fit.fitted.xy:.3g} and {fit.fitted.z:.3g} m/s; '
        f'roughness of the odometry alone: {fit.noise[0]:.3g} and {fit.noise[1]:.3g} m/s',
    )
    for line in lines:
        print_line(console, line)
    for line in remarks:
        print_line(console, line, 'yellow')
    for path in written:
        print_line(console, str(path))


def title(fit: 'Fit') -> str:
    """Return the fitted agents and the amount of data."""
    return escape(f'{named(fit.agents)}: {fit.used:.0f} s of flight, up to {fit.until:.1f} s')


def cells(estimate: 'ParameterEstimate') -> tuple[str, str]:
    """Return value and interval as text."""
    if not estimate.known:
        return 'not identifiable', ''
    if estimate.value is None:
        return 'none', ''
    numbers = estimate.value, estimate.low, estimate.high
    value, low, high = (f'{round(x, 5) + 0.0:.5g}' for x in numbers)
    return f'{value} {estimate.unit}', f'{low} .. {high}'


VEHICLE, PICTURE = 'vehicle.yaml', 'fit.png'
NOTHING_KNOWN = 1

SLOW = 6_000
"""Maximum number of updates without a compiler: about a minute of one agent."""


def fit(
    paths: list[Path] = RECORDINGS,
    agents: list[str] = typer.Option(
        [], '--agent', help='Agent to fit; may be repeated, all of the same vehicle type.',
        show_default='all agents',
    ),
    vehicle: str = typer.Option(
        'kinematic', '--type', click_type=click.Choice(['kinematic', 'second_order']),
        help='Type of vehicle to fit; the acceleration of a second_order one builds up as that of '
        'a multirotor, which tilts first; a delay becomes a part of it.',
    ),
    names: Optional[Path] = MAP,
    flight: Optional[int] = FLIGHT,
    namespace: Optional[str] = FLEET,
    code: list[str] = CODE,
    out: Optional[Path] = typer.Option(
        None, click_type=PATH, help='Vehicle file.',
        show_default=f"{VEHICLE} in the run's folder, else BAG-report",
    ),
    picture: Optional[Path] = typer.Option(
        None, click_type=PATH, help='Plot of the validation.',
        show_default=f'beside the vehicle file: {PICTURE} of {VEHICLE}, NAME.png of NAME.yaml',
    ),
    json_wanted: bool = JSON,
) -> int:  # fmt: skip
    """Fit the mobility of a vehicle to a recording; exit with 1 if nothing is identifiable."""
    check_ending('--out', out, VEHICLES)
    check_ending('--picture', picture, PICTURES)
    from soliton_encirclement_ros.analysis.fit import as_json

    console = wide_console(json_wanted)
    recording = read_flight(paths, names, console, flight, namespace)
    result = _fit(recording, agents, vehicle, console)
    out = report_folder(paths[0], None) / VEHICLE if out is None else out
    if picture is None:
        picture = out.with_name(PICTURE) if out.name == VEHICLE else out.with_suffix('.png')
    known = any(
        estimate.known for estimate in result.estimates.values() if estimate.name != 'delay'
    )
    written = [_write(out, result, recording)] if known else []
    with console.status('drawing'):
        written += if_installed('picture', lambda: [_draw(picture, result, recording)])
    problems = list(dict.fromkeys([*recording.problems, *result.problems]))
    print_fit(result, [*recording.notes, *problems], written, console)
    if not known:
        problems.append(
            'no parameter is identifiable: no vehicle file written; record a manoeuvre'
        )
        print_error(problems[-1])
    if json_wanted:
        files = [str(file) for file in written]
        content = {**as_json(result), 'problems': problems, 'files': files}
        print_json(content)
    return 0 if known else NOTHING_KNOWN


def _fit(recording: 'Recording', agents: list[str], vehicle: str, console: Console) -> 'Fit':
    """Fit with the compiled law; a run's own update period is known."""
    from soliton_encirclement_ros.analysis.fit import (
        FitSettings, fit, follow, roll_out, select_members
    )
    from soliton_encirclement_ros.sim.compilation.compiled import compiled
    from soliton_encirclement_ros.sim.compilation.numba_import import has_numba

    members = select_members(recording, agents)
    given = {'vehicle': vehicle} | ({} if has_numba() else {'most_updates': SLOW})
    if recording.scenario is not None:
        given['update_rate'] = recording.scenario.mobility.update_rate
    settings = FitSettings(**given)
    with WorkProgress(console, 'fitting', 'parts') as progress:
        return fit(members, settings, compiled(roll_out), progress.note, compiled(follow))


def _write(path: Path, result: 'Fit', recording: 'Recording') -> Path:
    from soliton_encirclement_ros.analysis.fit import vehicle_of

    name = name_from(path, 'vehicle')
    vehicle = vehicle_of(result, name, recording.path.resolve().name, recording.clock)
    with writing(path, advice='; name another file with --out'):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(as_text(vehicle), encoding='utf-8')
    return path


def _draw(path: Path, result: 'Fit', recording: 'Recording') -> Path:
    from soliton_encirclement_ros.analysis.plots.fit_plots import draw_fit

    with writing(path, 'draw'):
        path.parent.mkdir(parents=True, exist_ok=True)
        name, count = recording.path.resolve().name, counted(len(result.agents), 'agent')
        draw_fit(path, result, f'{name}: {count}')
    return path
