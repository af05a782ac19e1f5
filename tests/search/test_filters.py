"""Filters are part of the query: what passes them fills every page.

The combinations are held against a model in plain Python that reads the bodies.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import StoppedClock
from tests.search.asking import ids
from tests.store.bodies import attempt, decision, fact, put

from shadowgraph import Library
from shadowgraph.clock import to_millis
from shadowgraph.model.filters import Filter
from shadowgraph.search.snapshot import MOST_BESIDE

START = datetime(2026, 1, 1, tzinfo=UTC)
PROJECTS = ("acme/billing-api", "acme/web-shop")
SOURCES = (
    "agent_claimed",
    "tool_observed",
    "human_confirmed",
    "production_verified",
)
ENVIRONMENTS = ("SQLite 3.45, Linux", "PostgreSQL 16, Linux", "SQLite 3.45, macOS 14", "")


def day(number: int) -> str:
    """Return an instant, so many days after the first."""
    return (START + timedelta(days=number)).strftime("%Y-%m-%dT%H:%M:%SZ")


def bodies() -> list[dict[str, Any]]:
    """Return 36 records in which every value meets every other."""
    made = []
    for n in range(36):
        common = {
            "project": PROJECTS[n % 2],
            "sourceClass": SOURCES[n % 4],
            "createdAt": day(n // 3),
        }
        if n % 3 == 0:
            result = (None, "failed", "succeeded", "inconclusive")[n // 3 % 4]
            fields = {"solution": "quicksilver", "environment": ENVIRONMENTS[n // 6 % 4]}
            ended = {"resultClass": result} if result else {"result": "It crashed."}
            made.append(attempt(f"attempt_{n}", **common, **fields, **ended))
        elif n % 3 == 1:
            state = ("proposed", "failed", "superseded")[n // 3 % 3]
            confidence = {"current": n % 10 / 10}
            made.append(
                decision(
                    f"decision_{n}",
                    **common,
                    title="quicksilver",
                    status=state,
                    confidence=confidence,
                )
            )
        else:
            state = ("active", "expired")[n // 3 % 2]
            made.append(
                fact(
                    f"fact_{n}",
                    **common,
                    key=f"quicksilver.{n}",
                    status=state,
                    confidence=n % 5 / 5,
                )
            )
    return made


BODIES = bodies()


@pytest.fixture(scope="module")
def crossed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Yield a library with the records."""
    with Library(tmp_path_factory.mktemp("crossed"), clock=StoppedClock()) as library:
        put(library, *BODIES)
        library.search("anything")
        yield library


def ended(body: dict[str, Any]) -> str | None:
    """Return how an attempt ended, as the records say it."""
    if body["kind"] != "attempt":
        return None
    return str(body.get("resultClass") or "failed")


def confidence(body: dict[str, Any]) -> float | None:
    """Return the current confidence of a record that has one."""
    held = body.get("confidence")
    return held["current"] if isinstance(held, dict) else held


def passes(body: dict[str, Any], wanted: Filter) -> bool:
    """Say whether a record fulfils every condition of a filter."""
    created = to_millis(datetime.fromisoformat(body["createdAt"]))
    scene = set(body.get("environment", "").lower().replace(",", "").split())
    held = confidence(body)
    return all(
        (
            wanted.owner in (None, f"project:{body['project']}"),
            not wanted.kinds or body["kind"] in wanted.kinds,
            not wanted.statuses
            or body.get("status") in wanted.statuses
            or ended(body) in wanted.statuses,
            not wanted.result_classes or ended(body) in wanted.result_classes,
            not wanted.source_classes or body["sourceClass"] in wanted.source_classes,
            set(wanted.environment.lower().split()) <= scene,
            wanted.min_confidence is None
            or (held is not None and held >= wanted.min_confidence),
            wanted.since is None or created >= wanted.since,
            wanted.until is None or created < wanted.until,
        )
    )


def some(*values: str) -> st.SearchStrategy[tuple[str, ...]]:
    """Return any choice among values, the empty one most often."""
    return st.just(()) | st.lists(st.sampled_from(values), max_size=2, unique=True).map(
        tuple
    )


INSTANTS = st.none() | st.integers(-1, 21).map(
    lambda number: to_millis(START + timedelta(days=number))
)
FILTERS = st.builds(
    Filter,
    owner=st.sampled_from([None, *(f"project:{name}" for name in PROJECTS), "project:no"]),
    kinds=some("attempt", "decision", "fact", "memory"),
    statuses=some("proposed", "failed", "superseded", "active", "expired", "inconclusive"),
    result_classes=some("failed", "succeeded", "inconclusive", "undetermined"),
    source_classes=some(*SOURCES),
    environment=st.sampled_from(["", "", "", "linux", "SQLite 3.45", "macos", "windows"]),
    min_confidence=st.none() | st.sampled_from([0.0, 0.2, 0.4, 0.5, 0.7, 0.9, 1.0]),
    since=INSTANTS,
    until=INSTANTS,
)


@pytest.mark.parametrize("text", ["", "quicksilver"])
@given(wanted=FILTERS)
def test_a_filter_passes_what_the_model_passes(
    crossed: Library, text: str, wanted: Filter
) -> None:
    """With words and without them, in any combination."""
    answer = crossed.search(text, wanted, limit=100)

    expected = {body["id"] for body in BODIES if passes(body, wanted)}
    assert expected == {hit.record.id for hit in answer.hits}
    assert len(expected) == answer.total


