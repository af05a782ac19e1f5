"""Error signatures: the same failure with other numbers has the same one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.rules.signature import (
    MOST_LINES,
    STEPS,
    error_lines,
    gist,
    signature,
    words_of,
)

TRACEBACK = """Traceback (most recent call last):
  File "/srv/app/pay.py", line {line}, in <module>
    charge(card)
  File "/tmp/build-{hex}/pay/api.py", line {line}, in charge
    raise TimeoutError
{stamp} pay.errors.GatewayTimeoutError: no answer from 10.0.0.{line} within {line} ms (id {uuid})
"""


def paste(line: int, hex_: str, stamp: str, uuid: str) -> str:
    """Return a traceback with other numbers in it."""
    return TRACEBACK.format(line=line, hex=hex_, stamp=stamp, uuid=uuid)


def test_the_same_failure_with_other_numbers_has_the_same_signature() -> None:
    """Addresses, times, paths, line numbers, identifiers and durations go."""
    monday = paste(
        12, "9f3a", "2026-03-02 10:11:12,345", "0f8fad5b-d9cb-469f-a165-70867728950e"
    )
    friday = paste(
        731, "77", "2026-03-06T23:59:59Z", "7c9e6679-7425-40de-944b-e07fc1f90ae7"
    )

    assert signature(monday) == signature(friday)
    assert "gatewaytimeouterror" in signature(monday)


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        (
            "sqlite3.OperationalError: database is locked",
            "sqlite3.OperationalError: database is locked under load; a week later more",
            "operationalerror|database|is",
        ),
        (
            "error[E0382]: borrow of moved value: `job`",
            "src/main.rs:9:5: error[E0382]: borrow of moved value: `name`",
            "error[e0382]|borrow|of",
        ),
        (
            "java.lang.IllegalStateException: Pool exhausted after 30 s",
            "Caused by: java.lang.IllegalStateException: Pool exhausted after 5 s",
            "illegalstateexception|pool|exhausted",
        ),
        ("killed, exit code 137", "the pod ended with exit code 137", "code|exit-code-137"),
        ("HTTP 503 from upstream", "it answered HTTP/1.1 503", "code|http-503"),
        ("HTTP 503 from upstream", "it answered HTTP/1.1 502", ""),
    ],
)
def test_texts_of_one_failure_share_a_token(one: str, other: str, shared: str) -> None:
    """However the message goes on."""
    common = set(signature(one)) & set(signature(other))

    assert (shared in common) if shared else not common


def test_different_failures_share_no_message() -> None:
    """The type alone is not the failure."""
    one = set(signature("ValueError: unknown currency EUX"))
    other = set(signature("ValueError: negative amount"))

    assert {"valueerror"} == one & other


def test_a_label_alone_says_nothing() -> None:
    """Every log has errors; what counts is the message behind the label."""
    assert "error" not in signature("error: expected ';' before 'return'")


@pytest.mark.parametrize(
    "text", ["", "it worked", "Moved the ledger to the share.", "0 of 12", "适者生存"]
)
def test_a_text_without_an_error_has_no_signature(text: str) -> None:
    """Most texts are ordinary."""
    assert () == signature(text)
    assert text == gist(text)


def test_a_log_is_reduced_to_its_last_error_first() -> None:
    """What happened last says what happened."""
    log = "INFO boring line 1\n" * 400 + "KeyError: 'a'\n" + "TypeError: bad operand\n"

    assert ["typeerror bad operand", "keyerror a"] == gist(log).splitlines()


@given(text=st.text(st.characters(), max_size=300))
def test_no_text_is_refused(text: str) -> None:
    """Whatever is pasted gets a signature, bounded and without white space."""
    tokens = signature(text)

    assert len(tokens) <= MOST_LINES * (len(STEPS) + 3)
    assert [] == [token for token in tokens if token != "".join(token.split())]


@given(
    number=st.integers(0, 10**9),
    unit=st.sampled_from(["ms", "s", "MiB", "%"]),
    word=st.sampled_from(["after", "for", "beyond"]),
)
def test_numbers_with_units_never_stand_in_a_message(
    number: int, unit: str, word: str
) -> None:
    """Durations and sizes change from run to run."""
    assert ("waited", word, "then", "gave", "up") == words_of(
        f"waited {word} {number} {unit} then gave up"
    )


def test_at_most_a_dozen_lines_are_read() -> None:
    """A log repeats itself."""
    log = "\n".join(
        f"Problem{chr(65 + n)}Error: case {chr(97 + n)} went wrong" for n in range(26)
    )

    assert MOST_LINES == len(error_lines(log))
