"""Write the reference pages from the code they describe.

Seven pages are made here and never edited by hand: `tools.md` from the declared operations,
`cli.md` from the help of every command, `errors.md` from the tree in `errors.py`,
`fields.md` from the record models and the index definition, `compatibility.md` from
`upstream.toml` and the declared operations, `peer-faults.md` from `peer_faults.toml` and the
names of the tests, and `upstream-faults.md` from `upstream_faults.toml`. The output depends on nothing
but the source: no time, no terminal width, no path of a machine.

`--check` writes nothing; it ends with status 1 when a page is not what the code says, names
the page and the command that writes it again. Text that people write is in `guide.md`,
`glossary.md` and `style.md`.
"""

import argparse
import inspect
import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import compatibility
import upstream_faults

import peer_faults
from shadowgraph import errors
from shadowgraph.cli.main import main as command_line
from shadowgraph.model.kinds import KINDS, LINK_KINDS
from shadowgraph.model.records import (
    GRAPH_MODELS,
    RECORD_MODELS,
    Alternative,
    Evidence,
)
from shadowgraph.model.wire import Wire, descriptions
from shadowgraph.operations import Operation, toolset
from shadowgraph.operations.cutting import REPLY, SIZES
from shadowgraph.operations.schemas import input_schema, output_schema

DOCS = Path(__file__).parent
INDEX = DOCS.parent / "index"
COMMAND = "make docs"
WIDTH = 88
"Columns of a help text, whatever the terminal has."

Schema = Mapping[str, Any]
Row = Sequence[str]


def heading(title: str, source: str, *paragraphs: str) -> list[str]:
    """Return the first lines of a page: its title, its source and what it is about."""
    made = f"<!-- Made by docs/generate.py from {source}. Run: {COMMAND} -->"
    return [f"# {title}", "", made, "", *(line for p in paragraphs for line in (p, ""))]


