"""What a case of the differential run is: a world, a table of it, and steps that both seeds go through."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


def lsn(text: str) -> str:
    """An LSN in its normal form from its last digits."""
    return "0x" + format(int(text, 16), "020X")


@dataclass(frozen=True)
class Refused:
    """Both refuse: words that the package's error has (its class may be one), and the program's code."""

    says: tuple[str, ...]
    code: str


@dataclass(frozen=True)
class Stricter:
    """The package writes, the program refuses with its code, on purpose: why. It is the last step of a case, as the two targets differ from then on."""

    code: str
    why: str


@dataclass(frozen=True)
class Seed:
    """One seed by each, and what comes of it: "wrote", "found" (a rerun), or a refusal by both or by the program alone."""

    as_of: str
    want: str | Refused | Stricter = "wrote"
    copy: str = "item"
    app_id: str = ""  # the facts table is passed with it; neither where it is empty
    missing: tuple[str, ...] = ()  # captured columns that the copy may lack
    reseed: bool = False
    program: tuple[str, ...] = ()  # answers that the package does not ask for
    package: dict[str, Any] = field(default_factory=dict)  # arguments that replace those of the package's seed()


@dataclass(frozen=True)
class Control:
    """Something happens to the source: a request to the served world."""

    request: str
    content: dict[str, Any]


@dataclass(frozen=True)
class Prepare:
    """Something is in the target before: made once, and copied for the program. It gets Spark, the package's jobs and the two tables' paths."""

    make: Callable[[Any, Any, str, str], None]


@dataclass(frozen=True)
class Case:
    """A case by its name. `instance` is the package's captureInstance and the program's table, `confirm` the source table."""

    name: str
    steps: tuple[Seed | Control | Prepare, ...]
    world: str = "shop"
    instance: str = "dbo_Item"
    confirm: str = "dbo.Item"
    key: str = "ItemId"
    options: dict[str, str] = field(default_factory=dict)  # more of the package's options

    @property
    def login(self) -> dict[str, str]:
        return LOGINS[self.world]


LOGINS = {
    "shop": {"database": "Shop", "user": "reader", "password": "Shop-only!1"},
    "types": {"database": "Types", "user": "reader", "password": "Types-1"},
}
