"""Key of a run: every parameter, the seed, and the version of the code."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any


def parameters_digest(scenario: Mapping[str, Any]) -> str:
    """Return the digest of all parameters of a scenario, with its seed, without its name.

    Args:
        scenario: Result of ``Scenario.as_dict``.
    """
    content = {section: values for section, values in scenario.items() if section != 'name'}
    text = json.dumps(content, sort_keys=True, separators=(',', ':'))
    return hashlib.sha256(text.encode()).hexdigest()


def run_key(parameters: str, code: str) -> str:
    """Return the key of a run.

    Args:
        parameters: ``parameters_digest`` of its scenario.
        code: ``code_version`` that simulates it.
    """
    return hashlib.sha256(f'{parameters} {code}'.encode()).hexdigest()
