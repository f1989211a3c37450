"""The parameters of the layers."""

from pathlib import Path

import pytest
from soliton_encirclement_ros.core.parameters.propagation_parameters import (
    LAYER_NAMES,
    PropagationParameters,
)
from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.parameters import declarations


def test_defaults_are_the_originals() -> None:
    """Spec part 7, one value per layer, and k for everybody but the baseline."""
    p = PropagationParameters()
    assert (p.propagation_method, p.propagation_k_prop, p.k_in_use) == ('baseline', 1.0, 0.0)
    assert (p.advection_c, p.wave_c_sq, p.excitable_dv, p.kdv_s) == (5.0, 25.0, 30.0, 5.0)
    assert (p.alarm_ttl_max, p.burgers_nu) == (20, 5.0)


@pytest.mark.parametrize('method', LAYER_NAMES[1:])
def test_a_layer_uses_its_gain(method: str) -> None:
    """The gain counts for every method that has a signal."""
    chosen = PropagationParameters(propagation_method=method, propagation_k_prop=2.5)
    assert chosen.k_in_use == 2.5


def test_names_begin_with_their_layer() -> None:
    """So that one flat list of ROS parameters stays readable."""
    for name in declarations(PropagationParameters):
        assert name.split('_')[0] in ('propagation', *LAYER_NAMES)


def test_every_parameter_is_explained(repository: Path) -> None:
    """The page on the layers names each of them, with its default and its unit."""
    text = (repository / 'docs' / 'propagation.md').read_text(encoding='utf-8')
    for name, known in declarations(PropagationParameters).items():
        assert f'`{name}`' in text or f' {name} ' in text, name
        if name.split('_')[0] != 'propagation':
            unit = f' {known.unit}'.replace(' 1/s', ' /s').replace('^2', '²').rstrip()
            assert f'`{name}` {known.default:g}{unit}' in text, name


def test_an_unknown_method_is_refused() -> None:
    """The original falls back to the baseline without a word; a typing error deserves one."""
    with pytest.raises(ParameterError, match="propagation_method = 'kvd' must be one of baseline"):
        PropagationParameters(propagation_method='kvd')
