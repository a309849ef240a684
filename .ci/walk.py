#!/usr/bin/env python3
"""Walks the wizard in a real terminal (tmux): through the demo from connect to done, and then through the recovery of
its target, days later, when the changes that its stream needs next are gone.

Usage: walk.py PROGRAM DIR PAGE [--update]
PROGRAM seeds its demo in DIR, which must not be there. What was on the screen is compared with the captures in
PAGE, docs/wizard.md: each stands between `<!-- screen: NAME -->` and the end of the block behind it. What is
another on every run (a port, a digest, this machine's speed) is a placeholder in both. --update writes PAGE. A capture
in colour has each colour's name before the text that has it.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from datetime import datetime
from pathlib import Path

PATIENCE = 60  # seconds that anything may take


class Terminal:
    """A tmux server of its own with one window."""

    def __init__(self, command: str, env: dict[str, str], width: int = 80, height: int = 24) -> None:
        self.name = f"cdcseed-walk-{os.getpid()}"
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(width), "-y", str(height), *(f"-e{k}={v}" for k, v in env.items()), command)

    def tmux(self, *args: str) -> str:
        return subprocess.run(["tmux", "-L", self.name, *args], check=True, capture_output=True, text=True).stdout

    def coloured(self) -> str:
        """The screen as it stands, its colours in words."""
        return "\n".join(named(line).rstrip() for line in self.tmux("capture-pane", "-p", "-e").splitlines()).rstrip("\n")

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


# The colours of the screens: the sixteen that every terminal's owner chooses himself.
COLOURS = {"1": "bold", "90": "grey", "91": "red", "92": "green", "93": "yellow", "94": "blue", "95": "magenta", "96": "cyan"}


def named(line: str) -> str:
    """A line with its colours in words, such as <yellow>warn</>."""
    out, on, start = "", [], 0
    for m in re.finditer(r"\x1b\[([\d;]*)m|$", line):
        text, start = line[start : m.start()], m.end()
        out += f"<{' '.join(on)}>{text}</>" if on and text.strip() else text
        for code in (m[1] or "0").split(";"):
            if code in ("0", ""):
                on = []
            elif code == "39":
                on = [w for w in on if w == "bold"]
            elif code != "49" and COLOURS.get(code, code) not in on:  # 49 is the background as it is
                on.append(COLOURS.get(code, code))
    return out


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def control_request(control: int, what: str, body: dict[str, object]) -> None:
    """Asks the fake server for something."""
    with urllib.request.urlopen(f"http://127.0.0.1:{control}/{what}", json.dumps(body).encode(), timeout=PATIENCE) as answer:
        answer.read()


def late(control: int, delay: str) -> None:
    """The server's last answer before the commit comes late."""
    control_request(control, "fault", {"faults": [{"match": "cdcseed: min_lsn", "nth": LAST_ANSWER, "times": 1, "delay": delay}]})


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
        t.resize(120, 40)
        see("as-of-wide", "fell_back: enter again accepts it")
        t.resize(80, 24)
        t.wait("fell_back: enter again accepts it")
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
        t.resize(120, 40)
        see("review-wide", "[6 Review]", "type the table's name")
        t.resize(80, 24)
        address = re.search(r"127\.0\.0\.1:\d+", seen["connect"])
        seen["dry-run"] = dry_run(program, folder, address[0] if address else "")
        t.wait("[6 Review]", "type the table's name")
        t.write("dbo.Orders")
        t.wait("enter WRITE")
        late(control, "15s")
        t.press("Enter")
        see("running", "[7 Run]", "WRITING, not visible", "3 Check")
        t.press("C-c")
        see("stop", "Stop the seed?")
        t.press("Enter")
        see("done", "[8 Done]", "Seeded.")
        t.resize(120, 40)
        see("done-wide", "[8 Done]", "Seeded.")
        t.resize(80, 24)
        t.wait("[8 Done]", "Seeded.")
        time.sleep(1)
        t.press("Enter")
        see("after", "status 0", "Proof")
    finally:
        t.close()
    return seen


