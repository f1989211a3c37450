"""The verdict on a report of pip-audit; what nobody looked at is no pass."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

GOOD = {'name': 'numpy', 'version': '2.2.6', 'vulns': []}
WEAK = {'name': 'pillow', 'version': '9.0', 'vulns': [{'id': 'CVE-1'}, {'id': 'CVE-2'}]}
UNKNOWN = {'name': 'ours', 'skip_reason': 'not on PyPI'}


@pytest.mark.parametrize(
    ('libraries', 'code', 'line'),
    [
        ([GOOD], 0, '1 libraries without a known weakness'),
        ([GOOD, UNKNOWN], 0, '1 libraries without a known weakness; not known to PyPI: ours'),
        ([GOOD, WEAK], 1, 'weak: pillow 9.0 (CVE-1, CVE-2)'),
        ([UNKNOWN], 0, 'not run: PyPI tells nothing'),
        (None, 0, 'not run: PyPI tells nothing'),
    ],
)
def test_a_report_is_judged(
    repository: Path, tmp_path: Path, libraries: list | None, code: int, line: str
) -> None:
    report = tmp_path / 'report.json'
    if libraries is not None:
        report.write_text(json.dumps({'dependencies': libraries}), encoding='utf-8')
    command = [sys.executable, str(repository / 'requirements' / 'audit.py'), str(report)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (code, '')
    assert done.stdout.startswith(line)
