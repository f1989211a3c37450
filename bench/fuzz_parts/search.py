"""The search for input that a reader did not expect.

    python search.py NAME FOLDER MINUTES      atheris looks, guided by what of the package was run

An error that is none of the reader's own, or comes without a line of text, is a finding. Each kind
(by exception and place) is kept once, with its input; the search goes on.
"""

import hashlib
import json
import math
import os
import random
import resource
import struct
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

from fuzz_parts.reader import REPOSITORY, SLOW, try_input
from fuzz_parts.readers import READERS

MOST_MEMORY = 1500
"""Memory that no input of some kilobytes needs [MB]."""
LONGEST = 200_000
PACKAGES = ['soliton_encirclement_ros', 'velocity_mobility_ros', 'pyulog']
"""What an input must reach something new of to be kept."""

TOKENS = (
    b'.nan', b'.inf', b'-.inf', b'nan', b'1e400', b'-0.0', b'5e-324', b'1e308', b'null', b'~',
    b'true', b'no', b'[]', b'{}', b'[', b'{', b'}', b': ', b'- ', b'\n', b'!!int ""',
    b'!!float x', b'&a ', b'*a', b'<<: ', b'!!binary a', b'!!timestamp 2020-13-45', b'!!set {1}',
    b'!!omap [1]', b'!!pairs [1]', b'2020-13-45', b'0x10', b'017', b'3:20', b'9' * 400, b'-1',
    b'99999999999999999999', b'uav_99', b'"', b"'", b'\\', b'\xff', b'\xef\xbb\xbf', b'\0',
    b'\xe2\x98\x83', b'\xed\xa0\x80', b',', b';', b'=', b'..', b'?', b'#', b'|', b'>', b'%', b'@',
    b'\t', b'\r', b'NaN', b'Infinity', b'x' * 3000,
)  # fmt: skip
NUMBERS = (
    *(struct.pack('<f', value) for value in (math.nan, math.inf, -math.inf, 3e38, -1e-45)),
    *(struct.pack('<d', value) for value in (math.nan, math.inf, -math.inf, 1e308, -5e-324)),
    *(struct.pack('<I', value) for value in (0, 1, 2**31 - 1, 2**31, 2**32 - 1)),
    *(struct.pack('<Q', value) for value in (0, 1, 2**63 - 1, 2**63, 2**64 - 1)),
)  # fmt: skip
"""Numbers of binary files that are written over others."""
PARTING = b' \n,:;=[]{}"\''


def mutate(data: bytes, rng: random.Random) -> bytes:
    """Return a changed input: words, numbers, bytes replaced, lines moved."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        if not data:
            return rng.choice(TOKENS)
        at = rng.randrange(len(data))
        way = rng.randrange(7)
        end = next((k for k in range(at, min(len(data), at + 80)) if data[k] in PARTING), at + 1)
        if way == 0:
            data = data[:at] + rng.choice(TOKENS) + data[end:]
        elif way == 1:
            data = data[:at] + rng.choice(TOKENS) + data[at:]
        elif way == 2:
            data = data[:at] + data[end:]
        elif way == 3:
            other = rng.randrange(len(data))
            data = data[:at] + data[other : other + rng.randrange(1, 60)] + data[end:]
        elif way == 4:
            data = data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
        elif way == 5:
            number = rng.choice(NUMBERS)
            data = data[:at] + number + data[at + len(number) :]
        else:
            lines = data.split(b'\n')
            lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
            data = b'\n'.join(lines)
    return data[:LONGEST]


class Search:
    """A search with its findings; inputs are kept in a folder."""

    def __init__(self, name: str, folder: Path, minutes: float) -> None:
        """Look for so many minutes of the processor's time."""
        self.reader, self.folder, self.limit = READERS[name](), folder, 60.0 * minutes
        self.name, self.runs, self.kinds = name, 0, dict[str, str]()
        self._written_at = 0.0

    def one(self, data: bytes) -> None:
        """Try an input; end the process when the time is over."""
        self.runs += 1
        finding = try_input(self.reader, data)
        if finding and finding.kind not in self.kinds:
            path = self.folder / f'finding_{hashlib.sha1(finding.kind.encode()).hexdigest()[:8]}'
            path.write_bytes(data)
            self.kinds[finding.kind] = finding.text
            print(f'FINDING {self.name}: {finding.kind}: {finding.text}; {path}', flush=True)
        used = time.process_time()
        if used - self._written_at > 5.0 or used > self.limit:
            self._written_at = used
            self.tell()
        if used > self.limit:
            os._exit(0)

    def tell(self) -> None:
        """Write how far it is."""
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
        (self.folder / 'result.json').write_text(json.dumps({
            'reader': self.name, 'runs': self.runs, 'cpu_s': round(time.process_time(), 1),
            'memory_mb': round(memory), 'findings': self.kinds,
        }))  # fmt: skip


