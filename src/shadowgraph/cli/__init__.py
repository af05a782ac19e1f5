"""The command line: plain flags, one operation a command, readable or JSON.

The only package that imports `click`. `main` holds the group and its options, `record`
the writing commands, `read` the reading ones, `task` and `running` those about work,
`store` what looks after the home, `render` prints, `demo` shows the product. `serve` alone
loads the server.
"""
