"""The token of a home, and the addresses that may be served."""

import json
import os
import socket
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shadowgraph.cli.main import main
from shadowgraph.errors import InvalidInputError, NotConfiguredError
from shadowgraph.server import access, address


def _token(home: Path, *options: str, named: str = "") -> Result:
    """Run `shadowgraph token`."""
    return CliRunner().invoke(
        main,
        ["--home", str(home), "token", *options],
        env={"SHADOWGRAPH_TOKEN": named},
        standalone_mode=False,
    )


def test_a_token_is_made_once_and_stays(tmp_path: Path) -> None:
    """The second call prints the first one's; only its owner can read the file."""
    first = _token(tmp_path).output
    second = json.loads(_token(tmp_path, "--json").output)

    assert {"token": first.strip(), "made": False} == second
    assert access.kept(tmp_path) == first.strip()
    assert 0o600 == stat.S_IMODE((tmp_path / access.NAME).stat().st_mode)
    assert [tmp_path / access.NAME] == list(tmp_path.iterdir())


def test_a_rotated_token_is_another_one(tmp_path: Path) -> None:
    """The old one is nowhere in the home."""
    first = _token(tmp_path).output.strip()
    second = _token(tmp_path, "--rotate").output.strip()

    assert first != second
    assert access.kept(tmp_path) == second


def test_a_token_of_the_environment_wins_and_is_not_rotated(tmp_path: Path) -> None:
    """A new one in the home would be used by nobody."""
    named = "sixteen-characters"

    assert named == _token(tmp_path, named=named).output.strip()
    assert isinstance(
        _token(tmp_path, "--rotate", named=named).exception, InvalidInputError
    )
    assert [] == list(tmp_path.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="modes are a matter of POSIX")
def test_a_token_that_others_can_read_is_refused(tmp_path: Path) -> None:
    """Others may know it by now."""
    access.renew(tmp_path)
    (tmp_path / access.NAME).chmod(0o644)

    with pytest.raises(NotConfiguredError, match="read by others"):
        access.kept(tmp_path)


@pytest.mark.parametrize("text", ["", "short", "sixteen\ncharacters", "sechzehn-zeichen-ß"])
def test_what_is_no_token_is_refused(text: str) -> None:
    """An empty one must not mean that none is needed."""
    with pytest.raises(NotConfiguredError):
        access.sound(text, "here")


@pytest.mark.parametrize(
    "text", ["8787", ":8787", "host", "host:", "host:x", "host:70000", "::1:80", "[]:80"]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    """A port alone too: it would mean every interface."""
    with pytest.raises(InvalidInputError, match="no address"):
        address.parse(text)


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_an_address_that_others_reach_needs_a_token(host: str) -> None:
    """Without one nothing is bound."""
    with pytest.raises(NotConfiguredError, match="no token"):
        address.listen(address.Address(host, 0), protected=False)


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    """With what to do instead, not a traceback."""
    del tmp_path
    with socket.create_server(("127.0.0.1", 0)) as taken:
        place = address.Address("127.0.0.1", taken.getsockname()[1])

        with pytest.raises(NotConfiguredError, match="cannot be listened at"):
            address.listen(place, protected=False)
