"""Group B: words of every script, identifiers, versions and long tokens are found."""

import pytest
from tests.peer_faults.asking import Ask, hits, note

SHA1 = "3f786850e387550fdab836ed7e6dc881de23001b"
SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
SENTENCE = "即适者生存，生存等于正确的道理"


@pytest.mark.parametrize("query", ["适者生存", "生存", "道理"])
def test_b01_a_chinese_word_inside_a_run_is_found(query: str, ask: Ask) -> None:
    """One of two characters too, and no record without it."""
    note(ask, "今天天气很好")
    wanted = note(ask, SENTENCE)

    assert [wanted] == hits(ask, query)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("今日は成語しりとりをした", "しりとり"),
        ("오늘은 끝말잇기를 했다", "끝말잇기"),
        ("我们玩成语接龙游戏", "成语接龙"),
    ],
)
def test_b02_japanese_korean_and_chinese_games_are_found(
    text: str, query: str, ask: Ask
) -> None:
    """A word is found inside the run it is written in."""
    note(ask, "something in English")
    wanted = note(ask, text)

    assert [wanted] == hits(ask, query)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("сборка падает на сервере", "сервере"),
        ("η μετάβαση απέτυχε", "απέτυχε"),
        ("הבנייה נכשלה שוב", "נכשלה"),
        ("فشل البناء مرة أخرى", "البناء"),
        ("فَشِلَ البِنَاءُ", "فشل"),
        ("निर्माण विफल रहा", "विफल"),
        ("การสร้างล้มเหลว", "ล้มเหลว"),
    ],
)
def test_b03_words_of_other_alphabets_are_found(text: str, query: str, ask: Ask) -> None:
    """Marks stay with the letter they belong to."""
    note(ask, "something in English")
    wanted = note(ask, text)

    assert [wanted] == hits(ask, query)


def test_b04_every_way_to_find_a_record_reads_its_script(ask: Ask) -> None:
    """Search, check, context, recall and the comparison of a new attempt."""
    wanted = note(ask, SENTENCE, resultClass="failed")

    assert [wanted] == hits(ask, "适者生存")
    assert [wanted] == [m["id"] for m in ask("check", action=SENTENCE)["matches"]]
    told = ask("context", query="适者生存")["failedAttempts"]
    assert [wanted] == [one["id"] for one in told]
    recalled = ask("recall", query="适者生存")["items"]
    assert [wanted] == [one["record"]["id"] for one in recalled]
    again = ask("record_attempt", solution=SENTENCE, result="It crashed.")
    assert [wanted] == [one["id"] for one in again["similar"]]


@pytest.mark.parametrize(
    ("text", "query"),
    [("calls getUserById", "user by id"), ("refresh_token_rotation", "token rotation")],
)
def test_b06_an_identifier_is_found_by_its_words(text: str, query: str, ask: Ask) -> None:
    """And by itself, as a whole."""
    note(ask, "something else")
    wanted = note(ask, text)

    assert [wanted] == hits(ask, query)
    assert [wanted] == hits(ask, text.rsplit(maxsplit=1)[-1])


def test_b08_capitals_are_split_before_case_is_folded(ask: Ask) -> None:
    """Inside an identifier with underscores, too."""
    note(ask, "something else")
    wanted = note(ask, "bitable_v1_appTableRecord_search")

    assert [wanted] == hits(ask, "table record")


@pytest.mark.parametrize("query", ["OPENAI_API_KEY", "openai-api-key", "openai.api.key"])
def test_b09_hyphen_underscore_and_dot_join_alike(query: str, ask: Ask) -> None:
    """Whichever was written finds whichever is asked."""
    ids = {note(ask, text) for text in ("set OPENAI_API_KEY", "see openai-api-key")}

    assert ids == set(hits(ask, query))


