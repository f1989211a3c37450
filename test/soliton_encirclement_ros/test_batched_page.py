"""docs/batched.md, word for word: the example runs."""

import re
from typing import Any

import numpy as np
from support.cli import REPOSITORY

PAGE = (REPOSITORY / 'docs' / 'batched.md').read_text()
(EXAMPLE,) = re.findall(r'```python\n(.*?)```', PAGE, re.DOTALL)


def test_the_example_flies() -> None:
    """Fewer bodies and updates, otherwise as it stands."""
    assert len(EXAMPLE.splitlines()) <= 15
    short = EXAMPLE.replace('1000', '10').replace('range(500)', 'range(120)')
    assert (EXAMPLE.count('1000'), EXAMPLE.count('range(500)')) == (2, 1)
    names: dict[str, Any] = {}
    exec(short, names)
    position = names['bodies'].motion().position
    assert position.shape == (10, 3) and np.isfinite(position).all()
    assert 0.5 < position[:, 0].mean() < 3.5
    assert len({one.mass for one in names['bodies'].parameters}) == 10
