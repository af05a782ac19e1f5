"""Whatever JSON a client sends: a reply or an error of ours, never anything else."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import InvalidInputError
from shadowgraph.operations import REGISTRY, Caller, invoke
from shadowgraph.operations.schemas import input_schema

# Without arguments there is nothing to vary.
NAMES = sorted(n for n in REGISTRY if input_schema(REGISTRY[n])["properties"])
ANY_TEXT = st.text(st.characters(), max_size=40)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([2**63 - 1, 2**63, -(2**63) - 1, 10**40])
    | st.floats(allow_nan=False, allow_infinity=False)
    | ANY_TEXT
    | st.sampled_from(
        ["2026-02-30T00:00:00Z", "0000-01-01", "9999-12-31T23:59:59Z", "1e400", "[", "{}"]
    )
)
ANY_JSON = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner, max_size=4)
    ),
    max_leaves=8,
)
# Names that some argument has somewhere, so that the values get past the outermost door.
INNER_NAMES = st.sampled_from(
    ["key", "operator", "value", "unit", "label", "reopenWhen", "status", "lessons"]
)
SHAPED = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(INNER_NAMES, inner, max_size=4)
    ),
    max_leaves=8,
)


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """Return an operation and arguments: its example with some of them replaced."""
    name = draw(st.sampled_from(NAMES))
    known = list(input_schema(REGISTRY[name])["properties"])
    changed = draw(
        st.dictionaries(
            st.sampled_from(known) | st.text(max_size=8), ANY_JSON | SHAPED, max_size=4
        )
    )
    example = REGISTRY[name].example if draw(st.booleans()) else {}
    return name, {**example, **changed}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Yield one library that all calls go to."""
    with Library(tmp_path_factory.mktemp("any")) as opened:
        yield opened


@settings(max_examples=400)
@given(calls())
def test_a_call_answers_or_raises_an_error_of_ours(
    shared: Library, call: tuple[str, dict[str, Any]]
) -> None:
    """An error outside the tree would be a bug that a client can reach."""
    name, arguments = call
    reply: dict[str, Any]
    try:
        reply = invoke(shared, name, arguments, Caller())
    except ShadowgraphError as error:
        reply = {"text": error.text(), "details": error.details}

    # Either is JSON that can be written as UTF-8.
    json.dumps(reply, ensure_ascii=False, allow_nan=False).encode()


COUNTED = [
    (name, key)
    for name in NAMES
    for key, schema in input_schema(REGISTRY[name])["properties"].items()
    if schema.get("type") == "integer"
]
"Every argument that is a whole number, by operation."


@pytest.mark.parametrize(
    "number",
    [2**63, -(2**63) - 1, 1e30, str(2**63)],
    ids=["above", "below", "float", "text"],
)
@pytest.mark.parametrize(("name", "key"), COUNTED)
def test_a_number_that_no_store_counts_to_is_refused(
    shared: Library, name: str, key: str, number: object
) -> None:
    """However it is written, and the argument is named."""
    with pytest.raises(InvalidInputError) as refused:
        invoke(shared, name, {**REGISTRY[name].example, key: number}, Caller("acme"))

    assert key in refused.value.text()


@pytest.mark.parametrize(("name", "key"), [one for one in COUNTED if one[1] == "offset"])
def test_the_last_page_that_can_be_counted_is_empty(
    shared: Library, name: str, key: str
) -> None:
    """The largest number is a page like any other."""
    # Nothing is in focus here.
    example = {k: v for k, v in REGISTRY[name].example.items() if k != "focalId"}
    reply = invoke(shared, name, {**example, key: 2**63 - 1}, Caller("acme"))

    lists = [value for value in reply.values() if isinstance(value, list)]
    assert lists
    assert not any(lists)


@settings(max_examples=50)
@given(st.text(st.characters(), max_size=60))
def test_any_text_can_be_recorded_and_asked_for(shared: Library, text: str) -> None:
    """What a caller pastes is data, whatever it looks like."""
    reply = invoke(
        shared,
        "shadowgraph_record_attempt",
        {"solution": f"a {text}", "result": "b"},
        Caller(),
    )
    found = invoke(shared, "shadowgraph_search", {"query": text, "limit": 3}, Caller())

    assert reply["id"]
    assert len(found["items"]) <= 3
