"""Hooks: the memory arrives by itself, at the moment of action.

An entry point of its own beside the command line and the server. A host (Claude Code,
Codex, Cursor, Gemini CLI) runs `shadowgraph hook EVENT` with JSON on standard input;
`process` reads it, keeps the deadline and fails open; `reading` makes an `event` of it;
`deciding` finds what to say, with `digest` for what failed before and `capturing` for what
failed now; `told` keeps it from being said twice in a session; `answering` writes it in the
host's form. `policy` and `capture.toml` say which failures are kept, `replay` shows it on a
transcript.

Invariants: a hook exits with 0 and prints nothing or one JSON object; what it injects is
framed as data, bounded, and nothing when nothing is relevant; it loads neither the protocol
nor the machinery of schemas.
"""
