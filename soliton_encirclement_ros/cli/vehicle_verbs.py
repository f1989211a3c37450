"""``swarm vehicle``: list vehicles, and compare how they answer the same commands."""

import dataclasses
import math
from collections.abc import Sequence
from pathlib import Path

import typer

from soliton_encirclement_ros.cli.app import require_verb
from soliton_encirclement_ros.cli.options import PATH, unique_names
from soliton_encirclement_ros.cli.views.terminal_display import print_rows
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.files import writing
from soliton_encirclement_ros.core.scenario.user_files import share_folder
from soliton_encirclement_ros.core.scenario.vehicle_file import find_vehicle, read_vehicle
from velocity_mobility_ros.core.parameter_declaration import build
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.core.velocity_model import VEHICLE_NAMES, MobilityParameters
from velocity_mobility_ros.vehicles.step_response import (
    CommandStep, fly_steps, step_figures, usual_steps
)
from velocity_mobility_ros.vehicles.vehicle import parameters_of

HEAD = ('vehicle', 'step', 'lag [s]', 'rise [s]', 't90 [s]', 'overshoot [%]', 'tilt [deg]',
        'height [m]')  # fmt: skip

app = typer.Typer(help='List and compare vehicles.', add_completion=False)
app.callback(invoke_without_command=True)(require_verb)


@app.command('list')
def list_vehicles() -> int:
    """List the included vehicles."""
    rows = []
    for path in sorted((share_folder() / 'config' / 'vehicles').glob('*.yaml')):
        vehicle = load_vehicle_parameters(path.stem)
        lag = 'none' if vehicle.lag_xy is None else f'{vehicle.lag_xy:g}'
        speed, acceleration = f'{vehicle.max_speed_xy:g}', f'{vehicle.max_acc_xy:g}'
        rows.append((path.stem, vehicle.vehicle, speed, acceleration, lag))
    print_rows(('vehicle', 'type', 'speed [m/s]', 'acceleration [m/s^2]', 'lag [s]'), rows)
    return 0


@app.command('compare')
def compare_vehicles(
    vehicles: list[str] = typer.Argument(help='Vehicle files, or names of included vehicles.'),
    picture: Path = typer.Option(
        Path('vehicles.png'), '--out', click_type=PATH, help='Picture to write.'
    ),
) -> int:
    """Fly vehicles through the same steps of their command; print their figures and a picture.

    The steps are those of the slowest vehicle.
    """
    known: dict[str, MobilityParameters] = {}
    for name in unique_names(vehicles):
        # Two files may have the same name inside, an edited copy does.
        label = read_vehicle(find_vehicle(name)).name
        known[f'{label} ({name})' if label in known else label] = load_vehicle_parameters(name)
    steps = common_steps(list(known.values()))
    flights = {name: (steps, fly_steps(vehicle, steps)) for name, vehicle in known.items()}
    rows = []
    for name, (_, flown) in flights.items():
        for figures in step_figures(steps, flown):
            lag, rise, t90, overshoot, tilt, height = figures[1:]
            rows.append((
                name, figures.name, *map(_shown, (lag, rise, t90, 100.0 * overshoot)),
                _shown(math.degrees(tilt), 1), _shown(height),
            ))  # fmt: skip
    print_rows(HEAD, rows)
    from soliton_encirclement_ros.analysis.plots.run_plots import draw_steps

    with writing(picture, 'write the picture'):
        draw_steps(picture, flights, 'The same commands, flown by ' + ', '.join(known))
    typer.echo(f'picture: {picture}')
    return 0


def load_vehicle_parameters(name: str) -> MobilityParameters:
    """Return the vehicle of a file, with the defaults of its type.

    Raises:
        ScenarioError: There is no such file, or a value is refused.
    """
    path = find_vehicle(name)
    given = read_vehicle(path).mobility
    try:
        return build(parameters_of(given.get('vehicle', VEHICLE_NAMES[0])), given, str(path))
    except ParameterError as error:
        raise ScenarioError(str(error)) from None


def common_steps(vehicles: Sequence[MobilityParameters]) -> list[CommandStep]:
    """Return steps of the command that are within the limits of all vehicles."""
    limits = ('max_speed_xy', 'max_speed_z', 'max_yaw_rate')
    least = {name: min(getattr(vehicle, name) for vehicle in vehicles) for name in limits}
    return usual_steps(dataclasses.replace(MobilityParameters(), **least))


def _shown(value: float, digits: int = 2) -> str:
    return '-' if math.isnan(value) else f'{value:.{digits}f}'
