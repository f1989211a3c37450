"""The kernel is compiled without any law, and asks for none."""

import re
from pathlib import Path

from soliton_encirclement_ros.controllers import CONTROLLERS
from soliton_encirclement_ros.core.parameters.control_parameters import LAYER_NAMES
from soliton_encirclement_ros.sim import kernel

FILES = sorted(Path(kernel.__file__).parent.rglob('*.py'))
IMPORTS = re.compile(r'^from soliton_encirclement_ros\.(\S+) import', re.MULTILINE)


def test_no_law_and_no_layer_is_named_or_imported() -> None:
    for path in FILES:
        found = IMPORTS.findall(path.read_text())
        assert not [name for name in found if name.startswith(('controllers', 'propagation'))]
        text = path.read_text().replace('soliton_encirclement_ros', '')
        for name in (*CONTROLLERS, *LAYER_NAMES):
            assert not re.search(rf'\b{name}\b', text, re.IGNORECASE), (path, name)
