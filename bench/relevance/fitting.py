"""Fitting a logistic function, by Newton's method with a small penalty.

Six coefficients and a few hundred rows need no library.
"""

import math
from collections.abc import Sequence

STEPS = 25
PENALTY = 1.0
"On the coefficients of standardised columns: keeps them finite when rows are separable."

Row = Sequence[float]


def fit(rows: Sequence[Row], right: Sequence[bool]) -> list[float]:
    """Return the constant and the coefficients that make *right* of *rows* most likely.

    >>> constant, slope = fit([[0.0], [1.0], [2.0], [3.0]], [False, False, True, True])
    >>> slope > 0, round(-constant / slope, 2)
    (True, 1.5)
    """
    columns = list(zip(*rows, strict=True))
    means = [sum(column) / len(rows) for column in columns]
    spread = [
        math.sqrt(sum((x - mean) ** 2 for x in column) / len(rows)) or 1.0
        for column, mean in zip(columns, means, strict=True)
    ]
    scaled = [
        [1.0, *((x - m) / s for x, m, s in zip(row, means, spread, strict=True))]
        for row in rows
    ]
    weights = _newton(scaled, right)
    slopes = [w / s for w, s in zip(weights[1:], spread, strict=True)]
    shift = sum(w * m for w, m in zip(slopes, means, strict=True))
    return [weights[0] - shift, *slopes]


def _newton(rows: Sequence[Row], right: Sequence[bool]) -> list[float]:
    size = len(rows[0])
    weights = [0.0] * size
    for _ in range(STEPS):
        slope = [PENALTY * w if at else 0.0 for at, w in enumerate(weights)]
        bend = [[PENALTY * (i == j and i > 0) for j in range(size)] for i in range(size)]
        for row, yes in zip(rows, right, strict=True):
            chance = 1 / (
                1 + math.exp(-sum(w * x for w, x in zip(weights, row, strict=True)))
            )
            doubt = chance * (1 - chance)
            for i, x in enumerate(row):
                slope[i] += (chance - yes) * x
                for j, y in enumerate(row):
                    bend[i][j] += doubt * x * y
        step = _solved(bend, slope)
        weights = [w - s for w, s in zip(weights, step, strict=True)]
        if max(map(abs, step)) < 1e-9:
            break
    return weights


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Solve a symmetric, positive system by elimination."""
    table = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at, pivot in enumerate(table):
        for other in table[at + 1 :]:
            times = other[at] / pivot[at]
            for column in range(at, len(pivot)):
                other[column] -= times * pivot[column]
    found = [0.0] * len(table)
    for at in reversed(range(len(table))):
        known = sum(table[at][k] * found[k] for k in range(at + 1, len(table)))
        found[at] = (table[at][-1] - known) / table[at][at]
    return found
