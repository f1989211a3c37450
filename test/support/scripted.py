"""For tests of chance: a random stream that somebody wrote down."""


class Scripted:
    """A stream that hands out given numbers."""

    def __init__(self, *draws: float) -> None:
        """Hand out these."""
        self.draws = list(draws)

    def uniform(self, low: float, high: float) -> float:
        """Return the next number, which must fit."""
        draw = self.draws.pop(0)
        assert low <= draw <= high
        return draw
