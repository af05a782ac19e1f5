"""Printing for people: colour and progress on a terminal only, plain text in a pipe.

What is shown was written by others, so control characters are made visible; a record cannot
move the cursor or colour what follows it.
"""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import wraps
from typing import Any

import click

from shadowgraph.rules.instants import instant_or_none
from shadowgraph.rules.visibility import visible

Show = Callable[[dict[str, Any]], None]
"Prints one reply."
COLOURS = {"failed": "red", "succeeded": "green", "inconclusive": "yellow"}


def plain(text: object) -> str:
    """Return *text* on one line with control characters made visible."""
    line = " ".join(str(text).split())
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in line)


def as_shown(show: Show) -> Show:
    """Let a function print a reply in which no text hides anything, ids and names included."""

    @wraps(show)
    def shown(reply: dict[str, Any]) -> None:
        show(_all_visible(reply))

    return shown


def _all_visible(value: Any) -> Any:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        return {visible(name): _all_visible(item) for name, item in value.items()}
    return [_all_visible(item) for item in value] if isinstance(value, list) else value


def compact(value: Any) -> str:
    """Return a value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


def _echo(text: str = "") -> None:
    click.echo(text)


def word_of(record: dict[str, Any]) -> str:
    """Return the one word for how a record ended or stands."""
    word = record.get("resultClass") or record.get("status") or record["kind"]
    return str(word)


def _label(record: dict[str, Any]) -> str:
    word = word_of(record)
    return click.style(f"{word.upper():<12}", fg=COLOURS.get(word), bold=True)


def age(text: object) -> str:
    """Return how long ago an instant was, in the largest whole unit."""
    instant = instant_or_none(text)
    if instant is None:
        return ""
    days = (datetime.now(UTC) - instant).days
    for unit, length in (("year", 365), ("month", 30), ("day", 1)):
        if days >= length:
            count = days // length
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "today"


def headline(record: dict[str, Any]) -> str:
    """Return what a record is called, on one line."""
    names = {
        "attempt": "solution",
        "decision": "title",
        "fact": "key",
        "evidence": "summary",
        "memory": "key",
        "alternative": "label",
    }
    name = names.get(record["kind"], "title")
    return plain(record.get(name) or record.get("solution") or record["id"])


def _details(record: dict[str, Any], indent: str) -> None:
    for name, label in (
        ("chosen", "chose"),
        ("value", "value"),
        ("text", "text"),
        ("result", "result"),
        ("reason", "why"),
        ("environment", "where"),
    ):
        if record.get(name) not in (None, ""):
            _echo(f"{indent}{label + ':':8} {plain(record[name])}")


@as_shown
def hits(reply: dict[str, Any]) -> None:
    """Print the answer of a search."""
    page = reply["page"]
    for position, item in enumerate(reply["items"], start=page["offset"] + 1):
        record = item["record"]
        _echo(f"{position:>3}  {_label(record)} {headline(record)}")
        _details(record, "     ")
        _echo(f"     match:   {plain(item['reason'])}")
        told = [
            record["id"],
            plain(record.get("project") or ""),
            age(record.get("createdAt")),
        ]
        _echo(click.style(f"     {'  '.join(t for t in told if t)}", dim=True))
        if "explanation" in item:
            score(item["score"], item["explanation"])
        _echo()
    found(reply)


def found(reply: dict[str, Any]) -> None:
    """Print the last lines of a search: how many, where, and what to know."""
    block, page = reply["completeness"], reply["page"]
    where = plain(block["scope"]["project"] or "all projects")
    _echo(f"{page['total']} found in {where}, {len(reply['items'])} shown.")
    notes(block)


def score(score: float, explained: dict[str, Any]) -> None:
    """Print a score taken apart."""
    factors = ", ".join(f"{k} x{v}" for k, v in explained["factors"].items())
    _echo(f"     score:   {score} = {explained['wordScore']} x ({factors})")
    for label, name in (("words", "byWord"), ("fields", "byField"), ("extras", "extras")):
        if parts := explained[name]:
            told = ", ".join(f"{k} {v}" for k, v in parts.items())
            _echo(f"     {label + ':':8} {plain(told)}")


def notes(block: dict[str, Any]) -> None:
    """Print what a reader must know about how an answer came about."""
    for repair in block.get("repaired", []):
        _echo(f"Searched {repair['to']!r} instead of {repair['from']!r}.")
    if block.get("commonWords"):
        words = ", ".join(block["commonWords"])
        _echo(f"Too common to find by, used for the order: {words}.")
    if block.get("excludedWords"):
        _echo(f"Without: {', '.join(block['excludedWords'])}.")
    if block.get("pending"):
        _echo(f"{block['pending']} changes are not searchable yet.")
    for notice in block.get("notices", []):
        _echo(notice)
    if block.get("suggestions"):
        _echo(f"Nearest words: {', '.join(block['suggestions'])}.")
    if block.get("hint"):
        _echo(f"{block['hint']} ({block['recordsInScope']} records in scope)")


SECTIONS = (
    ("failedAttempts", "Failed attempts to avoid"),
    ("firedConditions", "Due for review"),
    ("activeDecisions", "Decisions in force"),
    ("reusableAttempts", "Worth another try"),
    ("staleAssumptions", "No longer true"),
    ("belowConfidenceThreshold", "Decided with little confidence"),
)


@as_shown
def working_set(reply: dict[str, Any]) -> None:
    """Print a context."""
    collections = reply["completeness"]["collections"]
    for name, title in SECTIONS:
        counted = collections[name]
        if not counted["total"]:
            continue
        of = f" ({counted['returned']} of {counted['total']})"
        _echo(click.style(title, bold=True) + of)
        for item in reply[name]:
            context_item(name, item)
        _echo()
    _echo(f"Project {plain(reply['project'])}.")
    notes(reply["completeness"])


def context_item(name: str, item: dict[str, Any]) -> None:
    """Print one item of a section of a context."""
    if name in ("failedAttempts", "activeDecisions"):
        _echo(f"  {_label(item)} {headline(item)}")
        _details(item, "     ")
        for rejected in item.get("rejected", []):
            _echo(f"     not:     {plain(rejected)}")
        if item.get("matched"):
            _echo(f"     match:   {plain(item['matched'])}")
        told = f"{item['id']}  {age(item.get('createdAt'))}"
        _echo(click.style(f"     {told}", dim=True))
    elif name == "firedConditions":
        _echo(f"  {plain(item['title'])}: {plain(item['reason'])}  {item['decisionId']}")
    elif name == "reusableAttempts":
        _echo(f"  {plain(item['solution'])}  {item['attemptId']}")
    elif name == "staleAssumptions":
        _echo(f"  {plain(item['key'])} = {plain(item['value'])} ({item['status']})")
    else:
        _echo(f"  {plain(item['title'])} ({item['confidence']})  {item['decisionId']}")


@as_shown
def records(reply: dict[str, Any]) -> None:
    """Print full records, one field a line."""
    for body in reply["items"]:
        _echo(click.style(f"{body['kind']} {body['id']}", bold=True))
        for name, value in body.items():
            if name not in ("kind", "id") and value not in (None, "", [], {}):
                _echo(f"  {name + ':':16} {plain(value)}")
        _echo()
    for missing in reply["missing"]:
        _echo(f"No record {missing} in {plain(reply['project'] or 'any project')}.")
    if reply["omitted"]:
        _echo(f"Left out, the answer is long enough: {', '.join(reply['omitted'])}.")


@as_shown
def written(reply: dict[str, Any]) -> None:
    """Print what a recording stored, and what it is like."""
    verb = "was recorded before" if reply.get("replayed") else "recorded"
    _echo(f"{reply['id']} {verb} in {plain(reply.get('project') or 'no project')}.")
    if reply.get("masked"):
        _echo(masked_sentence(reply["masked"]))
    for warning in reply.get("warnings") or []:
        _echo(f"Note: {warning}")
    if reply.get("similar"):
        _echo("Tried before:")
        for earlier in reply["similar"]:
            _echo(
                f"  {_label({**earlier, 'kind': 'attempt'})} {plain(earlier['solution'])}"
            )
            if earlier["reason"]:
                _echo(f"     why:     {plain(earlier['reason'])}")
            _echo(
                click.style(f"     {earlier['id']}  {earlier['score']:.0%} alike", dim=True)
            )


@as_shown
def project_table(reply: dict[str, Any]) -> None:
    """Print the projects."""
    width = max([len(plain(row["project"])) for row in reply["items"]], default=7)
    for row in reply["items"]:
        mark = "*" if row["project"] == reply["current"] else " "
        kinds = ", ".join(f"{count} {kind}" for kind, count in row["counts"].items())
        line = f"{mark} {plain(row['project']):<{width}}  {row['records']:>7,}  {kinds}"
        _echo(line.rstrip())
    _echo(f"* this session's project ({reply['source']})")


def figures(reply: dict[str, Any]) -> None:
    """Print the figures of a home."""
    index = reply["index"]
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in reply["counts"].items())
    for name, value in (
        ("home", reply["home"]),
        ("records", f"{reply['records']:,} ({kinds})"),
        ("projects", f"{reply['projects']:,}"),
        ("store", f"{reply['storeBytes']:,} bytes, revision {reply['revision']:,}"),
        ("journal", f"{reply['journal']:,} entries"),
        ("index", f"{index['documents']:,} records, {index['bytes']:,} bytes"),
        ("", f"{index['segments']} segments, {index['pending']} changes pending"),
        ("", f"definition {index['definition']} ({index['buildDigest']})"),
    ):
        _echo(f"{name:10} {value}")


@as_shown
def findings(reply: dict[str, Any]) -> None:
    """Print what the doctor found."""
    for check in reply["checks"]:
        mark = (
            click.style("ok  ", fg="green")
            if check["ok"]
            else click.style("BAD ", fg="red")
        )
        _echo(f"{mark} {check['name']:14} {plain(check['detail'])}")
        if check.get("next"):
            _echo(f"     {check['next']}")


def masked_sentence(counts: Mapping[str, int]) -> str:
    """Return the sentence that says which credentials were masked."""
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(counts.items()))
    return f"Masked: {kinds}."


@as_shown
def entries(reply: dict[str, Any]) -> None:
    """Print journal entries, one a line, with the state in full below when it came."""
    for item in reply["items"]:
        who = item.get("provenance", {}).get("actor") or ""
        told = [item.get("at", ""), item["type"], item.get("entityId", ""), who]
        _echo(f"{item['seq']:>7}  {plain('  '.join(part for part in told if part))}")
        if "payload" in item:
            _echo(f"         {plain(json.dumps(item['payload'], ensure_ascii=False))}")
    page = reply["page"]
    if page["hasMore"]:
        _echo(
            f"{page['total']:,} entries; go on with --offset {page['offset'] + page['limit']}."
        )
