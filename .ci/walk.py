#!/usr/bin/env python3
"""Walks the wizard through the demo in a real terminal (tmux), from connect to done.

Usage: walk.py PROGRAM DIR PAGE [--update]
PROGRAM seeds its demo in DIR, which must not be there. What was on the screen is compared with the captures in
PAGE, docs/wizard.md: each stands between `<!-- screen: NAME -->` and the end of the block behind it. What is
another on every run (a port, a digest, this machine's speed) is a placeholder in both. --update writes PAGE.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

PATIENCE = 60  # seconds that anything may take


class Terminal:
    """A tmux server of its own with one window."""

    def __init__(self, command: str, env: dict[str, str], width: int = 80, height: int = 24) -> None:
        self.name = f"cdcseed-walk-{os.getpid()}"
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(width), "-y", str(height), *(f"-e{k}={v}" for k, v in env.items()), command)

    def tmux(self, *args: str) -> str:
        return subprocess.run(["tmux", "-L", self.name, *args], check=True, capture_output=True, text=True).stdout

    def screen(self) -> str:
        return "\n".join(line.rstrip() for line in self.tmux("capture-pane", "-p").splitlines()).rstrip("\n")

    def press(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def write(self, text: str) -> None:
        self.tmux("send-keys", "-l", text)

    def resize(self, width: int, height: int) -> None:
        self.tmux("resize-window", "-x", str(width), "-y", str(height))

    def wait(self, *texts: str) -> str:
        """The screen once it shows all the texts and stands still."""
        end, before = time.monotonic() + PATIENCE, ""
        while True:
            now = self.screen()
            if all(t in now for t in texts) and now == before:
                return now
            if time.monotonic() > end:
                raise SystemExit(f"waited {PATIENCE} s for {texts}, and the screen is\n{now}")
            before = now
            time.sleep(0.15)

    def close(self) -> None:
        subprocess.run(["tmux", "-L", self.name, "kill-server"], capture_output=True)


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def late(control: int, delay: str) -> None:
    """The server's last answer before the commit comes late."""
    faults = [{"match": "cdcseed: min_lsn", "nth": LAST_ANSWER, "times": 1, "delay": delay}]
    body = json.dumps({"faults": faults}).encode()
    with urllib.request.urlopen(f"http://127.0.0.1:{control}/fault", body, timeout=PATIENCE) as answer:
        answer.read()


# How often a run asks where an instance's changes begin: once when it re-checks the plan, once right before it commits.
LAST_ANSWER = 2


def walk(program: str, folder: Path) -> dict[str, str]:
    """The screens by name, in the order in which a person sees them."""
    seen: dict[str, str] = {}
    control = free_port()
    env = {"LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
    # The shell stays behind the program, so that what it leaves on the normal screen can be read.
    t = Terminal(f"{program} demo --dir {folder} --control 127.0.0.1:{control}; echo status $?; exec sleep {PATIENCE}", env)

    def see(name: str, *texts: str) -> None:
        seen[name] = t.wait(*texts)

    try:
        see("connect", "Where is the source?", "ok    connected")
        t.press("Enter")
        see("table", "[2 Table]", "dbo.Orders through dbo_Orders", "Key ")
        t.press("Enter")
        see("copy", "[3 Copy]", "The target", "this user can write there")
        t.press("Enter")
        t.wait("[4 As of]", "Maps to")
        t.press("C-u")
        t.write("2026-10-21T00:00:00Z")
        see("as-of-refused", "[4 As of]", "(no_commit)", "enter (off)")
        t.press("C-u")
        t.write("2026-10-25T00:40:00Z")
        see("as-of", "[4 As of]", "Maps to", "fell_back", "1 warning: enter names it")
        t.press("Enter")
        see("as-of-named", "fell_back: enter again accepts it")
        time.sleep(1)  # it is accepted by an enter that stands alone
        t.press("Enter")
        see("columns", "[5 Columns]", "Ready.")
        t.resize(120, 40)
        see("columns-wide", "[5 Columns]", "Ready.")
        t.resize(60, 18)
        see("columns-compact", "Step 5 of 8", "Ready.")
        t.resize(80, 24)
        t.wait("[5 Columns]", "Ready.")
        t.press("Enter")
        see("review", "[6 Review]", "type the table's name")
        t.write("dbo.Orders")
        t.wait("enter WRITE")
        late(control, "15s")
        t.press("Enter")
        see("running", "[7 Run]", "WRITING, not visible", "3 Check")
        t.press("C-c")
        see("stop", "Stop the seed?")
        t.press("Enter")
        see("done", "[8 Done]", "Seeded.")
        time.sleep(1)
        t.press("Enter")
        see("after", "status 0", "Proof")
    finally:
        t.close()
    return seen


# What is another on every run, and what stands for it, as wide as what it replaces where it can be.
PLACES = [
    (re.compile(r"127\.0\.0\.1:\d{4,5}"), "127.0.0.1:50000"),
    (re.compile(r"(?<=[Pp]lan )[0-9a-f]{8}\b"), "7f3a91c2"),
    (re.compile(r"\b\d{3}\.\d kB"), "500.0 kB"),
    (re.compile(r"\b09:0\d:\d\dZ"), "09:00:00Z"),  # the demo's clock begins at nine and goes on
    (re.compile(r"\bnow 10-26 09:0\dZ"), "now 10-26 09:00Z"),
    (re.compile(r"(?<=commit is )\d m old"), "5 m old"),
    (re.compile(r"\b1 d 14 h 3\d m\b"), "1 d 14 h 36 m"),
    (re.compile(r"\b[\d.]+ (ms|s) off this machine"), "4 ms off this machine"),
    (re.compile(r" +(took )?(under 1 s|\d+ s)$", re.M), r"    \1under 1 s"),
]
TITLE = re.compile(r"^( cdcseed )(\S+)( \| .*?)(  +\S.*)$", re.M)


def normal(screen: str) -> str:
    for pattern, word in PLACES:
        screen = pattern.sub(word, screen)
    return TITLE.sub(lambda m: m[1] + "0.1.0" + m[3] + " " * (len(m[2]) - 5) + m[4], screen)


def block(name: str) -> re.Pattern[str]:
    return re.compile(rf"(<!-- screen: {re.escape(name)} -->\n```text\n)(.*?)(^```$)", re.S | re.M)


def page(text: str, seen: dict[str, str]) -> str:
    """The page with the screens in their places."""
    for name, screen in seen.items():
        if not block(name).search(text):
            continue  # a screen on the way that the page does not show
        text = block(name).sub(lambda m: m.group(1) + normal(screen) + "\n" + m.group(3), text)
    missing = set(re.findall(r"<!-- screen: (\S+) -->", text)) - set(seen)
    if missing:
        raise SystemExit(f"the page shows screens that the walk does not meet: {', '.join(sorted(missing))}")
    return text


def main() -> None:
    args = [a for a in sys.argv[1:] if a != "--update"]
    program, folder, at = args[0], Path(args[1]), Path(args[2])
    if folder.exists():
        raise SystemExit(f"{folder} is there already")
    before = at.read_text()
    after = page(before, walk(program, folder))
    if "--update" in sys.argv:
        at.write_text(after)
    elif after != before:
        sys.stdout.writelines(difflib.unified_diff(before.splitlines(True), after.splitlines(True), str(at), "the walk"))
        raise SystemExit("the wizard's screens are not those on the page: look at them, then run walk.py --update")
    print(f"walked: {len(set(re.findall(r'<!-- screen: (.*?) -->', after)))} screens as on {at}")


if __name__ == "__main__":
    main()
