"""The kernels of the coach's verdicts against the same in plain Python."""

from __future__ import annotations

import math
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from bosquet.core.state import MAX_SEATS
from bosquet.lab import luck, verdicts

SIMULATIONS = 400


class Row(NamedTuple):
    """A choice as it was weighed."""

    value: float
    wins: list[float]
    points: list[float]
    won: float
    gain: int
    over: bool
    solved: bool


@st.composite
def decisions(draw: st.DrawFn) -> tuple[list[Row], int]:
    """One to five choices of a seat among one to four; values are often equal."""
    players = draw(st.integers(1, MAX_SEATS))
    share = st.integers(0, SIMULATIONS).map(lambda won: won / SIMULATIONS)
    row = st.builds(
        Row,
        st.integers(0, 4).map(float),
        st.lists(share, min_size=players, max_size=players),
        st.lists(st.integers(-400, 4000).map(lambda points: points / 100), min_size=players, max_size=players),
        share,
        st.integers(-3, 9),
        st.booleans(),
        st.booleans(),
    )
    return draw(st.lists(row, min_size=1, max_size=5)), draw(st.integers(0, players - 1))


def flat(rows: list[list[float]]) -> list[float]:
    return [x for row in rows for x in (*row, *[0.0] * (MAX_SEATS - len(row)))]


def in_order(chances: list[list[float]], seat: int) -> list[list[float]]:
    blocks: list[tuple[list[float], int]] = []
    for one in chances:
        mean, count = list(one), 1
        while blocks and blocks[-1][0][seat] < mean[seat]:
            before, more = blocks.pop()
            mean = [(count * a + more * b) / (count + more) for a, b in zip(mean, before, strict=True)]
            count += more
        blocks.append((mean, count))
    return [mean for mean, count in blocks for _ in range(count)]


@given(decisions())
def test_choices_are_ranked_and_their_chances_put_in_order(given: tuple[list[Row], int]) -> None:
    rows, seat = given
    n, order, wins = len(rows), [0] * len(rows), flat([row.wins for row in rows])
    verdicts.rank([row.value for row in rows], order, n)
    assert order == sorted(range(n), key=lambda i: -rows[i].value)
    over, solved = [int(row.over) for row in rows], [int(row.solved) for row in rows]
    verdicts.order_wins(wins, order, over, solved, n, seat, [0.0] * len(wins), [0] * n)
    free = [i for i in order if all(solved) or not rows[i].over]
    expected = [row.wins for row in rows]
    for i, chances in zip(free, in_order([rows[i].wins for i in free], seat), strict=True):
        expected[i] = [round(chance, 4) for chance in chances]
    for found, chance in zip(wins, flat(expected), strict=True):
        assert math.isclose(found, chance, abs_tol=1.0001e-4)  # where the next digit is a 5, a float decides


@given(decisions())
def test_a_loss_and_its_reason_are_those_of_plain_python(given: tuple[list[Row], int]) -> None:
    rows, seat = given
    top, made = rows[0], rows[-1]
    players = len(top.points)
    wins, points = flat([top.wins, made.wins]), flat([top.points, made.points])
    others = [i for i in range(players) if i != seat]

    def lead(row: Row) -> float:
        return row.points[seat] - max((row.points[i] for i in others), default=0.0)

    short = lead(top) - lead(made)
    noise = math.sqrt((top.won * (1 - top.won) + made.won * (1 - made.won)) / SIMULATIONS)
    lost = max(0.0, top.wins[seat] - made.wins[seat]) if top.won - made.won > verdicts.NOISE * noise else 0.0
    if players == 1:
        lost = short / 100 if short > verdicts.CLOSE_POINTS else 0.0
    assert verdicts.lost_chance(wins, points, [top.won, made.won], 0, 1, players, seat, SIMULATIONS) == lost
    assert verdicts.lead(points, 0, players, seat) - verdicts.lead(points, 1, players, seat) == short

    sizes: list[float] = [
        top.gain - made.gain,
        max((made.points[i] - top.points[i] for i in others), default=0.0),
        top.points[seat] - made.points[seat],
    ]
    if sizes[0] >= 1 and sizes[0] >= sizes[1]:
        kind = verdicts.GIVEN_AWAY
    else:
        kind = verdicts.OPENED if sizes[1] > sizes[2] else verdicts.UNSCORED
    gains: list[float] = [top.gain, made.gain]
    assert verdicts.reason_kind(points, gains, 0, 1, players, seat) == kind
    assert verdicts.reason_points(points, gains, 0, 1, players, seat, kind) == sizes[kind]


@given(st.integers(-(10**6), 10**6), st.sampled_from([2, 4, 5]))
def test_numbers_are_rounded_as_the_language_does(number: int, digits: int) -> None:
    for parts in (400, 1200, 1024):
        value, parts_of_one = number / parts, 10**digits
        close = abs(value * parts_of_one % 1 - 0.5) < 1e-6  # there the product decides, not the digits
        assert close or verdicts.rounded(value, parts_of_one) == round(value, digits)


@given(
    st.lists(
        st.tuples(st.lists(st.integers(0, 9), min_size=3, max_size=3), st.sets(st.integers(0, 2), min_size=1)),
        min_size=1,
    ),
    st.integers(0, 2),
    st.integers(0, 9),
)
def test_luck_is_counted_as_in_plain_python(played: list[tuple[list[int], set[int]]], seat: int, yours: int) -> None:
    counts = [0] * luck.COUNTS
    for points, winners in played:
        luck.count_game(counts, 0, points[seat], sum(1 << winner for winner in winners), seat, yours)
    own = [points[seat] for points, _ in played]
    assert counts[luck.POINTS] == sum(own)
    assert math.isclose(counts[luck.WINS] / luck.SHARES, sum(1 / len(won) for _, won in played if seat in won))
    assert counts[luck.BEATEN] == 2 * sum(one < yours for one in own) + own.count(yours)
