"""docs/own_law.md, word for word: the law on it flies, and nothing else is touched."""

import re
from pathlib import Path

from support.cli import REPOSITORY
from support.here import swarm_here
from support.ready import NO_HURRY, laws

__all__ = ['laws', 'swarm_here']

pytestmark = NO_HURRY

PAGE = (REPOSITORY / 'docs' / 'own_law.md').read_text()
(LAW,) = re.findall(r'```python\n(.*?)```', PAGE, re.DOTALL)
(COMMANDS,) = re.findall(r'```sh\n(.*?)```', PAGE, re.DOTALL)


def test_the_law_is_one_file_of_less_than_forty_lines():
    assert len(LAW.splitlines()) < 40
    assert (REPOSITORY / 'test' / 'support' / 'laws' / 'pursuit.py').read_text() == LAW


def test_it_flies_beside_the_default_law(swarm_here):
    Path('pursuit.py').write_text(LAW)
    simulate = COMMANDS.splitlines()[0].split()[1:]
    done = swarm_here(*simulate, '--duration', '5', '--format', 'none')
    assert 'pursuit' in done.out and '6 of 6 runs flown to the end' in done.out + done.err
