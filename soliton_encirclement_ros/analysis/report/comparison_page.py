"""HTML report of a comparison: overlaid curves and tables in one file."""

import math
from itertools import chain
from typing import Any

import numpy as np

from soliton_encirclement_ros.analysis.comparison_records import (
    DATE, FAILURE, MOTION, NONE, START, RecordingComparison
)
from soliton_encirclement_ros.analysis.report.page import viewer_parts, viewer_scripts
from soliton_encirclement_ros.analysis.report.page_markup import (
    HtmlColumn, asset, compressed_parts, escaped, fill_template, head, nothing, number, table,
    unordered_list
)
from soliton_encirclement_ros.analysis.report.viewer_data import (
    NOBODY_THERE, curve, describe_quantity, shift_replay
)
from soliton_encirclement_ros.core.ring.metrics import SAMPLE_TEXTS

EMPTY_REPLAY = {'begin': 0.0, 'end': 0.0, 'scene': NOBODY_THERE, 'events': [], 'changes': []}
"""The replay of recordings without positions."""

MAX_GHOST_PLACES = 400_000
"""Upper limit of bodies times frames of all ghosts; the recordings beyond it have none."""

GHOST_KEYS = ('name', 'kind', 'seen', 'x', 'y', 'z', 'down')

DISTANCE = {
    'name': 'distance', 'symbol': 'Distance to A', 'unit': 'm', 'steps': False,
    'meaning': 'from the same agents in A',
    'formula': 'mean over the agents that both recordings have, at aligned times',
}  # fmt: skip

MAX_POINTS = 4000
ZERO = {
    MOTION: 'the first motion of an agent',
    START: 'the first sample',
    FAILURE: 'the first failure',
    DATE: 'time 0 of A, by the dates of all clocks',
    NONE: 'time 0 of each recording',
}
STYLES = ('styles/viewer.css', 'styles/style.css', 'styles/comparison.css')
PLOTS = ('plots/solid', 'comparison', 'viewer/moments')


def comparison_page(comparison: RecordingComparison) -> str:
    """Return the page as text."""
    names = [side.name for side in comparison.sides]
    scripts = viewer_scripts(PLOTS)
    carried = compressed_parts(_data(comparison), scripts)
    style = ''.join(map(asset, STYLES))
    parts = {
        'head': head(escaped(' / '.join(names)), style, [carried['unpack'], *scripts]),
        'heading': f'{len(names)} recordings',
        'zero': escaped(ZERO[comparison.align]),
        'recordings': _recordings(comparison),
        'notes': _notes(comparison),
        'figures': _figures(comparison),
        'deviations': _deviations(comparison),
        'tracks': _tracks(comparison),
        **viewer_parts('No recording tells where anybody was.'),
        **carried,
    }
    return fill_template('pages/comparison.html', parts)


def _data(comparison: RecordingComparison) -> dict[str, Any]:
    """Return curves in aligned time, and differences on the common time base, for JSON."""
    return {
        **_replays(comparison),
        'names': [
            f'{letter} {side.name}'
            for letter, side in zip(comparison.letters, comparison.sides, strict=True)
        ],
        'common': [float(comparison.time[0]), float(comparison.time[-1])],
        'curves': [
            {
                **describe_quantity(name),
                'unit': SAMPLE_TEXTS[name].unit,
                'steps': name == 'alive',
                'lines': [
                    curve(side.series['time'] - zero, side.series[name], MAX_POINTS)
                    if name in side.series else None
                    for side, zero in zip(comparison.sides, comparison.zeros, strict=True)
                ],
                'differences': _differences(comparison, name),
            }
            for name in comparison.curves
        ] + _distances(comparison),
    }


def _distances(comparison: RecordingComparison) -> list[dict[str, Any]]:
    """Return the plot of the distances to A, which is one of differences as well."""
    lines = [None if values is None else curve(comparison.time, values, MAX_POINTS)
             for values in comparison.distances]  # fmt: skip
    return [{**DISTANCE, 'lines': lines, 'differences': lines}] if any(lines) else []


