"""Whatever line a client sends: the server survives, and stdout holds nothing but protocol."""

import json
import os

from tests.server.conftest import Wire

CALL = (
    '{"jsonrpc":"2.0","id":"c","method":"tools/call","params":'
    '{"name":"shadowgraph_search","arguments":{%s}}}'
)
FRAMES = [
    "{", "[]", "null", "1", '"x"', "\x00", "", "[" * 100_000, '{"a":' * 50_000,
    '[{"jsonrpc":"2.0","id":"b","method":"ping"}]',
    '{"jsonrpc":"2.0","id":"m","method":"nope"}',
    '{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}',
    '{"jsonrpc":"2.0","id":"m","method":"\\ud800"}',
    '{"jsonrpc":"2.0","id":null,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1e400,"method":"ping"}',
    '{"jsonrpc":"2.0","id":%s,"method":"ping"}' % ("9" * 5000),
    '{"jsonrpc":"2.0","id":"r","result":{}}',
    '{"jsonrpc":"1.0","id":"o","method":"ping"}',
    '{"jsonrpc":"2.0","id":"l","method":"tools/list","params":[]}',
    CALL % '"query":"\\ud800"', CALL % '"\\ud800":1', CALL % '"limit":NaN',
    CALL % f'"query":"{"x" * 10_000_000}"',
]  # fmt: skip


def test_no_line_ends_the_server_or_spoils_its_output(wire: Wire) -> None:
    """Broken JSON, deep nesting, half surrogates, batches, ten megabytes in one line."""
    assert wire.process.stdin is not None
    for frame in FRAMES:
        wire.process.stdin.write(f"{frame}\n")
        wire.process.stdin.flush()

        assert {} == wire.ask("ping")["result"]
    assert {"2.0"} == {json.loads(line)["jsonrpc"] for line in wire.lines}


def test_bytes_that_are_no_utf8_do_not_end_the_server(wire: Wire) -> None:
    """A character cut in two, and a mark of another encoding."""
    assert wire.process.stdin is not None
    for line in (b"\xff\xfe\x00\n", b'{"jsonrpc":"2.0","id":4,"method":"ping\xc3\n'):
        os.write(wire.process.stdin.fileno(), line)

        assert {} == wire.ask("ping")["result"]
