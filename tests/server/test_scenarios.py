"""Ten scenarios, each played over MCP with the SDK's own client.

A decision is made, a failed attempt is recorded, the server is restarted, and then somebody
comes back: to look the decision up, to do the failed thing again, after changes that matter
and changes that do not, and from a neighbouring project that must hear nothing. The story of
each stands in `fixtures/scenarios`; all of them are played once, in two conversations.
"""

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters

STORIES = {
    file.stem: tomllib.loads(file.read_text(encoding="utf-8"))
    for file in sorted((Path(__file__).parents[2] / "fixtures/scenarios").glob("*.toml"))
}
NEIGHBOUR = "acme/neighbour"
every_scenario = pytest.mark.parametrize("name", STORIES)

Said = dict[str, Any]
"What one scenario's calls were answered with, by step."


class _Talk:
    """One conversation with a server."""

    def __init__(self, client: Client) -> None:
        """Talk through *client*."""
        self._client = client

    async def ask(self, project: str, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must succeed; return its structured reply."""
        result = await self._client.call_tool(
            f"shadowgraph_{tool}", {"project": project, **arguments}
        )
        assert not result.is_error, result
        reply: dict[str, Any] = result.structured_content
        return reply

    async def overhear(self, tool: str, **arguments: Any) -> str:
        """Call a tool from the neighbouring project; return all that it lets out."""
        result = await self._client.call_tool(
            f"shadowgraph_{tool}", {"project": NEIGHBOUR, **arguments}
        )
        (block,) = result.content
        assert isinstance(block, types.TextContent)
        return block.text


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Said]:
    """Play all scenarios on one home; return what was answered."""
    return anyio.run(_play, tmp_path_factory.mktemp("scenarios"))


def _server(directory: Path) -> StdioServerParameters:
    """Return how to start a server that offers all tools."""
    command = ["-m", "shadowgraph", "--home", str(directory / "home"), "serve"]
    return StdioServerParameters(
        command=sys.executable, args=[*command, "--tools", "all"], cwd=directory
    )


async def _play(directory: Path) -> dict[str, Said]:
    """Hold both conversations."""
    played: dict[str, Said] = {}
    async with Client(_server(directory)) as client:
        for name, story in STORIES.items():
            played[name] = await _decide(_Talk(client), f"acme/{name}", story)
    # A new process: what it knows, it has from the home.
    async with Client(_server(directory)) as client:
        for name, story in STORIES.items():
            played[name] |= await _come_back(
                _Talk(client), f"acme/{name}", story, played[name]
            )
    return played


async def _decide(talk: _Talk, project: str, story: dict[str, Any]) -> Said:
    """Make the decision, fail once, and note what the reopening depends on."""
    trigger = story["trigger"]
    said = {
        "decision": await talk.ask(project, "record_decision", **story["decision"]),
        "attempt": await talk.ask(project, "record_attempt", **story["attempt"]),
    }
    for fact in story.get("known", []):
        await talk.ask(project, "record_fact", **fact)
    await talk.ask(project, "record_fact", key=trigger["key"], value=trigger["before"])
    said["calm"] = await talk.ask(project, "review")
    return said


async def _come_back(
    talk: _Talk, project: str, story: dict[str, Any], before: Said
) -> Said:
    """Recall, try again, and see changes come in."""
    decision, trigger = before["decision"]["id"], story["trigger"]
    said: Said = {
        "recalled": await talk.ask(project, "search", query=story["query"]),
        "full": await talk.ask(project, "get", ids=[decision]),
        "context": await talk.ask(project, "context", query=story["query"]),
        "redo": await talk.ask(project, "check", action=story["redo"]),
        "irrelevant": [],
    }
    for fact in story["irrelevant"]:
        await talk.ask(project, "record_fact", **fact)
        said["irrelevant"].append(await talk.ask(project, "reconsider"))
    await talk.ask(project, "record_fact", key=trigger["key"], value=trigger["after"])
    said["fired"] = await talk.ask(project, "review")
    said["advice"] = await talk.ask(project, "reconsider", decisionId=decision)
    signals = await talk.ask(project, "review_signals", status="open")
    (signal,) = signals["items"]
    await talk.ask(project, "ack_review", id=signal["id"])
    said["acknowledged"] = await talk.ask(project, "review")
    said["neighbour"] = [
        await talk.overhear("search", query=story["query"]),
        await talk.overhear("check", action=story["redo"]),
        await talk.overhear("context", query=story["query"]),
        await talk.overhear("review", facts={trigger["key"]: trigger["after"]}),
        await talk.overhear("reconsider"),
        await talk.overhear("review_signals"),
    ]
    said["foreign"] = await talk.overhear("get", ids=[decision])
    said["successor"] = await _replace(talk, project, story, decision)
    return said


async def _replace(
    talk: _Talk, project: str, story: dict[str, Any], decision: str
) -> dict[str, Any]:
    """Choose the reopened option in place of the old choice; return what is current."""
    reopened = story["decision"]["alternatives"][0]["label"]
    new = await talk.ask(
        project,
        "record_decision",
        title=story["decision"]["title"],
        chosen=reopened,
        alternatives=[{"label": story["decision"]["chosen"]}],
    )
    await talk.ask(project, "supersede", decisionId=decision, replacementId=new["id"])
    current = await talk.ask(project, "context")
    return {"id": new["id"], "context": current}


@every_scenario
def test_the_decision_is_found_again_after_a_restart(
    name: str, said: dict[str, Said]
) -> None:
    """By other words than its own, among the first."""
    wanted = said[name]["decision"]["id"]

    assert wanted in [item["record"]["id"] for item in said[name]["recalled"]["items"][:3]]
    assert wanted in [item["id"] for item in said[name]["context"]["activeDecisions"]]


@every_scenario
def test_every_rejected_option_is_recalled_with_its_reason(
    name: str, said: dict[str, Said]
) -> None:
    """So that nobody has to weigh them again."""
    (held,) = said[name]["full"]["items"]
    told = STORIES[name]["decision"]["alternatives"]

    assert [(a["label"], a["reasonRejected"], a["reopenWhen"]) for a in told] == [
        (a["label"], a["reasonRejected"], a["reopenWhen"]) for a in held["alternatives"]
    ]
    (shown,) = said[name]["context"]["activeDecisions"]
    assert len(told) == len(shown["rejected"])


@every_scenario
def test_doing_the_failed_thing_again_is_advised_against(
    name: str, said: dict[str, Said]
) -> None:
    """Naming the attempt and why it failed; caution is enough when it is told otherwise."""
    redo = said[name]["redo"]

    assert redo["verdict"] in ("avoid", "caution")
    assert said[name]["attempt"]["id"] == redo["matches"][0]["id"]
    assert STORIES[name]["attempt"]["reason"] == redo["matches"][0]["reason"]


def test_the_failed_thing_is_to_be_avoided_in_all_scenarios_but_one(
    said: dict[str, Said],
) -> None:
    """An unbounded dictionary is not seen to be one that never forgets; that is caution."""
    verdicts = {name: said[name]["redo"]["verdict"] for name in STORIES}

    assert {name for name in STORIES if verdicts[name] != "avoid"} <= {"03-bounded-cache"}


@every_scenario
def test_the_failed_attempt_stands_first_in_the_context(
    name: str, said: dict[str, Said]
) -> None:
    """Whoever starts the task reads it before anything else."""
    failed = said[name]["context"]["failedAttempts"]

    assert [said[name]["attempt"]["id"]] == [item["id"] for item in failed]


@every_scenario
def test_nothing_is_due_before_the_change(name: str, said: dict[str, Said]) -> None:
    """The value as it was does not reach the condition."""
    assert [] == said[name]["calm"]["items"]


@every_scenario
def test_changes_that_do_not_matter_reopen_nothing(
    name: str, said: dict[str, Said]
) -> None:
    """Three of them, with names or values like the one that does."""
    verdicts = [reply["verdict"] for reply in said[name]["irrelevant"]]

    assert 3 == len(verdicts)
    assert "review_recommended" not in verdicts


@every_scenario
def test_the_change_that_matters_reopens_the_decision(
    name: str, said: dict[str, Said]
) -> None:
    """With the option, the condition and the value that say so."""
    (due,) = said[name]["fired"]["items"]
    story = STORIES[name]

    assert said[name]["decision"]["id"] == due["decisionId"]
    assert [story["decision"]["alternatives"][0]["label"]] == due[
        "alternativesToReconsider"
    ]
    assert story["trigger"]["key"] in due["reason"]
    assert "review_recommended" == said[name]["advice"]["verdict"]
    (advice,) = said[name]["advice"]["decisions"]
    assert due["reviewSignalId"] == advice["reviewSignalId"]


@every_scenario
def test_an_acknowledged_change_stays_acknowledged(
    name: str, said: dict[str, Said]
) -> None:
    """It is still due, and it does not ask again."""
    (due,) = said[name]["acknowledged"]["items"]

    assert "acknowledged" == due["reviewSignalStatus"]


@every_scenario
def test_a_neighbouring_project_hears_nothing(name: str, said: dict[str, Said]) -> None:
    """No id and no sentence of it, and a foreign id reads like an unknown one."""
    story = STORIES[name]
    secrets = [
        said[name]["decision"]["id"],
        said[name]["attempt"]["id"],
        json.dumps(story["decision"]["chosen"], ensure_ascii=False)[1:-1],
        json.dumps(story["attempt"]["reason"], ensure_ascii=False)[1:-1],
        "acme/" + name,
    ]
    heard = "\n".join(said[name]["neighbour"])

    assert [] == [secret for secret in secrets if secret in heard]
    assert said[name]["foreign"].startswith("unknown-record:")


@every_scenario
def test_the_reopened_option_can_take_the_place_of_the_choice(
    name: str, said: dict[str, Said]
) -> None:
    """From then on it is the decision in force, and nothing is due."""
    current = said[name]["successor"]["context"]

    assert [said[name]["successor"]["id"]] == [d["id"] for d in current["activeDecisions"]]
    assert [] == current["firedConditions"]


def test_there_are_ten_scenarios_and_each_is_whole() -> None:
    """Two rejected options, three constraints, three changes that do not matter."""
    shapes = {
        (
            len(story["decision"]["alternatives"]),
            len(story["decision"]["assumptions"]),
            len(story["irrelevant"]),
        )
        for story in STORIES.values()
    }

    assert (10, {(2, 3, 3)}) == (len(STORIES), shapes)
