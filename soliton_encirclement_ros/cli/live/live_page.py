"""The live page: the viewer of the report without a recording; a running swarm feeds it."""

from soliton_encirclement_ros.analysis.report.curves import described
from soliton_encirclement_ros.analysis.report.markup import escaped
from soliton_encirclement_ros.analysis.report.page import viewer_parts, viewer_scripts
from soliton_encirclement_ros.analysis.report.scene import NOBODY_THERE
from soliton_encirclement_ros.analysis.report.template import (
    asset,
    filled,
    head,
    json_text,
)
from soliton_encirclement_ros.cli.live.motion_history import STEP
from soliton_encirclement_ros.cli.live.swarm_picture import SHOWN_METRICS

PLOTS = ('plots/panels', 'plots/metrics', 'plots/solid', 'live')

STYLES = ('styles/viewer.css', 'styles/style.css', 'styles/live.css', 'styles/orders.css')

LOOKS = '<p class="hint">This page only looks: swarm view --operate gives orders.</p>\n'

NOW = '<button type="button" id="now" aria-pressed="true">Now</button>'


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
        'begin': 0.0, 'end': 0.0, 'scene': {**NOBODY_THERE, 'step': STEP}, 'metrics': curves,
        'events': [], 'changes': [],
    }  # fmt: skip
    scripts = viewer_scripts((*PLOTS, 'orders') if operates else PLOTS)
    style = ''.join(map(asset, STYLES))
    parts = {
        'head': head(escaped(name), style, scripts, "connect-src 'self'"),
        'title': escaped(name),
        'data': json_text(data),
        'orders': asset('pages/orders.html') if operates else LOOKS,
        **viewer_parts('Waiting for a swarm.', NOW),
        **dict(zip(('replay', 'plotly', 'plots'), scripts, strict=True)),
    }
    return filled('pages/live.html', parts)
