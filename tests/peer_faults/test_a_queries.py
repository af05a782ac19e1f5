"""Group A: what a user types is data and never grammar."""

import pytest
import tantivy
from tests.peer_faults.asking import Ask, Refused, hits, note

from shadowgraph import Library
from shadowgraph.errors import IndexDamagedError
from shadowgraph.search.translating import engine_errors

RAISING = [
    "error[E0382]",
    "IndexError: list index out of range",
    'Traceback (most recent call last):\n  File "a.py", line 3, in <module>',
    "std::vector",
    "memory:safe",
    r"C:\Users\deploy",
    "https://website.example/x?y=1",
    "don't",
    'say "hello',
    "(python",
    "foo(bar)",
    "TODO interface{}",
    "<div>",
    "`code`",
    "a^sharp",
    "[alpha TO",
    "IN [alpha beta]",
    '"alpha" OR',
]
"Strings that a strict query parser refuses; each has a word."


def test_a01_pasted_text_finds_the_record_that_holds_it(ask: Ask) -> None:
    """Addresses, colons, quotes, a plus and a line break at the start are only text."""
    texts = [
        "https://wiki.installguide.example",
        "following: nothing",
        'devices usb-c adapter""',
        "\nstarted on a new line",
        "+ 2 workers",
    ]
    ids = [note(ask, text) for text in texts]

    assert ids == [hits(ask, text)[0] for text in texts]


@pytest.mark.parametrize("query", [">>>", "-", '""', "+", "...", "🙂"])
def test_a01_text_without_a_word_is_answered(query: str, ask: Ask) -> None:
    """With an ordinary reply, whatever it finds."""
    note(ask, "something else entirely")

    assert "items" in ask("search", query=query)


@pytest.mark.parametrize("query", ["content:y+(y+25)", "content:'(z)'"])
def test_a02_parentheses_inside_a_term_are_text(query: str, ask: Ask) -> None:
    """The record with that formula comes first, before one with half of it."""
    note(ask, "content without a formula")
    wanted = note(ask, query)

    assert wanted == hits(ask, query)[0]


def test_a03_a_title_full_of_punctuation_is_found_by_itself(ask: Ask) -> None:
    """Colon, quotes, brackets and backslash do not silence the words."""
    title = r"Attention: [Is] 'All' You\Need, a \"survey\" (2nd ed.)"
    wanted = ask("record_decision", title=title, chosen="read it")["id"]
    note(ask, "a survey of something else")

    assert wanted == hits(ask, title)[0]


def test_a04_a_filter_with_punctuation_selects_exactly_its_records(ask: Ask) -> None:
    """It is part of the query, so a selective one still fills its page."""
    for number in range(30):
        note(ask, f"common word {number}", environment="node:20")
    wanted = note(ask, "common word", environment="author:(smith)")

    assert [wanted] == hits(ask, "common", environment="author:(smith)", limit=5)


@pytest.mark.parametrize("query", ["R&D budget", "build-step order"])
def test_a06_ampersands_and_hyphens_need_no_quoting(query: str, ask: Ask) -> None:
    """Half of the query stands in another record, which comes later."""
    note(ask, query.split()[1])
    wanted = note(ask, query)

    assert wanted == hits(ask, query)[0]


def test_a08_a_hyphenated_word_beside_an_upper_case_and_is_found(ask: Ask) -> None:
    """No part of it is taken for the name of a column."""
    wanted = note(ask, "tier1-test with unicode")

    assert [wanted] == hits(ask, "tier1-test AND unicode")


@pytest.mark.parametrize("query", ["Downloads/transcripts", "don't use agents"])
def test_a10_slashes_and_apostrophes_are_found(query: str, ask: Ask) -> None:
    """They are cut into tokens before anything else sees them."""
    wanted = note(ask, f"we said: {query} here")

    assert [wanted] == hits(ask, query)


@pytest.mark.parametrize("query", ["memory:safe", 'say "hi', "foo AND bar", "(python"])
def test_a11_no_query_ends_the_memory_tool(query: str, ask: Ask) -> None:
    """What looks like syntax finds the record with that text."""
    wanted = note(ask, f"text with {query} in it")

    assert wanted in hits(ask, query)


@pytest.mark.parametrize("project", ["my-group", "vt-firmware", "a_b-c.d"])
def test_a14_a_project_that_can_be_written_can_be_searched(project: str, ask: Ask) -> None:
    """The acknowledged record is there and found under its project's name."""
    wanted = note(ask, "flashing bricked it", project=project)

    assert [wanted] == hits(ask, "bricked", project=project)
    assert [wanted] == [i["id"] for i in ask("get", ids=[wanted], project=project)["items"]]