def fuzz_readers(
    names: Sequence[str], minutes: float, out: Path, say: Callable[[str], None]
) -> int:
    """Let atheris look at readers, each in processes of its own; return 1 if it found anything.

    Args:
        names: The readers.
        minutes: Time of the processor for each.
        out: Folder of findings and inputs, a folder for each reader.
        say: Takes a line.
    """
    if find_spec('atheris') is None:
        say('error: atheris is missing: pip install --target FOLDER atheris==3.0.0 (Python 3.11 '
            'to 3.13, Linux x86_64), then PYTHONPATH=FOLDER')  # fmt: skip
        return 2
    rooms = [REPOSITORY / room for room in ('', 'bench', 'test')]
    before = os.environ.get('PYTHONPATH', '')
    environment = {**os.environ, 'PYTHONPATH': os.pathsep.join([*map(str, rooms), before])}
    has_found = False
    for name in names:
        folder, left, total, found = out / name, 60.0 * minutes, Counter[str](), {}
        folder.mkdir(parents=True, exist_ok=True)
        while left > 1.0:
            command = [sys.executable, '-P', __file__, name, str(folder), str(left / 60.0)]
            with (folder / 'atheris.log').open('ab') as log:
                code = subprocess.run(
                    command, stdout=log, stderr=log, env=environment, check=False
                ).returncode
            path = folder / 'result.json'
            result = json.loads(path.read_text()) if path.exists() else {}
            path.unlink(missing_ok=True)
            left -= max(5.0, result.get('cpu_s', 0.0))
            total.update(runs=result.get('runs', 0), cpu_s=result.get('cpu_s', 0))
            found |= result.get('findings', {})
            if code:
                found[f'ended with {code}'] = f'see {folder}/atheris.log, and timeout-*, oom-*'
        has_found |= bool(found)
        memory = result.get('memory_mb')
        say(json.dumps({'reader': name, **total, 'memory_mb': memory, 'findings': found}))
    return int(has_found)


def main() -> None:
    """Look with atheris, guided by what of the package was run."""
    import atheris

    name, folder, minutes = sys.argv[1], Path(sys.argv[2]), float(sys.argv[3])
    corpus = folder / 'corpus'
    corpus.mkdir(parents=True, exist_ok=True)
    with atheris.instrument_imports(include=PACKAGES):
        search = Search(name, folder, minutes)
    for seed in search.reader.seeds:
        (corpus / hashlib.sha1(seed).hexdigest()).write_bytes(seed)

    def change(data: bytes, most: int, seed: int) -> bytes:
        rng = random.Random(seed)
        return mutate(data, rng)[:most] if rng.random() < 0.6 else atheris.Mutate(data, most)

    words = [sys.argv[0], f'-timeout={10 * SLOW:.0f}', f'-rss_limit_mb={MOST_MEMORY}',
             f'-artifact_prefix={folder}/', f'-max_len={LONGEST}', '-len_control=0',
             '-print_final_stats=0', '-verbosity=0', str(corpus)]  # fmt: skip
    atheris.Setup(words, search.one, custom_mutator=change)
    atheris.Fuzz()


if __name__ == '__main__':
    main()
