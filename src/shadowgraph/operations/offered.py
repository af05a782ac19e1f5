"""Which operations there are, and where each one is declared.

A process loads the modules of the operations it runs or offers, and no others: that is half
the start of a command. Everything else about an operation is in its declaration, which
refuses to be made when this table says something else.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

TOOLSETS: Final = ("core", "graph", "tasks", "admin")
"Groups of tools a server can offer."

OFFERED: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "shadowgraph_check": ("core", "checking"),
        "shadowgraph_context": ("core", "context"),
        "shadowgraph_record_fact": ("core", "facts"),
        "shadowgraph_update_status": ("core", "progress"),
        "shadowgraph_record_outcome": ("core", "progress"),
        "shadowgraph_get": ("core", "reading"),
        "shadowgraph_projects": ("core", "reading"),
        "shadowgraph_record_attempt": ("core", "recording"),
        "shadowgraph_record_decision": ("core", "recording"),
        "shadowgraph_search": ("core", "searching"),
        "shadowgraph_amend": ("graph", "correcting"),
        "shadowgraph_reclassify": ("graph", "correcting"),
        "shadowgraph_review": ("graph", "due"),
        "shadowgraph_review_context": ("graph", "due"),
        "shadowgraph_expand": ("graph", "expanding"),
        "shadowgraph_maintain": ("graph", "maintaining"),
        "shadowgraph_recall": ("graph", "recalling"),
        "shadowgraph_reconsider": ("graph", "reconsidering"),
        "shadowgraph_link": ("graph", "relating"),
        "shadowgraph_unlink": ("graph", "relating"),
        "shadowgraph_remember": ("graph", "remembering"),
        "shadowgraph_retract": ("graph", "retracting"),
        "shadowgraph_retrieve": ("graph", "retrieving"),
        "shadowgraph_change_rules": ("graph", "ruling"),
        "shadowgraph_review_signals": ("graph", "signals"),
        "shadowgraph_ack_review": ("graph", "signals"),
        "shadowgraph_supersede": ("graph", "superseding"),
        "shadowgraph_traverse": ("graph", "traversing"),
        "shadowgraph_verify_fact": ("graph", "verifying"),
        "shadowgraph_confidence_evidence": ("graph", "weighing"),
        "task_start": ("tasks", "starting"),
        "task_switch": ("tasks", "starting"),
        "task_park": ("tasks", "starting"),
        "task_status": ("tasks", "overseeing"),
        "task_list": ("tasks", "overseeing"),
        "task_audit": ("tasks", "auditing"),
        "task_update": ("tasks", "patching"),
        "task_update_verification": ("tasks", "concluding"),
        "task_finalize": ("tasks", "concluding"),
        "task_block": ("tasks", "moving"),
        "task_unblock": ("tasks", "moving"),
        "task_abandon": ("tasks", "moving"),
        "task_handoff": ("tasks", "handing"),
        "record_decision": ("tasks", "noting"),
        "record_dead_end": ("tasks", "noting"),
        "attach_evidence": ("tasks", "attaching"),
        "load_context": ("tasks", "continuing"),
        "resume": ("tasks", "continuing"),
        "checkpoint": ("tasks", "checkpoints"),
        "diff": ("tasks", "checkpoints"),
        "replay": ("tasks", "replaying"),
        "record_source": ("tasks", "sources"),
        "source_status": ("tasks", "sources"),
        "bundle_export": ("tasks", "bundling"),
        "bundle_inspect": ("tasks", "inspecting"),
        "bundle_import_plan": ("tasks", "unbundling"),
        "bundle_import": ("tasks", "unbundling"),
        "shadowgraph_stats": ("admin", "admin"),
        "shadowgraph_reindex": ("admin", "admin"),
        "shadowgraph_doctor": ("admin", "admin"),
        "shadowgraph_compact": ("admin", "compacting"),
        "shadowgraph_backup": ("admin", "copies"),
        "shadowgraph_restore": ("admin", "copies"),
        "shadowgraph_journal": ("admin", "history"),
        "shadowgraph_rebuild": ("admin", "history"),
        "shadowgraph_purge_preview": ("admin", "purging"),
        "shadowgraph_purge": ("admin", "purging"),
        "shadowgraph_redact": ("admin", "redacting"),
        "shadowgraph_import": ("admin", "transferring"),
        "shadowgraph_validate": ("admin", "validating"),
        "shadowgraph_repair_plan": ("admin", "validating"),
    }
)
"Toolset and module of every operation."
