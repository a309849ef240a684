"""Counting of checks: a line for each that fails, and the count as the last line."""

from __future__ import annotations

from collections.abc import Callable


class Tally:
    """What passed and what failed, by name. With words, only checks whose name holds one of them run."""

    def __init__(self, words: tuple[str, ...] = ("",)) -> None:
        self.words = words
        self.passed: list[str] = []
        self.failed: list[str] = []
        self.why = ""  # of the last that failed

    def ok(self, name: str, quiet: bool = False) -> None:
        self.passed.append(name)
        if not quiet:
            print(f"ok   {name}", flush=True)

    def fail(self, name: str, why: str) -> None:
        self.failed.append(name)
        self.why = why
        print(f"FAIL {name}: {why}", flush=True)

    def check(self, name: str, body: Callable[[], None]) -> None:
        """Runs a check, which raises where it does not hold."""
        if not any(word in name for word in self.words):
            return
        try:
            body()
        except AssertionError as e:
            self.fail(name, str(e))
        except Exception as e:  # a reader that cannot read the table has failed its check
            self.fail(name, f"{type(e).__name__}: {str(e).splitlines()[0] if str(e) else ''}")
        else:
            self.ok(name)

    def close(self) -> int:
        """Prints the count and answers the exit status: none passed is a failure too."""
        print(f"{len(self.passed)} passed, {len(self.failed)} failed", flush=True)
        return 1 if self.failed or not self.passed else 0


def same(what: str, got: object, want: object) -> None:
    """Raises, with both values, where they differ."""
    if got != want:
        raise AssertionError(f"{what}: got {got!r}, want {want!r}")
