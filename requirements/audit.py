"""Judges a report of pip-audit: prints a line, and ends with 1 if a library has a known weakness.

pip-audit passes where PyPI told it nothing at all; here that is no verdict.
"""

import json
import sys
from pathlib import Path

NOT_RUN = 'not run: PyPI tells nothing of weaknesses from here (no pip-audit, network or JSON API)'


def verdict(libraries: list[dict]) -> tuple[bool, str]:
    """Return whether the libraries pass, and why, in a line.

    Args:
        libraries: The entry ``dependencies`` of the report.
    """
    audited = [one for one in libraries if 'skip_reason' not in one]
    if not audited:
        return True, NOT_RUN
    weak = [
        f'{one["name"]} {one["version"]} ({", ".join(each["id"] for each in one["vulns"])})'
        for one in audited if one.get('vulns')
    ]  # fmt: skip
    unknown = [one['name'] for one in libraries if one not in audited]
    rest = f'; not known to PyPI: {", ".join(unknown)}' if unknown else ''
    if weak:
        return False, f'weak: {"; ".join(weak)}{rest}'
    return True, f'{len(audited)} libraries without a known weakness{rest}'


if __name__ == '__main__':
    file = Path(sys.argv[1])
    found = json.loads(file.read_text(encoding='utf-8'))['dependencies'] if file.exists() else []
    passes, line = verdict(found)
    print(line)
    sys.exit(not passes)
