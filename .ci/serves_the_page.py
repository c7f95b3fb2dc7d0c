"""Whether an installed bosquet serves its page, its documentation and engines, and opens a table."""

import json
import re
import subprocess
import sys
import tempfile
import urllib.request


def fetch(address: str, body: object = None) -> bytes:
    """What an address of the server gives."""
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(address, data, {"content-type": "application/json"})) as answer:
        assert answer.status in (200, 201), answer.status
        return answer.read()


def main(bosquet: str) -> None:
    """Start the server, look at its page, end it."""
    with tempfile.TemporaryDirectory() as folder:
        command = [bosquet, "serve", "--port", "0", "--no-browser", "--data", folder]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            assert server.stderr is not None
            said = server.stderr.readline()
            found = re.search(r"http://[\d.:]+", said)
            assert found, said
            page = fetch(found[0] + "/").decode()
            assets = re.findall(r'"(/assets/[^"]+)"', page)
            assert any(asset.endswith(".js") for asset in assets), page
            assert any(asset.endswith(".css") for asset in assets), page
            assert all(fetch(found[0] + asset) for asset in assets)
            docs = fetch(found[0] + "/docs").decode()
            assert "<title>bosquet" in docs, docs[:500]
            linked = re.findall(r'(?:href|src)="([^":#?]+\.(?:html|css|js))', docs)
            assert any(name.endswith(".js") for name in linked), linked
            assert all(fetch(f"{found[0]}/docs/{name}") for name in linked)
            assert "<script>" not in docs, "the content security policy forbids inline scripts"
            for game in json.loads(fetch(found[0] + "/api/games")):
                assert fetch(found[0] + game["engine"]).startswith(b"\0asm"), game
            new = {"game": "topas", "options": {"players": 1}, "seats": [{"kind": "me", "name": "Ann"}]}
            assert json.loads(fetch(found[0] + "/api/tables", new))["table"]
        finally:
            server.terminate()
            assert server.wait(20) is not None
    print("the installed wheel serves its page, its documentation and the engines")


main(sys.argv[1])
