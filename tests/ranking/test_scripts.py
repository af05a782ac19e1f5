"""Scripts: a query in another script finds what is written in it.

1. A word in any script finds the record that holds it, and no other.
2. Umlauts are found both ways: by their vowels and spelt out.
3. Full-width letters are letters, and half-width kana are kana.
4. One character of Chinese, Japanese or Korean finds what holds it.
5. Two characters side by side come above the same two apart.
6. Marks that only decorate a letter may be left out: Arabic, Hebrew, Greek.
7. A Russian word is found in another case of its grammar.
8. Two scripts in one query find both.
9. An emoji is a word.
10. Composed and decomposed letters are the same.
"""

import pytest
from tests.ranking.asking import order, shown
from tests.store.bodies import attempt

from shadowgraph import Library

RECORDS = [
    attempt("attempt_zh", solution="数据库被锁定,写入失败", result="重试之后恢复"),
    attempt("attempt_zh-far", solution="据说数目很大,库房已满"),
    attempt("attempt_ja", solution="データベースをロックした"),
    attempt("attempt_ko", solution="데이터베이스가 잠겼습니다"),
    attempt("attempt_th", solution="ฐานข้อมูลถูกล็อก"),
    attempt("attempt_ar", solution="قُفِلَت قاعدة البيانات"),
    attempt("attempt_he", solution="מסד הנתונים נָעוּל"),
    attempt("attempt_ru", solution="Блокировки таблицы мешали записи"),
    attempt("attempt_el", solution="Η βάση δεδομένων κλείδωσε"),
    attempt("attempt_hi", solution="डेटाबेस बंद है"),
    attempt("attempt_de", solution="Die Schlüssel größerer Häuser geprüft"),
    attempt("attempt_de-ascii", solution="Die Tueren kleinerer Hallen gestrichen"),
    attempt("attempt_fr", solution="Le café était fermé"),
    attempt("attempt_wide", solution="ＡＰＩの上限を変えた"),
    attempt("attempt_emoji", solution="Shipped 🚀 on a Friday"),
]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("数据库", ("zh", "数据库被锁定,写入失败")),
        ("データベース", ("ja", "データベースをロックした")),
        ("데이터베이스", ("ko", "데이터베이스가 잠겼습니다")),
        ("ฐานข้อมูล", ("th", "ฐานข้อมูลถูกล็อก")),
        ("البيانات", ("ar", "قُفِلَت قاعدة البيانات")),
        ("הנתונים", ("he", "מסד הנתונים נָעוּל")),
        ("таблицы", ("ru", "Блокировки таблицы мешали записи")),
        ("δεδομένων", ("el", "Η βάση δεδομένων κλείδωσε")),
        ("डेटाबेस", ("hi", "डेटाबेस बंद है")),
        ("fermé", ("fr", "Le café était fermé")),
    ],
)
def test_1_a_word_in_any_script_finds_its_record(
    corpus: Library, query: str, found: tuple[str, str]
) -> None:
    """It stands first, and nothing of another script stands beside it."""
    assert [found] == shown(corpus, query)


@pytest.mark.parametrize("query", ["Schlüssel", "Schluessel", "Schlussel", "SCHLÜSSEL"])
def test_2_umlauts_are_found_both_ways(corpus: Library, query: str) -> None:
    """Whichever keyboard the caller has."""
    assert [("de", "Die Schlüssel größerer Häuser geprüft")] == shown(corpus, query)


def test_2_an_umlaut_that_was_spelt_out_is_found_by_its_letter(corpus: Library) -> None:
    """The other direction."""
    assert [("de-ascii", "Die Tueren kleinerer Hallen gestrichen")] == shown(
        corpus, "Türen"
    )
    assert ["de"] == order(corpus, "groesserer")


def test_3_full_width_letters_are_letters(corpus: Library) -> None:
    """In the record and in the query."""
    assert [("wide", "ＡＰＩの上限を変えた")] == shown(corpus, "API")
    assert [("emoji", "Shipped 🚀 on a Friday")] == shown(corpus, "Ｆｒｉｄａｙ")
    assert [("ja", "データベースをロックした")] == shown(corpus, "ﾛｯｸ")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("锁", ("zh", "数据库被锁定,写入失败")),
        ("限", ("wide", "ＡＰＩの上限を変えた")),
        ("잠", ("ko", "데이터베이스가 잠겼습니다")),
    ],
)
def test_4_one_character_finds_what_holds_it(
    corpus: Library, query: str, found: tuple[str, str]
) -> None:
    """It may be a whole word."""
    assert [found] == shown(corpus, query)


def test_5_side_by_side_comes_above_apart(corpus: Library) -> None:
    """The same characters elsewhere are other words."""
    assert [("zh", "数据库被锁定,写入失败")] == shown(corpus, "数据")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("قفلت", ("ar", "قُفِلَت قاعدة البيانات")),
        ("נעול", ("he", "מסד הנתונים נָעוּל")),
        ("βαση", ("el", "Η βάση δεδομένων κλείδωσε")),
        ("ΒΑΣΗ", ("el", "Η βάση δεδομένων κλείδωσε")),
    ],
)
def test_6_marks_may_be_left_out(
    corpus: Library, query: str, found: tuple[str, str]
) -> None:
    """Most people leave them out."""
    assert [found] == shown(corpus, query)


def test_7_a_russian_word_is_found_in_another_case(corpus: Library) -> None:
    """`блокировка` stands there as `блокировки`."""
    assert [("ru", "Блокировки таблицы мешали записи")] == shown(corpus, "блокировка")


def test_8_two_scripts_in_one_query_find_both(corpus: Library) -> None:
    """Best first, as in one script."""
    assert [
        ("emoji", "Shipped 🚀 on a Friday"),
        ("ru", "Блокировки таблицы мешали записи"),
    ] == sorted(shown(corpus, "Friday таблицы"))


def test_9_an_emoji_is_a_word(corpus: Library) -> None:
    """Somebody wrote it on purpose."""
    assert [("emoji", "Shipped 🚀 on a Friday")] == shown(corpus, "🚀")


def test_10_composed_and_decomposed_letters_are_the_same(corpus: Library) -> None:
    """Which of them a system writes is its own affair."""
    assert shown(corpus, "caf\u00e9") == shown(corpus, "cafe\u0301")
    assert [("fr", "Le café était fermé")] == shown(corpus, "cafe\u0301")
