"""Result of a run, as sent from a worker to the store."""

import json
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.core.run.experiment_records import Curves
from soliton_encirclement_ros.core.run.run_folder import code_version
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim import flight

MAX_ERROR_LENGTH = 300
"""Maximum length of an error [characters]."""


class RunResult(NamedTuple):
    """Result of a run.

    Attributes:
        key: The run's key.
        code: Version of the code that simulated it.
        error: Why there is no result, in one line; empty if there is one.
        summary: JSON text.
        study: JSON text.
        curves: Packed by ``pack_curves``.
    """

    key: str
    code: str
    error: str = ''
    summary: str = ''
    study: str = ''
    curves: bytes = b''


def fly_run(key: str, scenario: Scenario) -> RunResult:
    """Simulate one run; an error becomes part of the result."""
    try:
        flown = flight.fly(scenario)
        summary, study = json.dumps(flown.summary), json.dumps(flown.study)
        return RunResult(key, code_version(), '', summary, study, pack_curves(flown.curves))
    except Exception as error:
        reason = ' '.join(f'{type(error).__name__}: {error}'.split())
        return RunResult(key, code_version(), reason[:MAX_ERROR_LENGTH])


def pack_curves(curves: Curves) -> bytes:
    """Return curves of equal length as bytes, in single precision, enough for plots."""
    head = json.dumps(list(curves)).encode()
    values = np.array([list(curve) for curve in curves.values()], dtype='<f4')
    return len(head).to_bytes(4, 'little') + head + values.tobytes()


def unpack_curves(packed: bytes) -> dict[str, list[float]]:
    """Return the curves packed by ``pack_curves``."""
    size = int.from_bytes(packed[:4], 'little')
    names = json.loads(packed[4 : 4 + size])
    values = np.frombuffer(packed[4 + size :], dtype='<f4').astype(float)
    rows = values.reshape(len(names), -1) if names else np.empty((0, 0))
    return dict(zip(names, rows.tolist(), strict=True))
