"""``swarm compare`` over recordings: overlaid curves, figures with their differences."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console

from soliton_encirclement_ros.cli.bag_reading import read_bag
from soliton_encirclement_ros.cli.options.option_checks import check_radius
from soliton_encirclement_ros.cli.options.repeated_paths import warn_of_repeats
from soliton_encirclement_ros.cli.output import print_json
from soliton_encirclement_ros.cli.report_place import chosen_target
from soliton_encirclement_ros.cli.views.recording_tables import print_recordings
from soliton_encirclement_ros.cli.views.terminal_tables import wide_console
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files.path_kind import is_there
from soliton_encirclement_ros.core.run.finished_run import is_run, read_flown
from soliton_encirclement_ros.core.run.run_folder import BAG

if TYPE_CHECKING:
    from soliton_encirclement_ros.analysis.compare.comparison_records import (
        RecordingComparison,
        Side,
    )


class CompareOptions(NamedTuple):
    """Options of the command line; None: the default."""

    align: str | None
    names: Path | None
    target: str | None
    radius: float | None
    picture: Path | None
    page: Path | None
    as_json: bool


def compare_recordings(paths: Sequence[Path], options: CompareOptions) -> int:
    """Compare recordings with the first of them.

    Args:
        paths: Bags, run folders, or folders that contain run folders; at least two in all.
        options: The options.

    Raises:
        RunError: A recording cannot be read, or they cannot be compared.
    """
    from soliton_encirclement_ros.analysis.compare.alignment import ALIGNMENTS, MOTION
    from soliton_encirclement_ros.analysis.compare.comparing import compare_sides
    from soliton_encirclement_ros.analysis.compare.comparison_json import as_json
    from soliton_encirclement_ros.analysis.compare.recording_paths import expanded, names_of

    align = MOTION if options.align is None else options.align
    if align not in ALIGNMENTS:
        raise RunError(f'--align {align[:40]!r} must be one of {", ".join(ALIGNMENTS)}')
    check_radius(options.radius)
    found = expanded(paths)
    if len(found) < 2:
        raise RunError('one recording cannot be compared; name two or more')
    warn_of_repeats(found, 'compared with itself')
    console = wide_console(options.as_json)
    names = names_of(found)
    known = _known_radius(names, found)
    sides = [
        _side(name, path, options, known, console) for name, path in zip(names, found, strict=True)
    ]
    comparison = compare_sides(sides, align)
    written = _write(comparison, options)
    if options.as_json:
        print_json(as_json(comparison))
        return 0
    print_recordings(comparison, console)
    for path in written:
        console.print(path, highlight=False, soft_wrap=True, markup=False)
    return 0


def _known_radius(names: Sequence[str], paths: Sequence[Path]) -> tuple[str, float] | None:
    """Return a run and its radius [m] for recordings without a known radius.

    A flight is compared with a simulation of it, so both are measured by the same radius. None if
    there is no run, or runs have different ones.
    """
    found = []
    for name, path in zip(names, paths, strict=True):
        if is_run(path):
            scenario = read_flown(path)
            # A run of another version may lack it; then the radius is estimated, and so reported.
            with suppress(KeyError, TypeError, ValueError):
                found.append((name, float(scenario['swarm']['encirclement_radius'])))
    return found[0] if len({radius for _, radius in found}) == 1 else None


def _side(
    name: str,
    path: Path,
    options: CompareOptions,
    known: tuple[str, float] | None,
    console: Console,
) -> 'Side':
    from soliton_encirclement_ros.analysis.compare.sides import (
        side_from_recording,
        side_from_tables,
    )
    from soliton_encirclement_ros.analysis.findings import default_settings, find

    if is_run(path) and not is_there(path / BAG):
        return side_from_tables(name, path)
    recording = read_bag(path, options.names, console)
    target = chosen_target(options.target, recording)
    radius, note = options.radius, ()
    if radius is None and recording.scenario is None and known is not None:
        radius, note = known[1], (f'radius unknown: {known[1]:g} m, that of {known[0]}',)
    settings = default_settings(recording, target, radius)
    with console.status(f'computing the figures of {name}'):
        findings = find(recording, settings)
    side = side_from_recording(name, recording, findings)
    return side._replace(problems=(*note, *side.problems))


def _write(comparison: 'RecordingComparison', options: CompareOptions) -> list[Path]:
    """Draw and write the requested files; return them."""
    written = []
    if options.picture is not None:
        from soliton_encirclement_ros.analysis.plots.comparison_plots import draw_recordings

        try:
            draw_recordings(options.picture, comparison)
        except (OSError, ValueError) as error:
            reason = getattr(error, 'strerror', None) or str(error)
            raise RunError(f'{options.picture}: cannot draw: {reason}') from None
        written.append(options.picture)
    if options.page is not None:
        from soliton_encirclement_ros.analysis.report.comparison_page import write_comparison_page

        written.append(write_comparison_page(options.page, comparison))
    return written
