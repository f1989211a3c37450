"""Barrier of the lowest and the highest height.

    -gamma (z_P - lowest) <= z_P' <= gamma (highest - z_P)

with the height z_P at which the vehicle would stop. Command 0 fulfils it inside.
"""

from soliton_encirclement_ros.safety.layers import VerticalPath
from soliton_encirclement_ros.safety.records import FilterSettings


def band_bounds(settings: FilterSettings, own: VerticalPath) -> tuple[float, float]:
    """Return lowest and highest velocity of the vertical stopping point [m/s]."""
    return (
        -settings.gamma * (own.end - settings.lowest),
        settings.gamma * (settings.highest - own.end),
    )
