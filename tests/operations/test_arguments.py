"""Reading arguments: liberal where the meaning is beyond doubt, exact where it is not."""

from collections.abc import Callable
from typing import Any

import pytest

from shadowgraph import CallerError, Library, ShadowgraphError
from shadowgraph.errors import (
    InvalidInputError,
    UnknownArgumentError,
    UnknownOperationError,
)
from shadowgraph.operations import REGISTRY, Caller, invoke

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]
TRIED = {"solution": "Pinned the driver", "result": "It still crashed"}


@pytest.mark.parametrize("nothing", [None, ""])
def test_null_and_empty_text_mean_that_an_argument_is_absent(
    nothing: str | None, ask: Ask
) -> None:
    """Clients that must send every argument send these."""
    reply = ask(
        "record_attempt", **TRIED, reason=nothing, resultClass=nothing, reusableWhen=nothing
    )

    assert "resultClass" not in reply
    assert ("", []) == (reply["reason"], reply["reusableWhen"])


@pytest.mark.parametrize("word", ["Failed", "FAILED", " failed "])
def test_an_enum_ignores_case(word: str, ask: Ask) -> None:
    """A capital letter is no other meaning."""
    assert "failed" == ask("record_attempt", **TRIED, resultClass=word)["resultClass"]


def test_an_enum_takes_a_hyphen_for_an_underscore(ask: Ask, decision: str) -> None:
    """`in-progress` can mean one state only."""
    ask("update_status", decisionId=decision, status="planned")

    assert (
        "in_progress"
        == (ask("update_status", decisionId=decision, status="In-Progress")["status"])
    )


def test_a_number_is_taken_for_a_text(ask: Ask) -> None:
    """The value of a text field may look like a number."""
    assert "137" == ask("record_attempt", solution="s", result=137)["result"]


def test_a_numeric_text_is_taken_for_a_number(ask: Ask) -> None:
    """Models quote numbers."""
    page = ask("search", query="", limit="3", offset="1", minConfidence="0.5")["page"]

    assert (3, 1) == (page["limit"], page["offset"])


@pytest.mark.parametrize(("word", "value"), [("true", True), ("No", False), ("1", True)])
def test_a_word_is_taken_for_a_boolean(word: str, value: bool, ask: Ask) -> None:
    """`"true"` is what a model means by true."""
    scope = ask("search", allProjects=word)["completeness"]["scope"]

    assert value == (scope["project"] is None)


def test_a_list_may_come_as_json_text(ask: Ask) -> None:
    """Some clients send nested values as JSON in a text."""
    reply = ask("record_decision", title="t", chosen="c", assumptions='["one", "two"]')

    assert ["one", "two"] == reply["assumptions"]


def test_one_text_is_taken_for_a_list_of_one(ask: Ask) -> None:
    """A single item does not need brackets."""
    reply = ask("record_decision", title="t", chosen="c", assumptions="only one writer")

    assert ["only one writer"] == reply["assumptions"]


def test_an_object_may_come_as_json_text(ask: Ask, decision: str) -> None:
    """An outcome written as JSON text is an outcome."""
    reply = ask("record_outcome", decisionId=decision, outcome='{"status": "mixed"}')

    assert "mixed" == reply["outcome"]["status"]


def test_text_that_begins_like_json_and_is_none_stays_text(ask: Ask) -> None:
    """A log line in brackets is a log line."""
    reply = ask("record_decision", title="t", chosen="c", assumptions="[warn] no json")

    assert ["[warn] no json"] == reply["assumptions"]


