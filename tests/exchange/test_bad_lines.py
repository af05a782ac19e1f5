"""A line that cannot be stored is named, and nothing of its file is stored."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.store.bodies import attempt, fact, put

from shadowgraph import Filter, Library
from shadowgraph.errors import ImportLineError
from shadowgraph.exchange import export_lines, import_lines
from shadowgraph.model.text import FIELD_BYTES, NESTING
from shadowgraph.rules.conditions import Observation, evaluate
from shadowgraph.rules.grammar import parse_rule_lenient

HOSTILE = Path(__file__).parents[2] / "fixtures" / "hostile"
BAD_LINES = (HOSTILE / "bad-lines.jsonl").read_text(encoding="utf-8").split("\n")[:12]


@pytest.fixture
def loaded(library: Library) -> Library:
    """Return a library with the hostile records, which the ninth bad line needs."""
    lines = (HOSTILE / "records.jsonl").read_text(encoding="utf-8").split("\n")
    import_lines(library, lines)
    return library


@pytest.mark.parametrize(
    ("number", "said"),
    [
        pytest.param(1, "not JSON: Unterminated string", id="cut off"),
        pytest.param(2, "one JSON object", id="an array"),
        pytest.param(3, "kind must be one of", id="no kind"),
        pytest.param(4, "kind must be one of .*'guess'", id="unknown kind"),
        pytest.param(5, "solution", id="a number"),
        pytest.param(6, "solution must not be empty", id="empty"),
        pytest.param(8, "NaN is not JSON", id="NaN"),
        pytest.param(9, "attempt_argv-index is stored already", id="an id of another kind"),
        pytest.param(12, "kind must be one of .*'ATTEMPT'", id="kind in capitals"),
    ],
)
def test_a_bad_line_is_refused_with_its_reason(
    loaded: Library, number: int, said: str
) -> None:
    """The message says what is wrong in that line."""
    before = list(export_lines(loaded))

    with pytest.raises(ImportLineError, match=f"^line 1: .*{said}"):
        import_lines(loaded, [BAD_LINES[number - 1]])

    assert before == list(export_lines(loaded))


def test_a_condition_that_cannot_be_read_is_kept_and_never_holds(loaded: Library) -> None:
    """It may be of a newer version: the record is worth keeping, the condition unknown."""
    assert 1 == import_lines(loaded, [BAD_LINES[6]]).imported

    *_, last = export_lines(loaded)
    (kept,) = json.loads(last)["reusableWhen"]
    assert {"key": "postgres.version", "operator": {"gte": True}, "value": 17} == kept
    facts = {"postgres.version": Observation(17)}
    assert "unknown" == evaluate(parse_rule_lenient(kept), facts).verdict


def test_a_time_that_cannot_be_read_is_kept_and_not_filtered_by(library: Library) -> None:
    """Another tool wrote it; a filter by time does not guess what it meant."""
    body = attempt("attempt_1", createdAt="last Tuesday")
    import_lines(library, [json.dumps(body)])

    assert [body] == [json.loads(line) for line in export_lines(library)]
    assert 1 == library.search("").total
    assert 0 == library.search("", Filter(since=1)).total


@pytest.mark.parametrize(("number", "removed"), [(10, 1), (11, 2)])
def test_characters_that_cannot_be_stored_are_taken_out_and_counted(
    loaded: Library, number: int, removed: int
) -> None:
    """Half a surrogate pair, and NULs: the rest of the text is worth keeping."""
    report = import_lines(loaded, [BAD_LINES[number - 1]])

    assert (1, removed) == (report.imported, report.cleaned)
    *_, last = export_lines(loaded)
    assert "\x00" not in json.loads(last)["solution"]


def test_cleaned_lines_are_found_again_by_a_second_import(loaded: Library) -> None:
    """What is compared is what is stored."""
    import_lines(loaded, BAD_LINES[9:11])

    assert 2 == import_lines(loaded, BAD_LINES[9:11]).unchanged


def test_bad_line_7000_is_named_and_nothing_is_stored(library: Library) -> None:
    """All or nothing: every line is checked before the first is written."""
    lines = [json.dumps(attempt(f"attempt_{number}")) for number in range(1, 8001)]
    lines[6999] = '{"kind":"attempt","solution":"no result"}'

    with pytest.raises(ImportLineError, match=r"^line 7000: result is required") as refused:
        import_lines(library, lines)

    assert 7000 == refused.value.line
    assert {"line": 7000} == refused.value.details
    assert "Nothing was imported" in refused.value.hint
    assert ({}, 0) == (library.store.counts(), library.store.revision())


def test_a_conflict_found_while_storing_takes_everything_back(library: Library) -> None:
    """The whole file is one transaction."""
    lines = [json.dumps(fact(f"fact_{number}")) for number in range(2)]

    with pytest.raises(ImportLineError, match=r"^line 2: .*active fact"):
        import_lines(library, lines)

    assert {} == library.store.counts()


def test_blank_lines_count_as_lines(library: Library) -> None:
    """The number is the one an editor shows."""
    with pytest.raises(ImportLineError, match=r"^line 4: "):
        import_lines(library, ["", json.dumps(attempt("attempt_1")), "", "nonsense"])


@pytest.mark.parametrize(
    "record_id", ["", " ", "two words", "x" * 201, 7, None, "a\nb", "a\x07b"]
)
def test_an_id_that_cannot_be_one_is_refused(library: Library, record_id: Any) -> None:
    """White space and control characters would make it unspeakable."""
    body = {**attempt("x"), "id": record_id}

    with pytest.raises(ImportLineError, match="id must be a text"):
        import_lines(library, [json.dumps(body)])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("resultClass", "broken"),
        ("confidence", 2),
        ("key", " "),
        ("project", 5),
    ],
)
def test_a_field_with_a_value_it_cannot_have_is_refused(
    library: Library, field: str, value: object
) -> None:
    """The message begins with the name of the field."""
    kind = attempt if field == "resultClass" else fact
    body = {**kind("record_1"), field: value}

    with pytest.raises(ImportLineError, match=f"^line 1: {field}"):
        import_lines(library, [json.dumps(body)])


def test_a_text_beyond_the_limit_is_refused_with_the_limit(library: Library) -> None:
    """256 KiB a field, said in bytes."""
    body = attempt("attempt_1", result="x" * (FIELD_BYTES + 1))

    with pytest.raises(ImportLineError, match=r"result has 262,145 bytes.*262,144"):
        import_lines(library, [json.dumps(body)])


def test_a_text_at_the_limit_is_stored(library: Library) -> None:
    """The limit itself is allowed."""
    body = attempt("attempt_1", result="x" * FIELD_BYTES)

    assert 1 == import_lines(library, [json.dumps(body)]).imported


@pytest.mark.parametrize("depth", [NESTING + 2, 100_000])
def test_a_value_nested_too_deeply_is_refused(library: Library, depth: int) -> None:
    """However deep: the parser's own limit is met with the same clear error."""
    line = json.dumps(attempt("attempt_1"))[:-1] + ',"x":' + "[" * depth + "]" * depth + "}"

    with pytest.raises(ImportLineError, match=r"^line 1: .*nested"):
        import_lines(library, [line])


