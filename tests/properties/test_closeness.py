"""Closeness over any action and any attempt: bounded, and complete for the same words."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.store.bodies import attempt, put

from shadowgraph import Library
from shadowgraph.search.closeness import Action
from shadowgraph.search.similar import Comparer

WORDS = st.sampled_from(
    [
        "SQLite", "sqlite", "remove", "delete", "busy_timeout", "--dist", "-n", "42", "x",
        "shut", "down", "stop", "the", "NFS", "net.ipv4.tcp_fin", "v2.1.0", "日本語", "",
    ]
)  # fmt: skip
TEXTS = st.lists(WORDS, max_size=12).map(" ".join) | st.text(max_size=40)
BODIES = st.fixed_dictionaries(
    {
        "solution": TEXTS,
        "result": TEXTS,
        "reason": TEXTS,
        "environment": TEXTS,
        "reusableWhen": st.lists(
            TEXTS | st.fixed_dictionaries({"key": TEXTS, "value": TEXTS}), max_size=2
        ),
    }
)
ANY = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def comparer(library: Library) -> Comparer:
    """Return a comparer over a small index."""
    put(library, attempt("attempt_1", solution="remove SQLite from the NFS share"))
    library.search("anything")
    return Comparer(library.definition, library.analyzer, library.sync.as_it_stands())


def prepared(comparer: Comparer, library: Library, text: str) -> Action:
    """Return an action with the packaged coefficients."""
    return Action(comparer, text, library.definition.ranking["check"])


@ANY
@given(action=TEXTS, body=BODIES)
def test_every_number_keeps_to_its_range(
    comparer: Comparer, library: Library, action: str, body: dict[str, Any]
) -> None:
    """Shares and closeness are between 0 and 1, weights are not negative."""
    asked = prepared(comparer, library, action)

    found = asked.evidence(body)
    near = asked.closeness(body)

    assert all(0 <= value <= 1 for value in (found.done, found.foreign, near.score))
    assert min(found.tried, found.around, found.why) >= 0


@ANY
@given(text=TEXTS)
def test_an_action_in_the_words_of_the_record_does_all_of_it(
    comparer: Comparer, library: Library, text: str
) -> None:
    """All that was tried stands in it, and it names nothing foreign."""
    asked = prepared(comparer, library, text)

    found = asked.evidence({"solution": text})

    assert found.done in (0.0, pytest.approx(1.0))
    assert (found.done > 0) == bool(found.tried)
    assert 0.0 == found.foreign


@ANY
@given(text=TEXTS, body=BODIES)
def test_more_words_of_the_record_never_make_it_less_done(
    comparer: Comparer, library: Library, text: str, body: dict[str, Any]
) -> None:
    """What an action says beside it takes nothing away from what it repeats."""
    before = prepared(comparer, library, text).evidence(body).done

    after = prepared(comparer, library, f"{text} \n {body['solution']}").evidence(body).done

    assert after >= before - 1e-9
