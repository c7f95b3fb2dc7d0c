"""Web Push: encryption for one browser (RFC 8291) and the server's signature (VAPID, RFC 8292).

The server's key pair is derived from the key that signs cookies, so there is no further secret to keep, to back up and
to share among nodes. With a new key, browsers have to subscribe again.
"""

from __future__ import annotations

import base64
import binascii
import json
import secrets
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The number of points of the curve P-256."""
POINT_BYTES = 65
AUTH_BYTES = 16
SALT_BYTES = 16
RECORD_BYTES = 4096
LAST_RECORD = b"\x02"
"""The delimiter after the content of the only record (RFC 8188)."""
MOST_BYTES = 3993
"""The longest content that push services take."""
TOKEN_SECONDS = 12 * 3600
"""How long a signature counts; at most a day."""


class Vapid:
    """The server's key pair for push services."""

    def __init__(self, key: bytes, contact: str | None = None) -> None:
        """Derive it from the key of this server. `contact` is a URL at which those who run it can be found."""
        seed = int.from_bytes(_derived(key, b"", b"bosquet.push", 48))
        self._private = ec.derive_private_key(seed % (ORDER - 1) + 1, CURVE)
        self._contact = contact
        self.public = to_text(_point(self._private.public_key()))
        """What browsers subscribe with: the public key, as base64url."""

    def authorization(self, endpoint: str, now: int) -> str:
        """Return the header `Authorization` of a message to an endpoint."""
        url = urlsplit(endpoint)
        claims: dict[str, object] = {"aud": f"{url.scheme}://{url.netloc}", "exp": now + TOKEN_SECONDS}
        if self._contact is not None:
            claims["sub"] = self._contact
        parts = [{"typ": "JWT", "alg": "ES256"}, claims]
        signed = ".".join(to_text(json.dumps(part, separators=(",", ":")).encode()) for part in parts)
        r, s = decode_dss_signature(self._private.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        return f"vapid t={signed}.{to_text(r.to_bytes(32) + s.to_bytes(32))}, k={self.public}"


def encrypted(
    content: bytes,
    receiver: bytes,
    auth: bytes,
    sender: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Return a message that only one browser can read (RFC 8291), with the content coding `aes128gcm`.

    `receiver` is the browser's public key and `auth` its secret; `sender` and `salt` are new for each message. Raises
    ValueError if `receiver` is no point of the curve.
    """
    sender = sender or ec.generate_private_key(CURVE)
    salt = salt or secrets.token_bytes(SALT_BYTES)
    public = _point(sender.public_key())
    shared = sender.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, receiver))
    secret = _derived(shared, auth, b"WebPush: info\x00" + receiver + public, 32)
    key = _derived(secret, salt, b"Content-Encoding: aes128gcm\x00", 16)
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\x00", 12)
    head = salt + RECORD_BYTES.to_bytes(4) + len(public).to_bytes(1) + public
    return head + AESGCM(key).encrypt(nonce, content + LAST_RECORD, None)


def is_point(value: bytes) -> bool:
    """Return whether a value is a public key of a browser."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, value)
    except ValueError:
        return False
    return len(value) == POINT_BYTES


def to_text(value: bytes) -> str:
    """Return bytes as base64url without padding."""
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def from_text(text: str) -> bytes | None:
    """Return the bytes of a base64url text, with or without padding; None if it is none."""
    try:
        return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(secret)


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
