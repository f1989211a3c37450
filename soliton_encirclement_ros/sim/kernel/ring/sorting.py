"""The order of the ring, kept from tick to tick: agents rarely overtake each other."""

from soliton_encirclement_ros.sim.kernel.flight_memory import Counts, Floats

PATIENCE = 32
"""Moves per entry after which the order is sorted from scratch."""


def comes_before(key: Floats, a: int, b: int) -> bool:
    """Return whether one comes before another: by key, then by number."""
    return key[a] < key[b] or (key[a] == key[b] and a < b)


def sort_by(key: Floats, order: Counts, spare: Counts, count: int) -> None:
    """Sort the first ``count`` numbers of an order in place, by their key and then by number.

    Args:
        key: By number.
        order: The numbers, best nearly sorted.
        spare: Space for as many.
        count: How many there are.
    """
    moves = 0
    for p in range(1, count):
        moving = order[p]
        q = p
        while q > 0 and comes_before(key, moving, order[q - 1]):
            order[q] = order[q - 1]
            q -= 1
        order[q] = moving
        moves += p - q
        if moves > PATIENCE * count:
            merge_sort(key, order, spare, count)
            return


def merge_sort(key: Floats, order: Counts, spare: Counts, count: int) -> None:
    """Sort from scratch, by merging runs of doubling length."""
    width = 1
    while width < count:
        for low in range(0, count, 2 * width):
            merge(key, order, spare, low, min(low + width, count), min(low + 2 * width, count))
        for p in range(count):
            order[p] = spare[p]
        width *= 2


def merge(key: Floats, order: Counts, spare: Counts, low: int, middle: int, high: int) -> None:
    """Merge two sorted runs of an order into the spare one."""
    a, b = low, middle
    for p in range(low, high):
        if b >= high or (a < middle and comes_before(key, order[a], order[b])):
            spare[p] = order[a]
            a += 1
        else:
            spare[p] = order[b]
            b += 1


def first_not_before(key: float, number: int, keys: Floats, order: Counts, count: int) -> int:
    """Return the place of the first entry of a sorted order that does not come before another."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key or (keys[middle] == key and order[middle] < number):
            low = middle + 1
        else:
            high = middle
    return low
