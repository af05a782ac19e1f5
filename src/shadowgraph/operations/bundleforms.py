"""The parts of a bundle, made from stored records: one function a part.

A form holds what another team can use and nothing of this store: no owner, no session, no
row, no modification time. The same record gives the same form, so exports have the same
digest; and an import compares a record that is there with one that comes by their forms.
"""

from collections.abc import Mapping
from typing import Any

from shadowgraph.model.bundles import CHECKPOINT_BYTES
from shadowgraph.operations.freshness import files_of
from shadowgraph.operations.judging import objects
from shadowgraph.rules.bundles import canonical
from shadowgraph.rules.facets import confidence_of
from shadowgraph.rules.passport import listed
from shadowgraph.rules.verdicts import verification_of


def task_form(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the passport as a bundle holds it."""
    risk = body.get("risk")
    return {
        "id": body["id"],
        "title": str(body.get("title") or body.get("objective") or body["id"]),
        "objective": str(body.get("objective") or ""),
        "constraints": listed(body, "constraints"),
        "writeScope": listed(body, "writeScope"),
        "risk": risk if risk in ("low", "medium", "high") else "unknown",
        "tags": listed(body, "tags"),
        "nextActions": listed(body, "nextActions"),
        "originalStatus": str(body.get("status") or ""),
        "originalVerification": dict(verification_of(body)),
    }


def handoff(body: Mapping[str, Any]) -> str:
    """Return the task for a reader without a store."""
    lines = [f"# {body.get('title') or body['id']}", "", str(body.get("objective") or "")]
    for title, name in (
        ("Constraints", "constraints"),
        ("Write only", "writeScope"),
        ("Next", "nextActions"),
    ):
        told = listed(body, name)
        lines += ["", f"## {title}", "", *(f"* {one}" for one in told)] if told else []
    verdict = verification_of(body)
    told_verdict = f"{verdict.get('status') or 'unknown'} {verdict.get('summary') or ''}"
    return "\n".join([*lines, "", f"Verification: {told_verdict.strip()}", ""])


def checkpoint_form(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a checkpoint within its limit, its summary cut when it has to be."""
    form = {
        "id": body["id"],
        "createdAt": str(body.get("createdAt") or ""),
        "summary": str(body.get("summary") or ""),
        "git": dict(body.get("git") or {}),
        "truncated": False,
    }
    # Masking may lengthen a text, so a little room is kept.
    room = CHECKPOINT_BYTES - 200
    while len(canonical(form).encode()) > room and form["summary"]:
        form["summary"] = form["summary"][: len(form["summary"]) * 9 // 10]
        form["truncated"] = True
    return form


def source_form(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a source as a bundle holds it."""
    return {
        "path": str(body.get("path")),
        "hash": str(body.get("sha256")),
        "size": int(body.get("size") or 0),
        "recordedAt": str(body.get("updatedAt") or body.get("createdAt") or ""),
        "summary": str(body.get("summary") or ""),
        "snippet": str(body.get("snippet") or ""),
    }


def evidence_form(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return evidence as a bundle holds it."""
    code = body.get("exitCode")
    return {
        "originId": body["id"],
        "kind": str(body.get("evidenceKind") or "note"),
        "summary": str(body.get("summary") or ""),
        "command": str(body.get("command") or ""),
        "exitCode": code if isinstance(code, int) and not isinstance(code, bool) else None,
        "content": str(body.get("content") or body.get("detail") or ""),
    }


def decision_form(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a decision as a bundle holds it."""
    return {
        "originId": body["id"],
        "title": str(body.get("title") or ""),
        "chosen": str(body.get("chosen") or ""),
        "goal": str(body.get("goal") or ""),
        "status": str(body.get("status") or ""),
        "confidence": float(confidence_of(body) or 0.0),
        "assumptions": listed(body, "assumptions"),
        "alternatives": [
            {
                "label": str(one.get("label") or ""),
                "reasonRejected": str(one.get("reasonRejected") or ""),
                "reopenWhen": list(one.get("reopenWhen") or []),
            }
            for one in objects(body.get("alternatives"))
        ],
        "files": _files(body),
        "createdAt": str(body.get("createdAt") or ""),
    }


def dead_end_form(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a failed attempt as a bundle holds it."""
    return {
        "originId": body["id"],
        "solution": str(body.get("solution") or ""),
        "result": str(body.get("result") or ""),
        "reason": str(body.get("reason") or ""),
        "environment": str(body.get("environment") or ""),
        "reusableWhen": list(body.get("reusableWhen") or []),
        "files": _files(body),
        "createdAt": str(body.get("createdAt") or ""),
    }


def _files(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {key: file[key] for key in ("path", "sha256", "size") if file.get(key) is not None}
        for file in files_of(body)
    ]
