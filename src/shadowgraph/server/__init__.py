"""The MCP server: the operations, offered as tools.

The only package that imports `mcp`, and it costs a second to import, so nothing but
`shadowgraph serve` loads it. `offer` derives tools from the declared operations, `session`
runs them and reads `resources` and `prompts`, `completing` completes what is typed.
`stdio` and `http` are the transports and the end of the process, `draining` answers what
was asked before it; `guard`, `access` and `address` say who comes in over HTTP, and the
last two load no part of the SDK.
"""
