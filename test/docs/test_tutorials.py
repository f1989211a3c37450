"""The tutorials run word by word: what they say is typed, what they show is what is printed."""

from pathlib import Path

import pytest

from support.pages import TUTORIALS
from support.ready import agents_code, laws
from support.ros_domain import domain_of_its_own
from support.tutorial_reader import reader_of

__all__ = ['agents_code', 'laws']

pytestmark = [pytest.mark.ros, pytest.mark.timeout(400, func_only=True)]


@pytest.mark.parametrize('page', TUTORIALS)
def test_a_tutorial_runs_word_by_word(page: str, tmp_path: Path) -> None:
    with domain_of_its_own() as domain, reader_of(page, tmp_path, domain) as reader:
        reader.follow()
