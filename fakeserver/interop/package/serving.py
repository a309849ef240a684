"""Starts the built program's fake server, and connects the package to it as a user of the package would."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest
import urllib.parse
import urllib.request

from mssql_cdc.client import MssqlPythonBackend, make_client

HERE = pathlib.Path(__file__).resolve().parent
BUILT_IN = HERE.parent.parent / "worlds"
ZERO = "0x" + "0" * 20


class World:
    """A server with one world, from a file of this folder or a built-in one by its name."""

    def __init__(self, world):
        path = HERE / "worlds" / f"{world}.json"
        arguments = [os.environ["CDCSEED_PROGRAM"], "fake", "--json", "--world", str(path) if path.exists() else world, "--control", "127.0.0.1:0"]
        self._process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        line = self._process.stdout.readline()
        if not line:
            self.close()
            raise RuntimeError(f"no server: {arguments}")
        served = json.loads(line)
        url = urllib.parse.urlparse(served["url"])
        self.address = f"{url.hostname},{url.port}"
        self._control = served["control"]

    def close(self):
        self._process.terminate()
        self._process.wait(timeout=60)
        self._process.stdout.close()

    def options(self, user="svc_cdc_ro", password="Demo-only!1", database="Sales", **more):
        """The package's options. They name no backend: the default one is what is tried."""
        connection = f"Server={self.address};Database={database};Encrypt=yes;TrustServerCertificate=yes"
        return {"connectionString": connection, "user": user, "password": password, **more}

    def control(self, request, **content):
        """A control request, such as a commit; its answer."""
        posted = urllib.request.Request(f"{self._control}/{request}", json.dumps(content).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(posted, timeout=60) as answer:
            return json.load(answer)

    def client(self, **options):
        client = make_client(self.options(**options))
        if type(client._b) is not MssqlPythonBackend:
            raise AssertionError(f"the default backend is {type(client._b)}")
        return client


def changed(world, change):
    """A copy of a built-in world in a temporary file, changed by the function change."""
    content = json.loads((BUILT_IN / f"{world}.json").read_text(encoding="utf-8"))
    change(content)
    file = tempfile.NamedTemporaryFile("w", suffix=".json", delete=False, encoding="utf-8")
    with file:
        json.dump(content, file)
    return file.name


class Case(unittest.TestCase):
    """Tests of one world; the class names it."""

    world = ""
    login = {}
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.server = World(cls.world)
        cls.addClassCleanup(cls.server.close)
        cls.client = cls.server.client(**cls.login)
        cls.addClassCleanup(cls.client.close)

    def raises(self, error, words, call, *arguments, **named):
        """call raises error, and says words."""
        with self.assertRaises(error) as seen:
            call(*arguments, **named)
        self.assertIn(words, str(seen.exception))


def rows(batches):
    """The rows of Arrow batches, as dictionaries."""
    return [row for batch in batches for row in batch.to_pylist()]
