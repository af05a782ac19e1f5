"""What is shipped: the data that the program cannot run without."""

import importlib.util
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

import shadowgraph

ROOT = Path(__file__).parents[2]
PYPROJECT: dict[str, Any] = tomllib.loads(
    (ROOT / "pyproject.toml").read_text(encoding="utf-8")
)
FORCED: dict[str, str] = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"][
    "force-include"
]


def _index_files() -> set[str]:
    """Return the files of the index definition; the change log is for people."""
    return {
        file.relative_to(ROOT).as_posix()
        for file in (ROOT / "index").rglob("*")
        if file.is_file() and file.suffix in {".toml", ".txt"}
    }


def test_every_file_of_the_definition_and_the_demo_is_named_for_the_wheel() -> None:
    """By name: a folder would take along whatever else lies there."""
    assert _index_files() | {"fixtures/tiny/records.jsonl"} == set(FORCED)


def test_the_places_in_the_wheel_are_where_the_package_looks() -> None:
    """Beside the code, under the same names."""
    for source, target in FORCED.items():
        if source.startswith("index/"):
            assert source.replace("index/", "shadowgraph/_index/", 1) == target
    assert "shadowgraph/_demo/records.jsonl" == FORCED["fixtures/tiny/records.jsonl"]


def test_the_version_is_read_from_the_package() -> None:
    """One number, in one place."""
    text = (ROOT / PYPROJECT["tool"]["hatch"]["version"]["path"]).read_text("utf-8")

    assert f'__version__ = "{shadowgraph.__version__}"' in text
    assert ["version"] == PYPROJECT["project"]["dynamic"]


def test_constraints_are_plain_pins_of_everything_that_is_needed() -> None:
    """name==version lines only, and every direct dependency among them."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = {line.partition("==")[0].lower().replace("_", "-") for line in lines}
    groups = PYPROJECT["dependency-groups"]
    wanted = [
        *PYPROJECT["project"]["dependencies"],
        *(d for g in groups.values() for d in g),
    ]

    assert [] == [line for line in lines if line.count("==") != 1 or " " in line]
    names = {d.partition(">")[0].strip().lower().replace("_", "-") for d in wanted}
    assert set() == names - pins


def test_a_built_wheel_holds_the_data_and_the_types(tmp_path: Path) -> None:
    """Built without the network, with the build backend that is installed."""
    if importlib.util.find_spec("hatchling") is None:
        pytest.skip("hatchling is not installed, so no wheel was built")
    subprocess.run(
        [
            sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation",
            "--no-index", "--quiet", "--wheel-dir", str(tmp_path), str(ROOT),
        ],
        check=True,
    )  # fmt: skip
    (wheel,) = tmp_path.glob("shadowgraph-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())

    assert set(FORCED.values()) <= names
    assert "shadowgraph/py.typed" in names
    assert not any(name.startswith(("tests/", "fixtures/")) for name in names)