def _replays(comparison: RecordingComparison) -> dict[str, Any]:
    """Return the first recording that can be replayed, and the scenes of the others as ghosts."""
    replays = [
        None if side.replay is None else shift_replay(side.replay, zero)
        for side, zero in zip(comparison.sides, comparison.zeros, strict=True)
    ]
    flight = next((replay for replay in replays if replay is not None), EMPTY_REPLAY)
    room, ghosts = MAX_GHOST_PLACES, []
    for replay in replays:
        scene = None if replay is None or replay is flight else replay['scene']
        room -= 0 if scene is None else scene['count'] * len(scene['bodies'])
        if scene is not None and room >= 0:
            bodies = [{key: body[key] for key in GHOST_KEYS if key in body}
                      for body in scene['bodies']]  # fmt: skip
            ghosts.append({**scene, 'bodies': bodies})
        else:
            ghosts.append(None)
    return {**flight, 'ghosts': ghosts}


def _differences(comparison: RecordingComparison, name: str) -> list[dict[str, str] | None]:
    first, *others = comparison.curves[name]
    with np.errstate(invalid='ignore'):  # both infinite, as the gap of a single agent
        return [None, *(
            None if first is None or values is None
            else curve(comparison.time, np.subtract(values, first), MAX_POINTS)
            for values in others
        )]  # fmt: skip


def _recordings(comparison: RecordingComparison) -> str:
    columns = (
        HtmlColumn(''), HtmlColumn('Recording'), HtmlColumn('Clock'),
        HtmlColumn('Duration', 's', 1), HtmlColumn('Agents', digits=0),
        HtmlColumn('Time 0 at', 's', 2),
    )  # fmt: skip
    triples = zip(comparison.letters, comparison.sides, comparison.zeros, strict=True)
    rows = [
        (letter, side.name, side.clock, side.duration, side.agents, zero)
        for letter, side, zero in triples
    ]
    return table('Recordings', columns, rows)


def _notes(comparison: RecordingComparison) -> str:
    lines = [f'The scenarios differ in {", ".join(comparison.differing)}.'] * bool(
        comparison.differing
    )
    lines += comparison.notes
    lines += [f'{side.name}: {problem}' for side in comparison.sides for problem in side.problems]
    if not lines:
        return ''
    heading = '<h2>Read this first</h2>'
    return f'<aside class="note odd" id="notes">{heading}{unordered_list(lines)}</aside>'


def _figures(comparison: RecordingComparison) -> str:
    columns = [HtmlColumn('Figure'), HtmlColumn('Unit')]
    for i, letter in enumerate(comparison.letters):
        titles = (letter, f'{letter} − A', f'{letter} / A')
        columns += [HtmlColumn(title, digits=3) for title in (titles if i else titles[:1])]
    rows = []
    for row in comparison.rows:
        triples = zip(row.values, map(_exact, row.differences), row.ratios, strict=True)
        cells = [('never' if value == math.inf else _exact(value), *others)
                 for value, *others in triples]  # fmt: skip
        rows.append((row.name, row.unit, cells[0][0], *chain(*cells[1:])))
    return table('Figures', columns, rows)


def _exact(value: float | None) -> float | str | None:
    return number(value, 0) if isinstance(value, int) else value


def _deviations(comparison: RecordingComparison) -> str:
    if not comparison.deviations:
        return nothing('No curve is known for two recordings.')
    columns = (
        HtmlColumn('Curve'), HtmlColumn('Of'), HtmlColumn('Unit'),
        HtmlColumn('Mean of A', digits=3), HtmlColumn('Its mean', digits=3),
        HtmlColumn('Difference', digits=3), HtmlColumn('RMS of it', digits=3),
        HtmlColumn('Largest', digits=3), HtmlColumn('At', 's', 2),
    )  # fmt: skip
    letters = comparison.letter_of
    rows = [
        (SAMPLE_TEXTS[deviation.curve].symbol, letters[deviation.side], deviation.unit,
         deviation.mean_first, deviation.mean, deviation.bias, deviation.rms, deviation.largest,
         deviation.at)
        for deviation in comparison.deviations
    ]  # fmt: skip
    return table('Curves against A', columns, rows)


def _tracks(comparison: RecordingComparison) -> str:
    if not comparison.tracks:
        return nothing('No two recordings tell where the same agent was.')
    columns = (
        HtmlColumn('Agent'), HtmlColumn('Of'), HtmlColumn('Mean', 'm', 2),
        HtmlColumn('RMS', 'm', 2), HtmlColumn('Largest', 'm', 2), HtmlColumn('At', 's', 2),
    )  # fmt: skip
    rows = [(one.agent, comparison.letter_of[one.side], one.mean, one.rms, one.largest, one.at)
            for one in comparison.tracks]  # fmt: skip
    return table('Tracks against A', columns, rows)