@pytest.mark.parametrize(
    "value", [0, False, "", [], {}, None, 1.5, "16.2", [1, "a"], {"a": {"b": None}}]
)
def test_a_fact_takes_any_json_value(value: object, ask: Ask) -> None:
    """Zero, false, empty and null are values and not absent."""
    reply = ask("record_fact", key="k", value=value)

    assert value == reply["value"]
    assert type(value) is type(reply["value"])


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("enviroment", "environment"),
        ("result_class", "resultClass"),
        ("Solution", "solution"),
    ],
)
def test_an_unknown_argument_is_refused_with_the_nearest_name(
    wrong: str, right: str, refused: Refused
) -> None:
    """Dropping it silently would lose what it said."""
    error = refused("record_attempt", **TRIED, **{wrong: "x"})

    assert isinstance(error, UnknownArgumentError)
    assert right in error.text()
    assert wrong == error.details["argument"]


def test_an_unknown_argument_unlike_any_other_lists_what_there_is(refused: Refused) -> None:
    """Without a near name all of them are named."""
    error = refused("get", ids=["a"], zzzz=1)

    assert "ids" in error.hint


@pytest.mark.parametrize("name", ["accessId", "grantId", "readProvenance", "compact"])
def test_arguments_that_mean_nothing_here_are_ignored(name: str, ask: Ask) -> None:
    """Clients of the reference tool send them."""
    assert [] == ask("search", query="x", **{name: "acc_1"})["items"]


@pytest.mark.parametrize("name", ["search", "context", "record_attempt"])
@pytest.mark.parametrize("project", ["", "   "])
def test_an_empty_project_is_refused(name: str, project: str, refused: Refused) -> None:
    """Taking it for absent would write into another project than meant."""
    arguments = TRIED if name == "record_attempt" else {}

    error = refused(name, **arguments, project=project)

    assert isinstance(error, InvalidInputError)
    assert "project" in error.message


def test_a_null_project_means_the_project_of_the_session(ask: Ask) -> None:
    """Null is how some clients leave an argument out."""
    reply = ask("record_attempt", **TRIED, project=None)

    assert "acme/billing-api" == reply["project"]


@pytest.mark.parametrize("limit", [0, 10_000, -1, 1001])
@pytest.mark.parametrize("name", ["search", "context"])
def test_a_limit_out_of_range_is_refused(name: str, limit: int, refused: Refused) -> None:
    """It is never clamped in silence."""
    error = refused(name, limit=limit)

    assert isinstance(error, InvalidInputError)
    assert "limit" in error.message
    assert ("1000" in error.message) or ("at least 1" in error.message)


@pytest.mark.parametrize("budget", [0, 299, 50_001])
def test_a_budget_out_of_range_is_refused(budget: int, refused: Refused) -> None:
    """The range stands in the description."""
    assert "budget" in refused("context", budget=budget).message


def test_a_text_of_300_kilobytes_is_refused_with_the_limit_named(refused: Refused) -> None:
    """The limit is 256 KiB a field, counted in bytes."""
    error = refused("record_attempt", solution="s", result="x" * 300_000)

    assert isinstance(error, InvalidInputError)
    assert "result has 300,000 bytes" in error.message
    assert "256 KiB" in error.message


def test_bytes_are_counted_and_not_characters(refused: Refused) -> None:
    """100,000 letters of three bytes each are too many."""
    error = refused("record_attempt", solution="s", result="漢" * 100_000)

    assert "result has 300,000 bytes" in error.message


def test_a_text_of_exactly_256_kibibytes_is_stored(ask: Ask) -> None:
    """The limit itself is allowed."""
    reply = ask("record_attempt", solution="s", result="x" * 262_144)

    assert 262_144 == len(reply["result"])


def test_an_oversized_text_inside_a_value_is_found(refused: Refused) -> None:
    """A field is any text, at any depth."""
    error = refused("record_fact", key="k", value={"log": ["x" * 300_000]})

    assert "value.log[0]" in error.message


def test_nul_and_lone_surrogates_are_taken_out_and_reported(ask: Ask) -> None:
    """What cannot be stored goes, and the reply says where and how much."""
    reply = ask("record_attempt", solution="a\x00b\x00", result="c\ud800d")

    assert ("ab", "cd") == (reply["solution"], reply["result"])
    assert {"solution": 2, "result": 1} == reply["cleaned"]