@pytest.mark.parametrize("line", ["null", "1", '"text"', "true", "{", "}", "{}", "\x00"])
def test_json_that_is_no_record_is_refused(library: Library, line: str) -> None:
    """Each with its line."""
    with pytest.raises(ImportLineError, match=r"^line 1: "):
        import_lines(library, [line])


def test_a_known_id_with_other_content_is_refused_and_the_fields_are_named(
    library: Library,
) -> None:
    """Overwriting would lose what is stored, skipping would lose the line."""
    put(library, attempt("attempt_1"))
    changed = attempt("attempt_1", result="It broke.", reason="Rust.")

    with pytest.raises(
        ImportLineError, match=r"other content \(reason, result\)"
    ) as refused:
        import_lines(library, [json.dumps(changed)])

    assert "--keep" in refused.value.hint


def test_keep_leaves_what_is_stored_as_it_is(library: Library) -> None:
    """The other lines are imported."""
    put(library, attempt("attempt_1"))
    lines = [json.dumps(attempt("attempt_1", result="It broke."))]
    lines.append(json.dumps(attempt("attempt_2")))

    report = import_lines(library, lines, keep=True)

    assert (1, 1) == (report.imported, report.left)
    assert [attempt("attempt_1"), attempt("attempt_2")] == [
        json.loads(line) for line in export_lines(library)
    ]


def test_keep_does_not_let_a_bad_line_through(library: Library) -> None:
    """It is about known ids, not about what a record is."""
    with pytest.raises(ImportLineError):
        import_lines(library, ["{}"], keep=True)


def test_two_lines_of_one_id_with_other_content_are_refused(library: Library) -> None:
    """A file must agree with itself."""
    lines = [json.dumps(attempt("attempt_1", result=text)) for text in ("One.", "Two.")]

    with pytest.raises(ImportLineError, match=r"^line 2: attempt_1 is stored already"):
        import_lines(library, lines)

    assert {} == library.store.counts()
