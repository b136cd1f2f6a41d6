# SPDX-License-Identifier: Apache-2.0
"""Arrays that a stream still uses stay alive, whatever number of threads hands them over."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator

import pytest

from fkl._devices import Held


class Event:
    def __init__(self) -> None:
        self.over = False


@pytest.fixture
def impatient() -> Iterator[None]:
    """Threads change places after every few instructions."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_what_is_not_over_is_kept_by_twenty_threads(impatient: None) -> None:
    forgotten: list[Event] = []
    held = Held(lambda event: event.over, forgotten.append)
    waiting = [Event() for _ in range(20)]
    over = [Event() for _ in range(20)]

    def work(index: int) -> None:
        held.hold(waiting[index], [index])
        held.hold(over[index], [index])
        over[index].over = True

    threads = [threading.Thread(target=work, args=(index,)) for index in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    held.hold(Event(), [])
    kept = {id(event) for event, _ in held.items}
    assert {id(event) for event in waiting} <= kept
    assert sorted(map(id, forgotten)) == sorted(map(id, over))
