"""`python -m shadowgraph`: the command line without the installed script."""

from shadowgraph.cli.main import run

if __name__ == "__main__":
    run()
