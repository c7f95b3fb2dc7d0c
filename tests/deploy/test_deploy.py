"""The files for hosts: each is checked by its program, and nginx passes pages, WebSockets and addresses on."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
import typer.main
from starlette.routing import Mount
from websockets.asyncio.client import connect

from bosquet import cli
from bosquet.server.http.static_files import PAGE
from tests.deploy.helpers.proxies import DEPLOY, ended, program, running_nginx
from tests.helpers.services import free_port
from tests.server.helpers.people import make_app

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (PAGE / "index.html").exists(), reason="the page is not built"),
]


def options_in(text: str) -> list[str]:
    return re.findall(r"--[a-z][a-z-]*", text)


@pytest.mark.parametrize(
    ("file", "command"),
    [
        ("bosquet.service", "serve"),
        ("bosquet.env", "serve"),
        ("nodes.env", "serve"),
        ("bosquet-worker.service", "worker"),
        ("Caddyfile", "serve"),
        ("nginx.conf", "serve"),
    ],
)
def test_options_are_those_of_the_command(file: str, command: str) -> None:
    command_ = typer.main.get_command(cli.app).commands[command]  # type: ignore[attr-defined]
    known = {option for parameter in command_.params for option in parameter.opts}
    assert set(options_in((DEPLOY / file).read_text().replace("enable --now", ""))) <= known


@pytest.mark.parametrize("file", ["bosquet.env", "nodes.env"])
def test_the_options_of_an_environment_file_can_be_read(file: str) -> None:
    lines = [line.partition("=") for line in (DEPLOY / file).read_text().splitlines() if not line.startswith("#")]
    options = next(value for name, _, value in lines if name == "BOSQUET_OPTIONS")
    command = [sys.executable, "-m", "bosquet", "serve", *shlex.split(options), "--data", "/dev/null/nothing"]
    done = subprocess.run([*command, "--no-browser"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, "/dev/null" in done.stderr) == (1, True)


@pytest.mark.parametrize("name", ["bosquet.service", "bosquet-worker.service"])
def test_the_units_are_units(name: str, tmp_path: Path) -> None:
    unit = tmp_path / name
    unit.write_text((DEPLOY / name).read_text().replace("/opt/bosquet/bin/bosquet", "/bin/true"))
    done = subprocess.run([program("systemd-analyze"), "verify", unit], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert name not in done.stdout + done.stderr


def test_the_caddyfile_is_valid(tmp_path: Path) -> None:
    command = [program("caddy"), "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")]
    environment = os.environ | {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)
    assert done.returncode == 0, done.stderr


def test_the_proxies_wait_longer_for_what_is_worked_out(tmp_path: Path) -> None:
    said = [re.search(r"\^/api/\((\S+)\)\$", (DEPLOY / name).read_text()) for name in ("nginx.conf", "Caddyfile")]
    waits = {found[1] for found in said if found}
    assert waits == {"replay|reviews|me|me/vacation.*|history/.*"}
    (api,) = (route for route in make_app(tmp_path).routes if isinstance(route, Mount))
    paths = [getattr(route, "path", "").removeprefix("/") for route in api.routes]
    assert all(any(re.fullmatch(part, path) for path in paths) for part in waits.pop().split("|"))


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a server behind nginx, configured as `deploy/` says, on ports of its own."""
    plain, secure, port = free_port(), free_port(), free_port()
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    names = ["-addext", "subjectAltName=DNS:localhost"]
    subprocess.run(
        [program("openssl"), *request, *names, "-keyout", key, "-out", certificate], check=True, capture_output=True
    )
    text = (DEPLOY / "nginx.conf").read_text()
    for old, new in [
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{secure} ssl http2;"),
        ("    listen [::]:80;\n", ""),
        ("    listen [::]:443 ssl http2;\n", ""),
        ("127.0.0.1:8642", f"127.0.0.1:{port}"),
        ("/etc/ssl/certs/tables.example.org.pem", str(certificate)),
        ("/etc/ssl/private/tables.example.org.key", str(key)),
        ("tables.example.org", "localhost"),
        ("$host$request_uri", f"$host:{secure}$request_uri"),
        ("proxy_set_header Host $host;", "proxy_set_header Host $http_host;"),  # the ports are not the usual ones
    ]:
        assert old in text
        text = text.replace(old, new)
    data = ["--data", str(tmp_path / "data"), "--port", str(port), "--proxy", "127.0.0.1", "--name", "localhost"]
    served = subprocess.Popen(
        [sys.executable, "-m", "bosquet", "serve", "--no-browser", *data], stderr=subprocess.PIPE, text=True
    )
    with ended(served) as server:
        assert server.stderr is not None
        assert "bosquet plays at" in server.stderr.readline()
        with running_nginx(tmp_path, text, plain):
            answer = httpx2.get(f"http://localhost:{plain}/rules/topas")
            assert (answer.status_code, answer.headers["location"]) == (301, f"https://localhost:{secure}/rules/topas")
            monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
            yield f"https://localhost:{secure}"


def test_a_game_through_nginx(site: str) -> None:
    trusted = ssl.create_default_context()
    with httpx2.Client(base_url=site, verify=trusted) as client:
        page = client.get("/")
        assert page.status_code == 200
        assert "max-age" in page.headers["strict-transport-security"]
        assert client.cookies.get("__Host-bosquet")
        assert client.get("/nothing").status_code == 404
        assert client.get("/", headers={"x-long": "a" * 40_000}).status_code in (400, 431)
        assert client.post("/api/replay", content=b"x" * 300_000).status_code == 413
        seats = [{"kind": "me", "name": "Ann"}, {"kind": "bot", "bot": "random"}]
        body = {"game": "topiary", "options": {"players": 2}, "seats": seats, "pace": "instant"}
        opened = client.post("/api/tables", json=body, headers={"origin": site})
        assert opened.status_code == 201, opened.text
        cookie = f"__Host-bosquet={client.cookies['__Host-bosquet']}"
    asyncio.run(played(f"{site.replace('https', 'wss')}/api/tables/{opened.json()['table']}/live", cookie, site))


async def played(address: str, cookie: str, origin: str) -> None:
    """Play a game to its end over a WebSocket."""
    async with connect(address, additional_headers={"cookie": cookie, "origin": origin}) as socket:
        await socket.send(json.dumps({"type": "ready", "nonce": "0" * 32}))
        async for text in socket:
            message = json.loads(text)
            if message["type"] != "position":
                continue
            view = message["view"]
            if view["over"]:
                return
            if view["moves"]:
                seat, number = message["viewpoint"], message["number"]
                move = view["moves"][0]["say"]
                await socket.send(json.dumps({"type": "play", "seat": seat, "number": number, "move": move}))
    raise AssertionError("the game did not end")
