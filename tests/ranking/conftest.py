"""The tiny corpus of a file: its `RECORDS`, stored one after the other."""

import pytest
from tests.store.bodies import put

from shadowgraph import Library


@pytest.fixture
def corpus(library: Library, request: pytest.FixtureRequest) -> Library:
    """Return a library that holds the records of the test's own file."""
    put(library, *request.module.RECORDS)
    return library