@pytest.mark.parametrize(
    ("stored", "query"),
    [("v2.49.0", "2.49.0"), ("2.49.0", "v2.49.0"), ("RouterOS 7.23", "7.23")],
)
def test_b11_a_version_is_one_token_with_or_without_its_v(
    stored: str, query: str, ask: Ask
) -> None:
    """Its exact number comes before others with the same digits."""
    for other in ("release 7.1 and 23 fixes", "release 49.0.2"):
        note(ask, other)
    wanted = note(ask, f"release {stored}")

    assert wanted == hits(ask, query)[0]


def test_b13_short_numbers_and_words_in_a_title_are_found(ask: Ask) -> None:
    """Whatever punctuation stands between them."""
    title = "Grade 4: Week 1 Update"
    wanted = ask("record_decision", title=title, chosen="publish")["id"]

    assert wanted == hits(ask, "Grade 4 Week 1")[0]


def test_b13_no_hit_does_not_read_as_absence(ask: Ask) -> None:
    """The answer says how much was searched and what to do."""
    note(ask, "something else")

    block = ask("search", query="xyzzyqq")["completeness"]
    assert 1 == block["recordsInScope"]
    assert block["hint"]


def test_b15_a_word_far_behind_in_a_long_text_is_found(ask: Ask) -> None:
    """The whole of a text is indexed."""
    wanted = note(ask, f"{'filler words again ' * 5000} quicksilver")

    assert [wanted] == hits(ask, "quicksilver")


@pytest.mark.parametrize("token", [SHA1, SHA256, SHA1[:7]])
def test_b16_a_full_hash_is_found(token: str, ask: Ask) -> None:
    """However long it is."""
    note(ask, "introduced by 0000000000000000000000000000000000000001")
    wanted = note(ask, f"introduced by {token}")

    assert [wanted] == hits(ask, token)


@pytest.mark.parametrize("query", ["cafe", "café", "CAFÉ", "cafe\u0301"])
def test_b17_accents_do_not_hide_a_word(query: str, ask: Ask) -> None:
    """Typed or left out, composed or not."""
    wanted = note(ask, "the café was closed")

    assert [wanted] == hits(ask, query)


@pytest.mark.parametrize("query", ["getUserById", "get_user_by_id", "get-user-by-id"])
def test_b18_an_identifier_finds_the_words_it_is_made_of(query: str, ask: Ask) -> None:
    """The other direction of B6."""
    note(ask, "something else")
    wanted = note(ask, "get the user by its id")

    assert wanted == hits(ask, query)[0]


@pytest.mark.parametrize(("query", "place"), [("C++", 0), ("C#", 1), ("F#", 2)])
def test_b19_languages_with_signs_are_words_of_their_own(
    query: str, place: int, ask: Ask
) -> None:
    """None of them matches another, nor a lone letter."""
    ids = [note(ask, f"port it to {name}") for name in ("C++", "C#", "F#", "C", "F")]

    assert [ids[place]] == hits(ask, query)


def test_b20_a_negation_is_searched_like_any_word(ask: Ask) -> None:
    """What does not work comes first when that is asked, and "no" is in the index."""
    note(ask, "the cache is working")
    broken = note(ask, "the cache is not working yet")
    note(ask, "the lung showed collapse")
    sound = note(ask, "the lung showed no collapse")

    assert broken == hits(ask, "not working yet")[0]
    assert sound == hits(ask, "no collapse")[0]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("getUserName returned null", "user name"),
        ("com.example.App did not start", "com.example.App"),
        ("read past 0xFF", "0xFF"),
        ("a->next was null", "a->next"),
    ],
)
def test_b21_code_is_found_as_it_is_written(text: str, query: str, ask: Ask) -> None:
    """Names with dots, numbers in hexadecimal, arrows."""
    note(ask, "something else")
    wanted = note(ask, text)

    assert [wanted] == hits(ask, query)


def test_b22_one_token_of_a_hundred_thousand_characters_does_no_harm(ask: Ask) -> None:
    """The words around it are found and others go on being indexed."""
    wanted = note(ask, f"before {'x' * 100_000} quicksilver")
    after = note(ask, "mercury")

    assert [wanted] == hits(ask, "quicksilver")
    assert [after] == hits(ask, "mercury")