def test_a15_a_stored_backslash_breaks_no_later_query(ask: Ask) -> None:
    """Neither the query that names the path nor one that does not."""
    wanted = note(ask, r"project location is C:\new\table\x")

    assert [wanted] == hits(ask, "project location")
    assert [wanted] == hits(ask, r"C:\new\table\x")


def test_a16_slashes_in_text_and_colons_in_a_project_are_accepted(ask: Ask) -> None:
    """Written and found under the same name."""
    project = "session-agent:main:main"
    wanted = note(ask, "calls /internal/mcp/ directly", project=project)

    assert [wanted] == hits(ask, "/internal/mcp/", project=project)


def test_a17_what_is_degraded_is_marked_with_the_engines_own_error(
    ask: Ask, library: Library
) -> None:
    """The fallback is reached by a real fault of the engine, not by a made-up one."""
    wanted = note(ask, "daily-digest stopped")
    hits(ask, "digest")
    path = library.sync.as_it_stands().path
    library.close()
    for file in path.glob("*.term"):
        file.write_bytes(b"\x5a" * file.stat().st_size)

    with Library(library.home) as opened:
        answer = opened.search("daily-digest")

    assert [wanted] == [hit.record.id for hit in answer.hits]
    assert any("damaged" in notice for notice in answer.notices)


def test_a18_a_lone_exclusion_is_text(ask: Ask) -> None:
    """A decided meaning, neither an error nor no answer; after a word it excludes."""
    fruit = note(ask, "fruit salad")
    soup = note(ask, "vegetable salad")

    assert [fruit] == hits(ask, "-fruit")
    assert [soup] == hits(ask, "salad -fruit")


@pytest.mark.parametrize("query", ["Hello", "hello", "HELLO"])
def test_a19_a_query_goes_through_the_analyzer_of_the_documents(
    query: str, ask: Ask
) -> None:
    """The case in which a word is typed makes no difference to whether it is found."""
    wanted = note(ask, "Hello from the worker")

    assert [wanted] == hits(ask, query)


def test_a20_a_query_of_function_words_is_answered(ask: Ask) -> None:
    """It finds the text that holds them."""
    wanted = note(ask, "to be or not to be")

    assert wanted in hits(ask, "to be or not to be")
    assert "items" in ask("search", query="the of and")


@pytest.mark.parametrize("query", RAISING)
def test_a21_what_a_strict_parser_refuses_finds_its_record_first(
    query: str, ask: Ask
) -> None:
    """Among others that share no rare word."""
    for text in ("nothing of the kind", "another thing", "a third one"):
        note(ask, text)
    wanted = note(ask, f"it printed {query}")

    assert wanted == hits(ask, query)[0]


@pytest.mark.parametrize(
    "query",
    ["memory:safe", "std::vector", "foo(bar)", "https://a.example/b", "/etc/passwd"],
)
def test_a22_what_a_lenient_parser_misses_is_found(query: str, ask: Ask) -> None:
    """And nothing else is."""
    note(ask, "an unrelated remark")
    wanted = note(ask, f"about {query}")

    assert [wanted] == hits(ask, query)


def test_a22_a_minus_or_a_not_never_returns_every_document(ask: Ask) -> None:
    """What stands after it is a word like any other."""
    note(ask, "an unrelated remark")
    wanted = note(ask, "foozle here")

    assert [wanted] == hits(ask, "-foozle")
    assert [] == hits(ask, "NOT xyzzyqq")


@pytest.mark.parametrize("limit", [0, -1, 100_000])
def test_a23_a_limit_out_of_range_never_reaches_the_engine(
    limit: int, ask: Ask, refused: Refused
) -> None:
    """It is refused in words, and the next search is answered."""
    note(ask, "quicksilver here")

    assert "limit" in refused("search", query="quicksilver", limit=limit).message
    assert 1 == len(hits(ask, "quicksilver"))


def test_a23_a_panic_of_the_engine_is_caught_at_its_door(library: Library) -> None:
    """What no `except Exception` catches becomes an error of ours."""
    snapshot = library.sync.view().snapshot

    with pytest.raises(IndexDamagedError), engine_errors(snapshot.path):
        snapshot.searcher.search(tantivy.Query.all_query(), 0)
