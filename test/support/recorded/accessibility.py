"""What axe-core, the checker of accessibility, finds wrong in a page."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe

from support.recorded.browser import PHONE

SEVERE = ('serious', 'critical')
LARGE = {'viewport': {'width': 1440, 'height': 900}}
LOOKS = {
    f'{device}, {scheme}': {**look, 'color_scheme': scheme}
    for device, look in (('desktop', LARGE), ('phone', PHONE))
    for scheme in ('light', 'dark')
}  # fmt: skip
"""How a page is looked at, by name."""


def barriers(page: Any) -> list[str]:
    """Return what keeps people out of a page, serious or critical: rule, impact and elements."""
    found = Axe().run(page).response['violations']
    return [
        f'{one["id"]} ({one["impact"]}): {node["target"]}: {node["failureSummary"]}'
        for one in found
        if one['impact'] in SEVERE
        for node in one['nodes']
    ]


__all__ = ['LOOKS', 'barriers']
