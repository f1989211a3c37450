"""One table says how the quantities of a sample are called."""

from soliton_encirclement_ros.core.ring.metric_texts import METRIC_TEXTS, SAMPLE_TEXTS
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.run.observer import SAMPLE_NAMES


def test_every_quantity_of_a_sample_is_described() -> None:
    """In the order of messages and tables."""
    assert tuple(METRIC_TEXTS) == METRIC_NAMES
    assert tuple(SAMPLE_TEXTS) == SAMPLE_NAMES
    for text in SAMPLE_TEXTS.values():
        assert text.symbol and text.title and text.definition


def test_every_metric_has_its_formulas() -> None:
    """One for a page and one for a picture."""
    assert all(text.formula and text.tex for text in METRIC_TEXTS.values())


def test_a_meaning_names_the_value_of_an_even_ring_where_it_is_told() -> None:
    """The title alone says enough of an error."""
    assert METRIC_TEXTS['rho'].meaning == 'order parameter, 0 is even'
    assert METRIC_TEXTS['E_r'].meaning == 'radial error'