def table(names: Row, rows: Iterable[Row]) -> list[str]:
    """Return a Markdown table with an empty line after it."""
    lines = [f"| {' | '.join(names)} |", f"|{' --- |' * len(names)}"]
    lines += [f"| {' | '.join(map(_cell, row))} |" for row in rows]
    return [*lines, ""]


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _code(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def type_of(schema: Schema, defs: Schema) -> str:
    """Return in words what a JSON Schema node allows."""
    if "$ref" in schema:
        return type_of(defs[str(schema["$ref"]).rsplit("/", 1)[1]], defs)
    if schema.get("x-json") or (not schema.get("type") and not _options(schema)):
        return "any JSON"
    if _options(schema):
        kinds = [type_of(option, defs) for option in _options(schema)]
        return " or ".join(dict.fromkeys(kinds))
    named = schema["type"]
    if isinstance(named, list):
        return " or ".join(named)
    text = f"array of {type_of(schema['items'], defs)}" if "items" in schema else named
    return f"{text} or string" if schema.get("x-several") else str(text)


def _options(schema: Schema) -> list[Schema]:
    return list(schema.get("anyOf") or schema.get("oneOf") or ())


def limits_of(schema: Schema) -> str:
    """Return the values or the range that a schema node allows, as a sentence."""
    if "enum" in schema:
        return f"One of {', '.join(map(_code, schema['enum']))}."
    low, high = schema.get("minimum"), schema.get("maximum")
    told = [f"at least {low}"] if low is not None else []
    told += [f"at most {high}"] if high is not None else []
    if "maxLength" in schema:
        told.append(f"at most {schema['maxLength']} characters")
    sentence = " and ".join(told)
    return f"{sentence[0].upper()}{sentence[1:]}." if sentence else ""


@dataclass(frozen=True, slots=True)
class Property:
    """One property of a schema, at any depth."""

    path: str
    schema: Schema
    text: str
    "Its description."
    required: bool

    @property
    def described(self) -> str:
        """The description with the values or the range, unless it names them itself."""
        ends = (self.schema.get("minimum"), self.schema.get("maximum"))
        said = None not in ends and all(str(end) in self.text for end in ends)
        return self.text if said else f"{self.text} {limits_of(self.schema)}"


def flat(schema: Schema, told: Mapping[str, str], prefix: str = "") -> Iterator[Property]:
    """Yield every property of an object's schema, the nested ones below their own."""
    required = schema.get("required", ())
    for name, node in schema["properties"].items():
        text = " ".join(str(node.get("description") or told.get(name, "")).split())
        yield Property(f"{prefix}{name}", node, text, name in required)
        inner, mark = (node["items"], "[]") if "items" in node else (node, "")
        if "properties" in inner:
            yield from flat(inner, {}, f"{prefix}{name}{mark}.")


def _by_wire_name(model: type[Wire]) -> dict[str, str]:
    told = descriptions(model)
    return {
        field.alias or name: told[name]
        for name, field in model.model_fields.items()
        if name in told
    }


def tools_page() -> list[str]:
    """Return the page of every operation."""
    lines = heading(
        "Tools",
        "the declared operations",
        "One section per operation. A client sees each of them as an MCP tool when its"
        " toolset is offered (`shadowgraph serve --tools core|graph|tasks|admin|all`);"
        " at a shell, `shadowgraph call TOOL key=value ...` runs any of them.",
        "Arguments: `null` and an empty text mean absent (an empty `project` is refused),"
        " enumerations ignore case, numbers may come as text and texts as numbers, lists and"
        " objects may come as JSON text, one value may stand for a list of one. An unknown"
        " argument is refused with the nearest name. `accessId`, `grantId` and"
        " `readProvenance` are accepted and have no effect.",
        "Replies: a reply that took NUL or half surrogates out of a text says where in"
        " `cleaned`, and one that masked credentials counts them by kind in `masked`. Over MCP"
        f" a tool answers within {REPLY:,} bytes unless a call names a size ({_sizes()}), a"
        " tool has a budget of its own, or an operator asks (admin): lists leave items out"
        " and count them, long texts are cut, and `clipped` says how many and how to read"
        " them whole. Fields of stored records are described in [fields.md](fields.md),"
        " refusals in [errors.md](errors.md).",
        "The list of tools that a client reads has the beginning of long descriptions"
        " and leaves out arguments that a server knows better than a model, and second"
        " names; here they are marked *unlisted*.",
    )
    operations = toolset("all")
    lines += table(
        ("tool", "toolset", "what it does"),
        ((f"[`{o.name}`](#{o.name})", o.toolset, o.title) for o in operations),
    )
    for operation in operations:
        lines += _tool(operation)
    return lines


def _tool(operation: Operation) -> list[str]:
    hints = ", ".join(
        (
            "reads only" if operation.read_only else "writes",
            "may replace what is stored" if operation.destructive else "replaces nothing",
            "idempotent" if operation.idempotent else "not idempotent",
        )
    )
    call = {"name": operation.name, "arguments": operation.example}
    return [
        f"## {operation.name}",
        "",
        f"{operation.title}. Toolset `{operation.toolset}`; {hints}.",
        "",
        operation.description,
        "",
        "### Arguments",
        "",
        *_arguments(operation),
        "### Reply",
        "",
        *_reply(operation),
        "### Example",
        "",
        "```json",
        *json.dumps(call, ensure_ascii=False, indent=2).splitlines(),
        "```",
        "",
    ]


def _sizes() -> str:
    """Return the arguments that name a size, as a sentence has them."""
    return ", ".join(map(_code, SIZES))


def _arguments(operation: Operation) -> list[str]:
    schema = input_schema(operation)
    if not schema["properties"]:
        return ["None.", ""]
    rows = [
        (
            _code(one.path),
            type_of(one.schema, {}),
            "yes" if one.required else "",
            _code(one.schema["default"]) if "default" in one.schema else "",
            f"{one.described} *Unlisted.*"
            if one.schema.get("x-unlisted")
            else one.described,
        )
        for one in flat(schema, _by_wire_name(operation.request))
    ]
    return table(("argument", "type", "required", "default", "description"), rows)


def _reply(operation: Operation) -> list[str]:
    schema = output_schema(operation)
    rows = [
        (
            _code(one.path),
            type_of(one.schema, {}),
            "yes" if one.required else "",
            one.text,
        )
        for one in flat(schema, _by_wire_name(operation.reply))
    ]
    return table(("field", "type", "always", "description"), rows)


def cli_page() -> list[str]:
    """Return the page of every command's help."""
    lines = heading(
        "Command line",
        "the help of every command",
        "`--home`, `--project` and `--json` may stand before the command or after it"
        " (`shadowgraph --json search x`, `shadowgraph search x --json`)."
        " Flags have the names of the tools' arguments; a flag for a list may be given"
        " several times, objects are given as JSON, and `-` as a value reads standard input.",
        "Exit status: 0 done; 2 the call can be fixed; 3 somebody must act on the machine;"
        " 4 what is on disk is not what was written, also when `doctor` found a fault; 130"
        " interrupted. See [errors.md](errors.md).",
    )
    for path, text in _helps(command_line, None, "shadowgraph"):
        lines += [f"## {path}", "", "```text", *text.splitlines(), "```", ""]
    return lines


def _helps(
    command: click.Command, parent: click.Context | None, name: str
) -> Iterator[tuple[str, str]]:
    settings = {**command.context_settings, "terminal_width": WIDTH}
    context = click.Context(command, parent=parent, info_name=name, **settings)
    yield context.command_path, command.get_help(context)
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            if found is not None:
                yield from _helps(found, context, inner)


WHO = (
    (errors.CallerError, "the caller"),
    (errors.OperatorError, "who runs the machine"),
    (errors.DamageError, "who runs the machine, with an export or a rebuild"),
)


def errors_page() -> list[str]:
    """Return the page of the error tree."""
    drawing = re.search(r"```\n(.*?)```", inspect.getdoc(errors) or "", re.DOTALL)
    lines = heading(
        "Errors",
        "src/shadowgraph/errors.py",
        "Every refusal is one of these classes. Branch on the class in Python, on `code`"
        " over MCP, on the exit status in a shell; the sentences may change.",
        "Over MCP an error is a tool result with `isError` and one text: code, sentence,"
        " what to do next. At a shell it goes to standard error; with `--json` it is"
        ' `{"error": {"code", "message", "hint", "details"}}` on standard output. A fault of'
        " shadowgraph itself is none of these: the tool result begins with `internal-error`,"
        " the command line shows Python's traceback.",
    )
    lines += ["```text", *(drawing.group(1).splitlines() if drawing else ()), "```", ""]
    rows = [
        (
            _code(found.__name__),
            _code(found.code),
            str(found.exit_status),
            next((who for above, who in WHO if issubclass(found, above)), ""),
            f"{inspect.getdoc(found)}",
            found.default_hint,
        )
        for found in vars(errors).values()
        if isinstance(found, type) and issubclass(found, errors.ShadowgraphError)
    ]
    names = ("class", "code", "exit", "who acts", "meaning", "what to do next")
    return lines + table(names, rows)


def fields_page() -> list[str]:
    """Return the page of record fields, searched fields, analyzers and weights."""
    version = _toml("manifest.toml")["version"]
    lines = heading(
        "Fields",
        "src/shadowgraph/model/records.py and index/",
        "What a stored record holds, which of it is searched, how text becomes tokens, and"
        f" what a match weighs. Index definition {version}.",
        f"Kinds that are searched: {', '.join(map(_code, KINDS))}. Kinds that are only kept"
        f" and exported: {', '.join(map(_code, LINK_KINDS))}. Kinds without a table below"
        " are stored as they come; fields that no table names are kept unchanged.",
    )
    for kind, model in (*RECORD_MODELS.items(), *GRAPH_MODELS.items()):
        lines += [f"## Record: {kind}", "", *_record(model)]
    for kind, part in (("alternative", Alternative), ("evidence", Evidence)):
        lines += [f"## Inside a decision: {kind}", "", *_record(part)]
    return [*lines, *_searched(), *_analyzers(), *_ranking()]


def _record(model: type[Wire]) -> list[str]:
    schema = model.model_json_schema(by_alias=True, mode="validation")
    told, defs = _by_wire_name(model), schema.get("$defs", {})
    rows = [
        (
            _code(one.path),
            type_of(one.schema, defs),
            "yes" if one.required else "",
            one.described,
        )
        for one in flat(schema, told)
    ]
    return table(("field", "type", "required", "description"), rows)


_SEARCHED = (
    "A field in the role `title` counts {times} times; `scene` is matched again when a"
    " caller names an environment. `[]` is each item of a list."
)


def _searched() -> list[str]:
    fields = _toml("fields.toml")
    lines = [
        "## Searched fields",
        "",
        _SEARCHED.format(times=fields["title_repeat"]),
        "",
        f"Skipped inside free objects: {', '.join(map(_code, fields['unsearched']))}.",
        "",
    ]
    rows = [
        (kind, _code(entry["path"]), entry["name"], entry["role"], entry["why"])
        for kind, entries in fields.items()
        if isinstance(entries, list) and kind != "unsearched"
        for entry in entries
    ]
    return lines + table(("kind", "field", "called", "role", "why"), rows)


def _analyzers() -> list[str]:
    text, values = _text("analyzers.toml"), _toml("analyzers.toml")
    told = comments(text)
    single = [(k, v) for k, v in values.items() if not isinstance(v, dict | list)]
    single += [(k, v) for k, v in values.items() if isinstance(v, list) and k != "pairs"]
    lines = ["## Analyzer", ""]
    lines += table(
        ("setting", "value", "what it is"),
        ((_code(k), _code(v), told.get(("", k), "")) for k, v in single),
    )
    lines += [told.get(("stemmers", ""), "Stemmers."), ""]
    lines += table(
        ("script", "stemmer"),
        ((script, name) for script, name in values["stemmers"].items()),
    )
    pairs = ", ".join(entry["script"] for entry in values["pairs"])
    return [*lines, f"Written without spaces, cut into pairs of characters: {pairs}.", ""]


def _ranking() -> list[str]:
    told = comments(_text("ranking.toml"))
    lines = ["## Ranking", ""]
    for section, values in _toml("ranking.toml").items():
        lines += [f"### {section}", ""]
        about = told.get((section, ""))
        lines += [about, ""] if about else []
        rows = (
            (_code(name), str(value), told.get((section, name), ""))
            for name, value in values.items()
        )
        lines += table(("name", "value", "what it is"), rows)
    return lines


def comments(text: str) -> dict[tuple[str, str], str]:
    """Return the comments of a TOML text by section and key, above a line or behind it.

    The comment of a section itself has the key "".
    """
    found: dict[tuple[str, str], str] = {}
    section, above = "", list[str]()
    for line in text.splitlines():
        if line.startswith("#"):
            above.append(line.lstrip("# "))
            continue
        opened = re.match(r"\[+(\w+)\]+", line)
        setting = re.match(r"(\w+) = .*?(?:\s#\s(.*))?$", line)
        if opened:
            section = opened.group(1)
            found.setdefault((section, ""), " ".join(above))
        elif setting:
            found[section, setting.group(1)] = setting.group(2) or " ".join(above)
        above = []
    return found


def compatibility_page() -> list[str]:
    """Return the page that sets the upstream tool's interface beside ours."""
    tools = compatibility.tools()
    lines = heading(
        "Compatibility",
        "docs/upstream.toml and the declared operations",
        "Every tool and argument of the upstream tool, with how it stands here. Records have"
        " its field names and shapes ([fields.md](fields.md)); its stores of schemas 1 to 7"
        " are imported and exported ([cli.md](cli.md), `import` and `export`).",
        "*same*: the name, the values and the default are those of upstream. *accepted, no"
        " effect*: the argument may be sent and does nothing. *differs*, *left out*: see the"
        " reason. *not yet*: the tool is not there. A required argument of upstream is"
        " required here, and no other is. Arguments that upstream honours without"
        " advertising them are advertised here.",
    )
    rows = ((f"[`{t.name}`](#{t.name})", t.stands, t.why) for t in tools)
    lines += table(("tool of upstream", "here", "why"), rows)
    for tool in tools:
        lines += _side_by_side(tool)
    known = {tool.name for tool in tools}
    own = [_code(o.name) for o in toolset("all") if o.name not in known]
    return [*lines, "## Tools that only we have", "", f"{', '.join(own)}.", ""]


def _side_by_side(tool: compatibility.Tool) -> list[str]:
    lines = [f"## {tool.name}", ""]
    if tool.stands == compatibility.LEFT_OUT:
        lines += [f"Left out: {tool.why}.", ""]
    rows = [(_code(p.name), p.need, p.stands, p.why) for p in tool.points]
    lines += table(("argument", "upstream", "here", "why"), rows)
    odd = [p for p in tool.reply if p.stands != compatibility.SAME]
    if tool.reply:
        lines += [f"Reply: {len(tool.reply) - len(odd)} members as upstream has them.", ""]
    lines += [f"* {_code(p.name)} {p.stands}: {p.why}." for p in odd]
    lines += [""] if odd else []
    if tool.more:
        lines += [f"Only here: {', '.join(map(_code, tool.more))}.", ""]
    return lines


def peer_faults_page() -> list[str]:
    """Return the page of faults of similar systems and the tests against them."""
    found = peer_faults.problems()
    if found:
        raise SystemExit("\n".join(found))
    groups = peer_faults.groups()
    rows = [fault for _, faults in groups.values() for fault in faults]
    held = [fault for fault in rows if fault.tests]
    lines = heading(
        "Faults of similar systems",
        "docs/peer_faults.toml and tests/peer_faults/",
        "What users of other agent memories, search engines and MCP servers have met, one row"
        f" a kind of fault. {len(held)} of {len(rows)} rows are held by"
        f" {sum(len(fault.tests) for fault in held)} tests; the others say why not.",
    )
    for letter, (title, faults) in groups.items():
        lines += [f"## {letter}. {title}", ""]
        cells = ((f.handle, f.fault, _held(f)) for f in faults)
        lines += table(("row", "what happens elsewhere", "held by"), cells)
    return lines


def _held(fault: peer_faults.Fault) -> str:
    return ", ".join(map(_code, fault.tests)) or f"No test: {fault.out}."


def upstream_faults_page() -> list[str]:
    """Return the page of faults of the upstream tool and the tests against them."""
    found = upstream_faults.problems()
    if found:
        raise SystemExit("\n".join(found))
    groups = upstream_faults.groups()
    rows = [fault for _, faults in groups.values() for fault in faults]
    lines = heading(
        "Faults of the upstream tool",
        "docs/upstream_faults.toml",
        "Where the tool whose names are kept here is weak, and faults that it shipped and"
        f" mended: {len(rows)} rows, each held by tests. A row that says *open* has a part that"
        " is not held.",
    )
    for letter, (title, faults) in groups.items():
        lines += [f"## {letter}. {title}", ""]
        cells = ((f.handle, f.fault, _upstream_held(f)) for f in faults)
        lines += table(("row", "what happens there", "held by"), cells)
    return lines


def _upstream_held(fault: upstream_faults.Fault) -> str:
    held = ", ".join(_code(one.partition("::")[2]) for one in fault.held)
    return f"{held}; *open*: {fault.open}" if fault.open else held


def _text(name: str) -> str:
    return (INDEX / name).read_text(encoding="utf-8")


def _toml(name: str) -> dict[str, Any]:
    return tomllib.loads(_text(name))


PAGES: dict[str, Callable[[], list[str]]] = {
    "tools.md": tools_page,
    "cli.md": cli_page,
    "errors.md": errors_page,
    "fields.md": fields_page,
    "compatibility.md": compatibility_page,
    "peer-faults.md": peer_faults_page,
    "upstream-faults.md": upstream_faults_page,
}
"Every generated page and what makes it."


def stale() -> list[str]:
    """Return the names of the pages that are not what the code says."""
    return [name for name, page in PAGES.items() if _current(name) != _joined(page())]


def _current(name: str) -> str | None:
    file = DOCS / name
    return file.read_text(encoding="utf-8") if file.is_file() else None


def _joined(lines: list[str]) -> str:
    return "\n".join(line.rstrip() for line in lines).rstrip("\n") + "\n"


def run(arguments: Sequence[str] | None = None) -> int:
    """Write or check the pages; return the exit status."""
    parser = argparse.ArgumentParser(description="Write the generated reference pages.")
    parser.add_argument("--check", action="store_true", help="Compare, write nothing.")
    if parser.parse_args(arguments).check:
        found = stale()
        for name in found:
            print(f"docs/{name} is stale. Run: {COMMAND}", file=sys.stderr)
        return 1 if found else 0
    for name, page in PAGES.items():
        (DOCS / name).write_text(_joined(page()), encoding="utf-8", newline="\n")
        print(f"docs/{name}")
    return 0


if __name__ == "__main__":
    sys.exit(run())
