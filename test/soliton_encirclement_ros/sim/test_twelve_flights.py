"""Twelve small flights are flown as they were when they were stored, on any machine.

After a change that is meant: ``python bench/oracle.py --store``.
"""

import numpy as np
import pytest
from oracle_parts.series import STORED, TWELVE, twelve

from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY


@pytest.fixture(scope='module')
def now():
    """Return the flights of today."""
    return twelve()


@pytest.mark.parametrize('name', TWELVE)
def test_a_flight_is_as_it_was(now, name):
    with np.load(STORED) as stored:
        np.testing.assert_allclose(now[name], stored[name], rtol=1e-9, atol=1e-9)