# Where the demo's seed is looked for, and answers that fit its copy.
ANSWERS = ["--database", "Sales", "--user", "svc_cdc_ro", "--table", "dbo.Orders", "--copy-time-zone", "UTC", "--cast", "Amount=stop", "--cast", "Shipping=round"]
PASSWORD = {"CDCSEED_PASSWORD": "Demo-only!1"}


def places(folder: Path, copy: str) -> list[str]:
    return ["--copy", str(folder / copy), "--target", str(folder / "bronze/orders"), "--target-name", "bronze.orders", "--facts", str(folder / "ops/facts")]


def dry_run(program: str, folder: Path, address: str) -> str:
    """What the same answers come to as a command that writes nothing."""
    asked = ["--server", f"sqlserver://{address}?encrypt=disable", *ANSWERS, *places(folder, "copy"), "--app-id", "orders-v1", "--as-of", "2026-10-25T00:40:00Z"]
    done = subprocess.run(
        [program, "seed", *asked, "--accept", "fell_back", "--dry-run"], env={**os.environ, **PASSWORD}, capture_output=True, text=True, timeout=PATIENCE
    )
    if done.returncode != 0:
        raise SystemExit(f"the dry run ends with {done.returncode}:\n{done.stderr}")
    return done.stdout.rstrip("\n")


def days_later(folder: Path, control: int) -> None:
    """The source goes on for four days, cleanup drops what is older than three, and a newer copy is taken."""
    change = {"database": "Sales", "changes": [{"table": "dbo.Orders", "op": "update", "row": {"OrderId": 1000001, "StatusCode": 3}}]}
    control_request(control, "advance", {"to": "2026-10-30T08:00:00Z"})
    control_request(control, "commit", change)
    control_request(control, "advance", {"to": "2026-10-30T08:30:00Z"})
    control_request(control, "commit", {**change, "changes": [{"table": "dbo.Orders", "op": "update", "row": {"OrderId": 1000002, "StatusCode": 3}}]})
    control_request(control, "advance", {"to": "2026-10-30T09:00:00Z"})
    control_request(control, "cleanup", {"database": "Sales", "retention": True})
    shutil.copytree(folder / "copy", folder / "copy-of-friday")
    taken = datetime.fromisoformat("2026-10-30T08:20:00+00:00").timestamp()
    for file in (folder / "copy-of-friday").iterdir():
        os.utime(file, (taken, taken))


