"""The index definition: checked whole on load, and pinned to its version."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from shadowgraph.errors import DefinitionError
from shadowgraph.search.definition import Definition, load, word_list

INDEX = Path(__file__).parents[2] / "index"

PINNED = {
    1: ("aa46ee764a14206e", "3a9a0a3df1784202"),
    2: ("c9d530b65be6a7b0", "5a6f5b6ccaba400a"),
    3: ("3dece9f3e195b324", "eb575ae195cf0bdd"),
    4: ("ed01c91b68f47bf3", "60dfac7a114bcb73"),
    5: ("b937dcdf3f5936c4", "62a6c6e9accf8f4f"),
    6: ("147736e8bdaef728", "62a6c6e9accf8f4f"),
    7: ("147736e8bdaef728", "55e3727aebcc7fc2"),
}
"Digests by version: whoever changes a file of `index/` raises `version` and adds a line."


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the definition that a test may break."""
    return Path(shutil.copytree(INDEX, tmp_path / "index"))


def change(root: Path, name: str, old: str, new: str) -> None:
    """Replace a text in a file of the definition; it must be there."""
    path = root / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_the_packaged_definition_has_the_pinned_digests(definition: Definition) -> None:
    """A change without a new version would leave old indexes in use."""
    found = (definition.build_digest, definition.query_digest)

    assert PINNED.get(definition.version) == found


def test_every_version_is_described(definition: Definition) -> None:
    """CHANGES.md says what changed and whether an index has to be built again."""
    text = (INDEX / "CHANGES.md").read_text(encoding="utf-8")

    versions = [line.removeprefix("## ") for line in text.split("\n") if line[:3] == "## "]
    assert sorted(map(str, PINNED)) == sorted(versions)
    assert str(definition.version) in versions


def test_every_file_of_the_definition_is_listed(definition: Definition) -> None:
    """A word list that the manifest forgets would change nothing."""
    manifest = (INDEX / "manifest.toml").read_text(encoding="utf-8")
    names = {
        path.relative_to(INDEX).as_posix()
        for path in INDEX.rglob("*")
        if path.suffix in (".toml", ".txt") and path.name != "manifest.toml"
    }

    assert definition.version
    assert set() == {name for name in names if f'"{name}"' not in manifest}


@pytest.mark.parametrize(
    ("name", "build", "query"),
    [
        ("fields.toml", True, False),
        ("analyzers.toml", True, False),
        ("words/failure.txt", True, False),
        ("words/negation.txt", True, False),
        ("ranking.toml", False, True),
        ("words/function.en.txt", False, True),
        ("words/synonyms.txt", False, True),
    ],
)
def test_a_changed_file_changes_its_digest_only(
    copy: Path, name: str, build: bool, query: bool
) -> None:
    """What is read at search time needs no rebuild; what is written does."""
    before = load(copy)
    with (copy / name).open("a", encoding="utf-8") as handle:
        handle.write("\n# one more comment\n")

    after = load(copy)

    assert (build, query) == (
        before.build_digest != after.build_digest,
        before.query_digest != after.query_digest,
    )


def without(name: str) -> Callable[[Path], None]:
    """Remove a file."""
    return lambda root: (root / name).unlink()


def bytes_in(name: str, content: bytes) -> Callable[[Path], None]:
    """Write something else into a file."""

    def write(root: Path) -> None:
        (root / name).write_bytes(content)

    return write


def changed(name: str, old: str, new: str) -> Callable[[Path], None]:
    """Replace a text in a file."""
    return lambda root: change(root, name, old, new)


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        pytest.param(without("manifest.toml"), "manifest.toml", id="no manifest"),
        pytest.param(without("fields.toml"), "fields.toml", id="no fields"),
        pytest.param(without("words/failure.txt"), "failure.txt", id="no word list"),
        pytest.param(bytes_in("ranking.toml", b"[boost"), "ranking.toml", id="not TOML"),
        pytest.param(
            bytes_in("words/failure.txt", b"\xff\xfe"), "failure.txt", id="not UTF-8"
        ),
        pytest.param(
            bytes_in("manifest.toml", b"version = 1\n"),
            "manifest.toml",
            id="empty manifest",
        ),
        pytest.param(
            changed("manifest.toml", "version = ", "verse = "),
            "manifest.toml",
            id="no version",
        ),
        pytest.param(
            changed("manifest.toml", '"ranking.toml",', ""), "ranking.toml", id="unlisted"
        ),
        pytest.param(
            changed("manifest.toml", '"words/failure.txt",', ""),
            "failure.txt",
            id="unlisted words",
        ),
        pytest.param(
            changed("fields.toml", 'role = "title"', 'role = "headline"'),
            "fields.toml",
            id="unknown role",
        ),
        pytest.param(
            changed("fields.toml", 'path = "solution"', 'path = ""'),
            "fields.toml",
            id="no path",
        ),
        pytest.param(
            changed("fields.toml", 'name = "attempt solution"', ""),
            "fields.toml",
            id="no name",
        ),
        pytest.param(
            changed("analyzers.toml", "longest_token = ", "longest = "),
            "analyzers.toml",
            id="a missing setting",
        ),
        pytest.param(
            changed("analyzers.toml", "longest_token = 200", 'longest_token = "long"'),
            "analyzers.toml",
            id="a setting of the wrong type",
        ),
        pytest.param(
            changed("analyzers.toml", "[[0x1780, 0x1800]]", "[[0x1780]]"),
            "analyzers.toml",
            id="half a range",
        ),
        pytest.param(
            changed("ranking.toml", "[recency]", "[recent]"),
            "ranking.toml",
            id="no section",
        ),
    ],
)
def test_a_bad_file_is_named(
    copy: Path, damage: Callable[[Path], None], named: str
) -> None:
    """The error says which file to look at, whatever is wrong in it."""
    damage(copy)

    with pytest.raises(DefinitionError, match=named):
        load(copy)


def test_a_word_list_has_one_entry_a_line() -> None:
    """Comments, blank lines and spaces at the ends are left out."""
    assert ["a", "b c"] == word_list("# head\n a \n\nb c  # why\n#\n")


def test_a_new_version_alone_asks_for_no_build(copy: Path, definition: Definition) -> None:
    """Only `built` and the files that decide what is written do."""
    change(copy, "manifest.toml", f"version = {definition.version}", "version = 99")

    later = load(copy)

    assert (99, definition.build_digest) == (later.version, later.build_digest)