def test_a_text_of_nothing_but_nul_counts_as_empty(refused: Refused) -> None:
    """Required means that something is left to store."""
    assert "solution" in refused("record_attempt", solution="\x00", result="r").message


@pytest.mark.parametrize("name", ["record_attempt", "record_decision", "record_fact"])
def test_an_id_of_the_callers_choosing_is_refused(name: str, refused: Refused) -> None:
    """Ids are set by the store, so that one cannot be taken over."""
    error = refused(name, id="attempt_mine")

    assert "creation_id_not_allowed" in error.message
    assert "idempotencyKey" in error.hint


def test_an_id_inside_an_alternative_is_refused(refused: Refused) -> None:
    """Alternatives share the one name space of ids."""
    error = refused(
        "record_decision",
        title="t",
        chosen="c",
        alternatives=[{"label": "l", "id": "mine"}],
    )

    assert isinstance(error, InvalidInputError)
    assert "alternatives[0].id" in error.message


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("record_attempt", ["solution", "result"]),
        ("record_decision", ["title", "chosen"]),
        ("record_fact", ["key", "value"]),
        ("record_outcome", ["decisionId", "outcome"]),
        ("update_status", ["decisionId", "status"]),
        ("get", ["ids"]),
    ],
)
def test_missing_arguments_are_all_named(
    name: str, missing: list[str], refused: Refused
) -> None:
    """One error says everything that is missing, and what arrived."""
    error = refused(name)

    assert [f"{one} is required." for one in missing] == [
        f"{one}." for one in error.message.rstrip(".").split(". ")
    ]
    assert "Arrived: nothing" in error.hint


@pytest.mark.parametrize("blank", ["", "   ", "\n\t"])
@pytest.mark.parametrize("field", ["solution", "result"])
def test_a_blank_required_text_is_refused(field: str, blank: str, refused: Refused) -> None:
    """A record without content is none."""
    error = refused("record_attempt", **{**TRIED, field: blank})

    assert isinstance(error, InvalidInputError)
    assert field in error.message


def test_no_message_names_a_library_or_a_website(refused: Refused) -> None:
    """The reader of an error is a model that has to mend its call."""
    error = refused("search", limit={"a": 1}, since=[1], detail=7, minConfidence="much")

    assert "pydantic" not in error.text().lower()
    assert "http" not in error.text()


def test_an_unknown_operation_is_answered_with_the_nearest(library: Library) -> None:
    """A misspelt tool costs one call."""
    with pytest.raises(UnknownOperationError) as caught:
        invoke(library, "shadowgraph_serach", {}, Caller())

    assert "shadowgraph_search" in caught.value.hint


@pytest.mark.parametrize("arguments", [[], "text", 5])
def test_arguments_that_are_no_object_are_refused(arguments: Any, library: Library) -> None:
    """Name and value is the only form."""
    if not arguments:
        invoke(library, "shadowgraph_search", arguments, Caller())
        return
    with pytest.raises(CallerError):
        invoke(library, "shadowgraph_search", arguments, Caller())


@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_nesting_without_end_is_refused(name: str, library: Library) -> None:
    """A value of a thousand levels ends in a sentence and not in a crash."""
    deep: Any = "x"
    for _ in range(1000):
        deep = [deep]
    first = next(iter(REGISTRY[name].request.model_fields.values()), None)
    if first is None:
        return

    with pytest.raises(InvalidInputError):
        invoke(library, name, {first.alias or "": deep}, Caller())


@pytest.mark.parametrize("text", ["[" * 5000, '{"a":' * 5000])
def test_json_text_without_end_stays_text(text: str, ask: Ask) -> None:
    """Text that merely begins like JSON is what it is."""
    reply = ask("record_fact", key="k", value=text)

    assert text == reply["value"]


@pytest.fixture
def decision(ask: Ask) -> str:
    """Return the id of a fresh decision."""
    return str(ask("record_decision", title="Where to store it", chosen="here")["id"])
