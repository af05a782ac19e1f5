"""What comes first. Each test is one promise about two or three records."""

import pytest
from tests.search.asking import ids
from tests.store.bodies import attempt, decision, fact, put

from shadowgraph import Library

OTHERS = [
    attempt(f"attempt_other-{number}", solution=f"Painted wall {number} in another colour")
    for number in range(20)
]


def ranked(library: Library, query: str, **named: str) -> list[str]:
    """Return the ids in their order, without the kind."""
    answer = library.search(query, limit=50, **named)  # type: ignore[arg-type]
    return [hit.record.id.split("_", 1)[1] for hit in answer.hits]


def test_the_exact_word_comes_above_its_stem(library: Library) -> None:
    """Both are found, and the one as it was written comes first."""
    put(
        library,
        *OTHERS,
        attempt("attempt_exact", solution="The writer was locking rows of the ledger"),
        attempt("attempt_stem", solution="The writer was locked rows of the ledger"),
    )

    assert ["exact", "stem"] == ranked(library, "locking")
    assert ["stem", "exact"] == ranked(library, "locked")


def test_the_word_itself_comes_above_a_part_of_an_identifier(library: Library) -> None:
    """`user` alone says more than `get_user_by_id`."""
    put(
        library,
        *OTHERS,
        attempt("attempt_part", solution="Called get_ledger_row by hand each night"),
        attempt("attempt_word", solution="Called the ledger by hand each second night"),
    )

    assert ["word", "part"] == ranked(library, "ledger")


def test_an_identifier_in_any_spelling_comes_above_its_words(library: Library) -> None:
    """The whole of it is one token, whatever joins its words."""
    put(
        library,
        *OTHERS,
        attempt(
            "attempt_words", solution="The api key of openai was in the log of the api"
        ),
        attempt("attempt_whole", solution="Left OPENAI_API_KEY in the log of the worker"),
    )

    for query in ("OPENAI_API_KEY", "openai-api-key", "openaiApiKey"):
        assert ["whole", "words"] == ranked(library, query)


def test_a_phrase_comes_above_scattered_words(library: Library) -> None:
    """The words side by side, in the order of the query."""
    put(
        library,
        *OTHERS,
        attempt("attempt_scattered", solution="A locked door and is the old database here"),
        attempt("attempt_phrase", solution="A door and the old database is locked here"),
    )

    assert ["phrase", "scattered"] == ranked(library, "database is locked")


def test_a_quoted_phrase_must_stand_word_for_word(library: Library) -> None:
    """Quotation marks are a demand."""
    put(
        library,
        *OTHERS,
        attempt("attempt_scattered", solution="A locked door and the old database here"),
        attempt("attempt_phrase", solution="A door and the old database is locked here"),
    )

    assert ["phrase"] == ranked(library, '"database is locked"')


def test_a_word_in_the_title_comes_above_a_word_in_the_body(library: Library) -> None:
    """What a record is about, before what it mentions."""
    put(
        library,
        *OTHERS,
        decision("decision_body", title="Painted the old wall", chosen="Ledger colour"),
        decision("decision_title", title="Painted the old ledger", chosen="Wall colour"),
    )

    assert ["title", "body"] == ranked(library, "ledger")


def test_a_failed_attempt_comes_above_a_decision_that_mentions_the_words(
    library: Library,
) -> None:
    """What to avoid comes first."""
    words = "Keep the ledger on the network share"
    put(
        library,
        *OTHERS,
        decision("decision_mention", title=words, chosen="As it is"),
        attempt("attempt_failed", solution=words, result="As it was", resultClass="failed"),
    )

    assert ["failed", "mention"] == ranked(library, "ledger network share")


def test_a_failure_told_by_its_wording_comes_above_a_success(library: Library) -> None:
    """Nobody has to declare it."""
    words = "Keep the ledger on the network share"
    put(
        library,
        *OTHERS,
        attempt("attempt_worked", solution=words, result="It never crashed at night"),
        attempt("attempt_broke", solution=words, result="It always crashed at night"),
    )

    assert ["broke", "worked"] == ranked(library, "ledger network share")


def test_a_superseded_record_sinks_below_its_successor(library: Library) -> None:
    """Even when its words match better."""
    put(
        library,
        *OTHERS,
        decision(
            "decision_old",
            title="Ledger on the share, ledger rules",
            status="superseded",
            supersededBy="decision_new",
        ),
        decision("decision_new", title="Ledger on the local disk of one host"),
    )

    assert ["new", "old"] == ranked(library, "ledger")