def recover(program: str, folder: Path) -> dict[str, str]:
    """The screens of a reseed: the demo's target four days later, when its stream cannot go on. The demo's own stays as
    it is, for others to judge."""
    seen: dict[str, str] = {}
    later = folder.with_name(folder.name + "-later")
    shutil.rmtree(later, ignore_errors=True)
    shutil.copytree(folder, later)
    control, port = free_port(), free_port()
    fake = subprocess.Popen([program, "fake", "--listen", f"127.0.0.1:{port}", "--control", f"127.0.0.1:{control}"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert fake.stdout is not None
        fake.stdout.readline()
        fake.stdout.readline()  # it answers now
        days_later(later, control)
        asked = ["--server", f"sqlserver://127.0.0.1:{port}?encrypt=disable", *ANSWERS, *places(later, "copy-of-friday"), "--app-id", "orders-v1", "--as-of", "2026-10-30T08:10:00Z"]
        line = " ".join(f"'{a}'" for a in [program, *asked])
        # A gate's own variables take the colours away.
        t = Terminal(f"env -u CI -u NO_COLOR {line}; echo status $?; exec sleep {PATIENCE}", {"LC_ALL": "C.UTF-8", "TERM": "tmux-256color", "CDCSEED_BACKGROUND": "dark", **PASSWORD})
        try:
            seen.update(reseed(t))
        finally:
            t.close()
    finally:
        fake.terminate()
        fake.wait()
        shutil.rmtree(later)
    return seen


def reseed(t: Terminal) -> dict[str, str]:
    """A person's way through a reseed, in colour."""
    seen: dict[str, str] = {}

    def see(name: str, *texts: str) -> None:
        seen[name] = t.wait(*texts)
        seen[name + "-colour"] = t.coloured()

    t.wait("[1 Connect]", "Ready.")
    t.press("Enter")
    t.wait("[2 Table]", "dbo.Orders selected")
    t.press("Enter")
    see("recovery", "[3 Copy]", "its stream cannot go on")
    for _ in range(5):
        t.press("Tab")
    t.press("Space")
    see("recovery-refused", "(app_id_taken)", "enter (off)")
    t.press("BTab")
    t.press("C-u")
    t.write("orders-v2")
    t.press("Tab")
    t.wait("orders-v2", "enter next")
    t.resize(120, 40)
    see("recovery-wide", "orders-v2", "enter next", "is new to")
    t.resize(80, 24)
    t.wait("[3 Copy]", "enter next")
    through(t, "[6 Review]", "type the table's name")
    see("recovery-review", "[6 Review]", "type the table's name")
    t.write("dbo.Orders")
    t.wait("enter WRITE")
    t.press("Enter")
    see("recovery-done", "[8 Done]", "Reseeded.")
    time.sleep(1)
    t.press("Enter")
    t.wait("status 0")
    return seen


def through(t: Terminal, *texts: str) -> None:
    """Goes on with enter, reading and accepting each warning, until the screen shows the texts."""
    end = time.monotonic() + PATIENCE
    while True:
        screen = t.screen()
        if all(text in screen for text in texts):
            return
        if time.monotonic() > end:
            raise SystemExit(f"enter does not lead to {texts}:\n{screen}")
        if "enter (off)" not in screen:
            t.press("Enter")
        time.sleep(0.7)  # a warning is read before it is accepted


# What is another on every run, and what stands for it, as wide as what it replaces where it can be.
PLACES = [
    (re.compile(r"127\.0\.0\.1:\d{4,5}"), "127.0.0.1:50000"),
    (re.compile(r"(?<=[Pp]lan )[0-9a-f]{8}\b"), "7f3a91c2"),
    (re.compile(r"\b\d{3}\.\d kB"), "500.0 kB"),
    (re.compile(r"\b09:0\d:\d\dZ"), "09:00:00Z"),  # the demo's clock begins at nine and goes on
    (re.compile(r"\bnow 10-26 09:0\dZ"), "now 10-26 09:00Z"),
    (re.compile(r"(?<=commit is )\d m( \d+ s)? old"), "5 m old"),
    (re.compile(r"\bh( \d m)?( \d+ s)? old"), "h old"),
    (re.compile(r"(?<=server time 2026-10-26T09:0)\d:\d\dZ"), "0:00Z"),
    (re.compile(r"\b1 d 14 h 3\d m\b"), "1 d 14 h 36 m"),
    (re.compile(r"\b[\d.]+ (ms|s) off this machine"), "4 ms off this machine"),
    (re.compile(r"(?<=this machine's clock is ).*"), "far from the server's"),
    (re.compile(r"\b2 d 2[23] h( \d+ m)?"), "2 d 22 h 59 m"),
    (re.compile(r"[\d.]+ [kMGT]?B free"), "50.0 GB free"),
    (re.compile(r" +(took )?(under 1 s|\d+ s)$", re.M), r"    \1under 1 s"),
]
TITLE = re.compile(r"^((?:<bold>)? cdcseed )([^\s<]+)((?:</>)? \| .*?)(  +\S.*)$", re.M)


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
    seen = walk(program, folder)
    seen.update(recover(program, folder))
    after = page(before, seen)
    if "--update" in sys.argv:
        at.write_text(after)
    elif after != before:
        sys.stdout.writelines(difflib.unified_diff(before.splitlines(True), after.splitlines(True), str(at), "the walk"))
        raise SystemExit("the wizard's screens are not those on the page: look at them, then run walk.py --update")
    print(f"walked: {len(set(re.findall(r'<!-- screen: (.*?) -->', after)))} screens as on {at}")


if __name__ == "__main__":
    main()
