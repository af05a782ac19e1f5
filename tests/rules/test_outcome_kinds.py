"""Kinds of wording: constructions, abilities, symptoms, measures, deeds, notations."""

import pytest

from shadowgraph.rules.outcome import classify
from shadowgraph.search.definition import packaged

FAILED = [
    # what is still bad, came back, or goes round
    "Still points at the old bucket",
    "The hum came back after two days",
    "Keeps rebooting",
    "Der Lüfter rattert immer noch",
    # what had to be undone
    "The rollout had to be cancelled",
    "Hubo que revertir el despliegue",
    # an ability denied
    "The gateway refuses to start",
    "Nobody can upload any more",
    "Die Maske lädt seit gestern nicht mehr",
    "La page ne s'affiche plus",
    "El lector no arranca",
    "设备连不上",
    "画面が表示されない",
    # measures, and good news with a but
    "Boot time went from 4 s to 9 s",
    "Sales fell by a third",
    "The whole suite: 40 s -> 3 min",
    "Loads faster, but the legend overlaps the chart",
    # what tools print
    "container entered CrashLoopBackOff",
    "FAILED (failures=2)",
    "java.lang.IllegalStateException at startup",
    "ENOENT while reading the lock",
    # only a part of them
    "Only 3 of 9 nodes joined",
]

SUCCEEDED = [
    "Users can pay by card again",
    "The scanner boots in 3 seconds",
    "All 12 checks green",
    "Aborts went from dozens a week to none",
    "No duplicates since Monday",
    "The hum no longer occurs",
    "The replay attack was rejected",
    "Latency is 40 ms, it was 3 s",
    "Die Anmeldung geht wieder",
    "El servicio vuelve a funcionar",
    "用户又可以登录了",
    "active: active (running)",
    "not one request was lost",
]

INCONCLUSIVE = [
    "Impossible to say whether the crash is fixed",
    "Far too few users to conclude anything",
    "It might have helped",
    "Noch nicht absehbar, ob es hilft",
    "Faltan datos para concluir",
    "On ne peut pas conclure",
    "还看不出效果",
    "まだ判断できない",
]

UNDETERMINED = [
    "Added retry on errors",
    "Wrote a runbook for outages",
    "Renamed the crash page and moved it",
    "A table of gateway errors",
    "Fehlerseite ergänzt",
    "Se creó una lista de errores",
    "Ajout d'une page d'erreur",
    "新增了错误统计",
    "Raised the timeout from 30 s to 60 s",
    "Checked whether it crashes",
]


def read(result: str) -> str:
    """Return the class that the wording of *result* is read as."""
    return classify({"result": result}, packaged().failure_words).cls


@pytest.mark.parametrize("result", FAILED)
def test_a_failure_is_read_in_every_construction(result: str) -> None:
    """A list has no slot for these; a pattern has."""
    assert "failed" == read(result)


@pytest.mark.parametrize("result", SUCCEEDED)
def test_a_success_is_read_in_every_construction(result: str) -> None:
    """What is restored, gone, fewer or repelled is good news."""
    assert "succeeded" == read(result)


@pytest.mark.parametrize("result", INCONCLUSIVE)
def test_doubt_outweighs_the_words_it_is_about(result: str) -> None:
    """What follows a "whether" is not asserted."""
    assert "inconclusive" == read(result)


@pytest.mark.parametrize("result", UNDETERMINED)
def test_a_deed_with_frightening_objects_says_nothing(result: str) -> None:
    """The main verb tells what was done, and nothing of what came of it."""
    assert "undetermined" == read(result)


def test_what_came_of_a_deed_counts() -> None:
    """A description ends with its clause."""
    texts = ("Added an index, still times out", "Switched to pnpm and it crashed")

    assert ["failed", "failed"] == [read(text) for text in texts]
