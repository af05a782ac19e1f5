"""Figures, rebuilding, examination, and which tools a server offers."""

from collections.abc import Callable
from typing import Any

import pytest

from shadowgraph import Library
from shadowgraph.errors import InvalidInputError
from shadowgraph.operations import REGISTRY, TOOLSETS, toolset

Ask = Callable[..., dict[str, Any]]


@pytest.mark.usefixtures("tiny_library")
def test_figures_count_the_whole_home(ask: Ask, library: Library) -> None:
    """All projects, the journal and the index."""
    reply = ask("stats")

    assert {"attempt": 7, "decision": 3, "fact": 2} == reply["counts"]
    assert (12, 2, 1, 12) == tuple(
        reply[name] for name in ("records", "projects", "revision", "journal")
    )
    assert (12, 0) == (reply["index"]["documents"], reply["index"]["pending"])
    assert library.definition.build_digest == reply["index"]["buildDigest"]
    assert str(library.home) == reply["home"]
    assert reply["storeBytes"] > 0


@pytest.mark.usefixtures("tiny_library")
def test_a_rebuilt_index_answers_like_the_one_before(ask: Ask) -> None:
    """Every record is in it, and the ranking is the same."""
    before = ask("search", query="ledger sqlite")["items"]
    documents = ask("reindex")["documents"]

    assert 12 == documents
    assert before == ask("search", query="ledger sqlite")["items"]


@pytest.mark.usefixtures("tiny_library")
def test_a_sound_store_passes_every_examination(ask: Ask) -> None:
    """Store file, journal, records, index with its files, and a canary query."""
    reply = ask("doctor")

    assert reply["ok"] is True
    assert [
        "store file",
        "journal",
        "records",
        "index",
        "index files",
        "index definitions",
        "canary query",
    ] == [check["name"] for check in reply["checks"]]
    assert all("next" not in check for check in reply["checks"])


@pytest.mark.usefixtures("tiny_library")
def test_a_record_missing_from_the_index_is_found_by_the_doctor(
    ask: Ask, library: Library
) -> None:
    """Exact sets are compared, without a tolerance, and the next step is named."""
    view = library.sync.view()
    engine = library.sync.current.in_use().engine
    with engine.writing() as writing:
        writing.commit((), [1], view.snapshot.mark, fresh=False)
    engine.reload()

    reply = ask("doctor")
    (index,) = [check for check in reply["checks"] if check["name"] == "index"]
    assert (False, False) == (reply["ok"], index["ok"])
    assert "1 records missing" in index["detail"]
    assert "shadowgraph reindex" in index["next"]


def test_core_is_offered_without_admin() -> None:
    """A model is not shown what a person runs."""
    names = {operation.name for operation in toolset("core")}

    assert {o.name for o in REGISTRY.values() if o.toolset == "core"} == names
    assert "shadowgraph_reindex" not in names


def test_toolsets_and_single_names_can_be_mixed() -> None:
    """A list of both gives each once."""
    names = [o.name for o in toolset("core, shadowgraph_doctor,shadowgraph_search")]

    assert len(names) == len(set(names))
    assert "shadowgraph_doctor" in names
    assert "shadowgraph_stats" not in names


def test_all_offers_everything() -> None:
    """In the order of the toolsets."""
    offered = toolset("all")

    assert set(REGISTRY) == {operation.name for operation in offered}
    places = [TOOLSETS.index(operation.toolset) for operation in offered]
    assert sorted(places) == places


def test_an_unknown_toolset_is_refused_with_the_nearest() -> None:
    """A server that offers nothing would be a riddle."""
    with pytest.raises(InvalidInputError) as caught:
        toolset("cores")

    assert "core" in caught.value.hint