@given(wanted=FILTERS)
def test_a_filter_does_not_change_the_order(crossed: Library, wanted: Filter) -> None:
    """It takes records out; those that stay keep their places.

    A failed attempt alone may rise, above what the filter left to rise above.
    """
    whole = crossed.search("quicksilver", limit=100).hits
    within = crossed.search("quicksilver", wanted, limit=100).hits

    kept = [hit.record.id for hit in within if hit.rank.result != "failed"]
    assert [hit.record.id for hit in whole if hit.record.id in set(kept)] == kept


def test_a_page_is_full_of_what_passes(crossed: Library) -> None:
    """A filter that only thinned a page out would leave it short."""
    wanted = Filter(owner="project:acme/web-shop", kinds=("decision",))

    answer = crossed.search("quicksilver", wanted, limit=5)

    assert (5, 6) == (len(answer.hits), answer.total)


def test_without_words_the_newest_come_first(crossed: Library) -> None:
    """A listing, not a ranking."""
    answer = crossed.search("", limit=36)

    created = [hit.record.body["createdAt"] for hit in answer.hits]
    assert sorted(created, reverse=True) == created
    assert 36 == answer.total


def test_a_form_in_the_query_filters_like_the_argument(crossed: Library) -> None:
    """`kind:` and `status:` mean what the filter means."""
    typed = ids(crossed, "quicksilver kind:decision status:superseded", limit=36)

    given_ = ids(
        crossed, "quicksilver", limit=36, kinds=("decision",), statuses=("superseded",)
    )
    assert given_ == typed
    assert typed


def test_a_failed_state_is_also_a_failed_result(crossed: Library) -> None:
    """To its user both are things that failed."""
    found = ids(crossed, "status:failed quicksilver", limit=36)

    assert {"attempt", "decision"} == {one.split("_")[0] for one in found}


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("macOS 14", "macos"),
        ("macos 14", "macOS"),
        ("PostgreSQL 16", "postgresql"),
        ("Node.js 22", "nodejs"),
        ("Windows 11", "windows"),
        ("Python 3.12, Linux", "linux python"),
    ],
)
def test_an_environment_is_found_in_any_spelling(
    library: Library, written: str, asked: str
) -> None:
    """Capitals inside a name do not hide it."""
    put(library, attempt("attempt_1", environment=written), attempt("attempt_2"))

    assert ["attempt_1"] == ids(library, "", environment=asked)


@pytest.mark.parametrize(
    ("written", "asked"),
    [("Python 3.11.7", "3.11.2"), ("数据库", "数字"), ("Linux", "Linux 6.1")],
)
def test_another_environment_is_not_found(
    library: Library, written: str, asked: str
) -> None:
    """A shared part of a version or of a word is not the same environment."""
    put(library, attempt("attempt_1", environment=written))

    assert [] == ids(library, "", environment=asked)


def test_a_range_of_time_is_half_open(library: Library) -> None:
    """The first instant is in it, the last is not."""
    put(library, *(attempt(f"attempt_{n}", createdAt=day(n)) for n in range(4)))

    found = ids(
        library,
        "",
        since=to_millis(START + timedelta(days=1)),
        until=to_millis(START + timedelta(days=3)),
    )

    assert ["attempt_2", "attempt_1"] == found


@pytest.mark.parametrize("token", ["C++", "C#", "F#", "C", ".NET", "J#"])
def test_languages_with_signs_are_told_apart(library: Library, token: str) -> None:
    """Whoever looks for one does not find the others."""
    tokens = {"C++": "cpp", "C#": "cs", "F#": "fs", "C": "c", ".NET": "net", "J#": "js"}
    put(
        library,
        *(
            attempt(f"attempt_{name}", solution=f"Compiled the {sign} parser anew.")
            for sign, name in tokens.items()
        ),
    )

    assert [f"attempt_{tokens[token]}"] == ids(library, token)
    assert [f"attempt_{tokens[token]}"] == ids(library, token.lower())
    assert f"attempt_{tokens[token]}" == ids(library, f"{token} parser")[0]


@pytest.mark.parametrize("others", [0, 1, 3, MOST_BESIDE, MOST_BESIDE + 1, 40])
def test_an_owner_finds_its_own_however_many_there_are(
    library: Library, others: int
) -> None:
    """Few others are left out by name, of many the one is picked: both find the same."""
    main = {"attempt_" + str(n): "acme/main" for n in range(12)}
    beside = {f"attempt_of_{n}": f"acme/beside-{n}" for n in range(others)}
    put(
        library,
        *(
            attempt(name, project=project, solution="quicksilver")
            for name, project in (main | beside).items()
        ),
    )

    for project in {*(main | beside).values(), "acme/none"}:
        owned = {name for name, of in (main | beside).items() if of == project}
        for text in ("quicksilver", ""):
            wanted = Filter(owner=f"project:{project}")
            answer = library.search(text, wanted, limit=50)
            assert owned == {hit.record.id for hit in answer.hits}
            assert len(owned) == answer.total
