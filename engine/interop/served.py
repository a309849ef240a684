"""Served worlds: the program's fake server, started as the fake's own judges start it."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent.parent / "fakeserver" / "interop" / "package"
sys.path.append(str(PACKAGE))

from serving import World  # noqa: E402 - it lies in the folder that was just added

WORLDS = {"shop": HERE / "worlds" / "shop.json", "types": PACKAGE / "worlds" / "types.json"}


def start(name: str) -> World:
    """The server of a world of this page, or of a built-in one."""
    return World(str(WORLDS.get(name, name)))
