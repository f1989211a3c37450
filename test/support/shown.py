"""What a terminal shows of what is written to it, without a process."""

import io

import pyte
from rich.console import Console


class ShownConsole(Console):
    """A console on an emulated terminal.

    Attributes:
        screen: The terminal.
    """

    def __init__(self, columns: int, lines: int, encoding: str = 'utf-8') -> None:
        """Show nothing yet."""
        self.screen = pyte.Screen(columns, lines)
        self.screen.set_mode(pyte.modes.LNM)
        self._stream = pyte.Stream(self.screen)
        self._written = io.BytesIO()
        file = io.TextIOWrapper(self._written, encoding=encoding, write_through=True)
        super().__init__(file=file, force_terminal=True, width=columns, height=lines)

    def resize(self, columns: int, lines: int) -> None:
        """Change the size of the terminal."""
        self.lines()
        self.screen.resize(lines, columns)
        self.size = columns, lines

    def lines(self) -> list[str]:
        """Return what is shown now, without empty lines at the end."""
        written = self._written.getvalue().decode(self.encoding)
        self._written.seek(0)
        self._written.truncate()
        self._stream.feed(written)
        return '\n'.join(line.rstrip() for line in self.screen.display).rstrip('\n').split('\n')