def test_an_expired_fact_sinks_below_the_one_that_holds(library: Library) -> None:
    """Both are found, so that the history can be read."""
    put(
        library,
        *OTHERS,
        fact("fact_old", key="ledger.writers", value="two", status="superseded"),
        fact("fact_new", key="ledger.writers", value="four"),
    )

    assert ["new", "old"] == ranked(library, "ledger writers")


def test_of_near_equals_the_newer_comes_first(library: Library) -> None:
    """Recency breaks ties."""
    put(
        library,
        *OTHERS,
        attempt("attempt_new", solution="The ledger", createdAt="2026-11-01T00:00:00Z"),
        attempt("attempt_old", solution="The ledger", createdAt="2024-01-01T00:00:00Z"),
    )

    assert ["new", "old"] == ranked(library, "ledger")


def test_recency_does_not_beat_a_better_match(library: Library) -> None:
    """An old record about it comes above a new one that mentions it."""
    put(
        library,
        *OTHERS,
        attempt(
            "attempt_new",
            solution="The wall",
            reason="Beside the ledger on the network share stood a wall",
            createdAt="2026-11-14T00:00:00Z",
        ),
        attempt(
            "attempt_old",
            solution="The ledger on the network share",
            createdAt="2020-01-01T00:00:00Z",
        ),
    )

    assert ["old", "new"] == ranked(library, "ledger network share")


def test_the_environment_of_the_caller_lifts_what_happened_there(
    library: Library,
) -> None:
    """It takes nothing out."""
    put(
        library,
        *OTHERS,
        attempt("attempt_mac", solution="The ledger", environment="macOS 14, SQLite"),
        attempt("attempt_linux", solution="The ledger", environment="Linux, SQLite"),
    )

    assert "mac" == ranked(library, "ledger", environment="macOS")[0]
    assert "linux" == ranked(library, "ledger", environment="Linux")[0]
    assert 2 == len(ranked(library, "ledger", environment="Linux"))


def test_an_excluded_word_takes_its_records_out(library: Library) -> None:
    """In any of its forms."""
    put(
        library,
        *OTHERS,
        attempt("attempt_one", solution="The ledger was vacuumed"),
        attempt("attempt_two", solution="The ledger was read"),
    )

    assert ["two"] == ranked(library, "ledger -vacuum")


@pytest.mark.parametrize("query", ["the", "is", "!!!", ">>> ()", "?", "-", '""'])
def test_a_query_that_says_nothing_matches_nothing(library: Library, query: str) -> None:
    """Never everything, as elsewhere."""
    put(library, *OTHERS, attempt("attempt_words", solution="The ledger is the truth"))

    assert [] == ranked(library, query)


def test_function_words_alone_match_only_where_they_stand_together(
    library: Library,
) -> None:
    """A title of small words is found, and nothing else is."""
    put(library, *OTHERS, attempt("attempt_be", solution="Whether to be or to have it"))

    assert (["be"], []) == (ranked(library, "to be or"), ranked(library, "be to the or"))


def test_function_words_beside_others_change_no_hit(library: Library) -> None:
    """They are dropped as soon as there is anything else."""
    put(library, *OTHERS, attempt("attempt_one", solution="A ledger of old"))

    assert ["one"] == ranked(library, "what is the ledger in the")


def test_a_negation_is_not_dropped(library: Library) -> None:
    """`not` decides between two records that are else the same."""
    put(
        library,
        *OTHERS,
        attempt("attempt_yes", solution="The ledger does use memory maps here"),
        attempt("attempt_no", solution="The ledger does not use memory maps"),
    )

    assert "no" == ranked(library, "ledger does not use memory maps")[0]


def test_a_factor_of_a_hit_can_be_told(library: Library) -> None:
    """Score, engine score and priors belong together."""
    put(library, attempt("attempt_1", solution="The ledger", resultClass="failed"))

    (hit,) = library.search("ledger").hits

    product = hit.rank.engine_score
    for _, factor in hit.rank.factors:
        product *= factor
    assert pytest.approx(product) == hit.rank.score
    assert {"failed", "recency"} == {name for name, _ in hit.rank.factors}
    assert "failed" == hit.rank.result


def test_two_projects_do_not_see_each_other(library: Library) -> None:
    """The owner is part of the query."""
    put(
        library,
        attempt("attempt_ours", solution="The ledger"),
        attempt("attempt_theirs", solution="The ledger", project="acme/web-shop"),
    )

    assert ["attempt_theirs"] == ids(library, "ledger", owner="project:acme/web-shop")
