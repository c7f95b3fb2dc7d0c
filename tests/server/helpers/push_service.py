"""A push service on loopback: takes messages over TLS, checks who sent them and decrypts them as a browser does."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import ipaddress
import json
import secrets
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

import http_ece
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from bosquet.server.notices.push_delivery import Delivery
from bosquet.server.notices.web_push import from_text, to_text


class Browser:
    """What a browser keeps of its subscription."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = secrets.token_bytes(16)

    def subscription(self, endpoint: str, language: str = "en") -> dict[str, Any]:
        """What it sends to the server."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": to_text(point), "auth": to_text(self.auth)}
        return {"endpoint": endpoint, **keys, "language": language, "zone": "Europe/Berlin"}

    def read(self, body: bytes) -> dict[str, Any]:
        """Decrypt a message, with an implementation that is not ours."""
        content = http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth, version="aes128gcm")
        read: dict[str, Any] = json.loads(content)
        return read


class Message(NamedTuple):
    """A request that came in."""

    path: str
    headers: dict[str, str]
    body: bytes


class PushService:
    """Answers every request with the same bytes, and keeps what came in."""

    def __init__(self, certificate: Path) -> None:
        self.received: list[Message] = []
        self.answer = b"HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n"
        self.meanwhile: Callable[[], Awaitable[None]] | None = None
        """What happens before it answers."""
        self.port = 0
        self.certificate = certificate

    def endpoint(self, name: str = "a") -> str:
        """Where messages to a browser are sent."""
        return f"https://localhost:{self.port}/push/{name}"

    def delivery(self) -> Delivery:
        """Return a delivery that trusts this service alone, and takes it for one of the usual ones by its name."""
        context = ssl.create_default_context(cafile=self.certificate)
        return Delivery(private=True, context=context, services=["localhost"])

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[PushService]:
        """Listen meanwhile."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate)
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=context)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            line, *rest = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            headers = {name.lower(): value for name, _, value in (one.partition(": ") for one in rest if one)}
            body = await reader.readexactly(int(headers["content-length"]))
            self.received.append(Message(line.split()[1], headers, body))
            if self.meanwhile is not None:
                await self.meanwhile()
            writer.write(self.answer)
            await writer.drain()
            await reader.read()
        writer.close()


def signer_of(authorization: str) -> tuple[str, dict[str, Any]]:
    """Check the signature of a message; return the public key and what was signed. Raises InvalidSignature."""
    scheme, _, parameters = authorization.partition(" ")
    assert scheme == "vapid"
    given = dict(part.strip().split("=", 1) for part in parameters.split(","))
    head, claims, signature = given["t"].split(".")
    assert json.loads(from_text(head) or b"")["alg"] == "ES256"
    signed = from_text(signature) or b""
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), from_text(given["k"]) or b"")
    pair = encode_dss_signature(int.from_bytes(signed[:32]), int.from_bytes(signed[32:]))
    point.verify(pair, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    return given["k"], json.loads(from_text(claims) or b"")


def certificate(folder: Path) -> Path:
    """Write a certificate of localhost and its key into a file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "localhost.pem"
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(made.public_bytes(Encoding.PEM) + secret)
    return file
