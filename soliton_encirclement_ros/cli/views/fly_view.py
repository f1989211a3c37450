"""Display of an order to vehicles: a table on a terminal, elsewhere a line per change."""

from collections.abc import Callable, Mapping

from rich.console import Console, RenderableType
from velocity_mobility_ros.core.interrupt import Interrupt

from soliton_encirclement_ros.cli.fly.gate import Faults
from soliton_encirclement_ros.cli.fly.sighting import Sightings
from soliton_encirclement_ros.cli.fly.standing import Standings
from soliton_encirclement_ros.cli.views.fly_table import described, status_table
from soliton_encirclement_ros.cli.views.live_display import LiveDisplay


class FlyView(LiveDisplay):
    """One order."""

    def __init__(
        self, console: Console, seen: Callable[[], Sightings], interrupt: Interrupt | None = None
    ) -> None:
        """Show nothing yet.

        Args:
            console: The console.
            seen: Returns what is known about the vehicles.
            interrupt: The request to end; None: the process ends at once.
        """
        super().__init__(console)
        self._seen, self._interrupt = seen, interrupt
        self._texts: Mapping[str, str] = {}

    def is_ended(self) -> bool:
        """Return whether the operator wants to end."""
        return bool(self._interrupt)

    def faults(self, faults: Faults) -> bool:
        """Show what is wrong at the gate; return whether the operator wants to end."""
        return self._show({name: '; '.join(lines) for name, lines in faults.items()})

    def standings(self, found: Standings) -> bool:
        """Show how an order stands; return whether the operator wants to end."""
        return self._show({name: one.text for name, one in found.items()})

    def sightings(self, seen: Sightings) -> bool:
        """Show what is known; return whether the operator wants to end."""
        if not self._console.is_terminal:
            return self._show({name: described(one) for name, one in seen.items()})
        return self._show({})

    def _show(self, texts: Mapping[str, str]) -> bool:
        before, self._texts = self._texts, texts
        if self._console.is_terminal:
            self.update()
        else:
            news = [name for name, text in texts.items() if text != before.get(name)]
            for name in news:
                self._print(f'{name}: {texts[name]}')
        return bool(self._interrupt)

    def _print(self, line: str) -> None:
        self._console.print(line, highlight=False, soft_wrap=True, markup=False)

    def view(self) -> RenderableType:
        """Return the table."""
        return status_table(self._seen(), self._texts)

    def line(self) -> str:
        """Return the vehicles and their texts; where changes are printed, nobody asks for it."""
        return '; '.join(f'{name}: {text}' for name, text in self._texts.items())
