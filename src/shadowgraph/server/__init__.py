"""The MCP server: the operations, offered as tools.

The only package that imports `mcp`, and it costs a second to import, so nothing but
`shadowgraph serve` loads it. `offer` derives tools from the declared operations, `session`
runs them, `stdio` is the transport and the end of the process.
"""
