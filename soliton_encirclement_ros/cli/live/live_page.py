"""The live page: the viewer of the report without a recording; a running swarm feeds it."""

from soliton_encirclement_ros.analysis.report.curves import described
from soliton_encirclement_ros.analysis.report.markup import escaped
from soliton_encirclement_ros.analysis.report.page import viewer_scripts
from soliton_encirclement_ros.analysis.report.template import (
    asset,
    filled,
    head,
    json_text,
)
from soliton_encirclement_ros.cli.live.motion_history import STEP
from soliton_encirclement_ros.cli.live.swarm_picture import SHOWN_METRICS

PLOTS = ('panels', 'metrics', 'solid', 'live', 'orders')

NOBODY_YET = {
    'step': STEP, 'count': 0, 'bodies': [], 'radius': None, 'origin': [0.0, 0.0], 'point': None,
    'protection': None, 'turns': False, 'holder': None,
}  # fmt: skip


def live_page(name: str, operates: bool = False) -> str:
    """Return the page.

    Args:
        name: What is watched, for its title.
        operates: Whether orders can be given.
    """
    curves = [
        {'name': one, **described(one), 'unit': '', 'steps': False, 't': '', 'y': ''}
        for one in SHOWN_METRICS
    ]
    data = {
        'begin': 0.0, 'end': 0.0, 'scene': NOBODY_YET, 'metrics': curves, 'events': [],
        'changes': [], 'operates': operates,
    }  # fmt: skip
    scripts = viewer_scripts(PLOTS)
    style = asset('style.css') + asset('live.css') + asset('orders.css')
    parts = {
        'head': head(escaped(name), style, scripts, "connect-src 'self'"),
        'title': escaped(name),
        'data': json_text(data),
        **dict(zip(('replay', 'plotly', 'plots'), scripts, strict=True)),
    }
    return filled('live.html', parts)
