"""Tokens: static ones, and JWTs signed by openssl."""

import base64
import hashlib
import hmac
import json
import secrets
import subprocess
from pathlib import Path


def static_token() -> str:
    return secrets.token_hex(32)


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _openssl(*arguments: object, stdin: bytes = b"") -> bytes:
    command = ["openssl", *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, check=True).stdout


def _fixed_size(signature: bytes) -> bytes:
    """R and S as 32 bytes each (RFC 7518 §3.4), out of the DER that openssl writes."""
    numbers, at = [], 2
    for _ in range(2):
        size = signature[at + 1]
        numbers.append(int.from_bytes(signature[at + 2 : at + 2 + size], "big"))
        at += 2 + size
    return b"".join(number.to_bytes(32, "big") for number in numbers)


class Issuer:
    """Makes JWTs under a key of its own, which is in `folder`."""

    KEYS = {
        "RS256": ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
        "ES256": ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
    }

    def __init__(self, folder: Path, algorithm: str):
        self.algorithm = algorithm
        self.secret = secrets.token_hex(32)
        self._private, self.public = folder / f"{algorithm}.key", folder / f"{algorithm}.pem"
        if algorithm != "HS256":
            _openssl("genpkey", *self.KEYS[algorithm], "-out", self._private)
            _openssl("pkey", "-in", self._private, "-pubout", "-out", self.public)

    @property
    def configuration(self) -> dict:
        """The entry in auth.jwt.keys."""
        if self.algorithm == "HS256":
            return {"algorithm": "HS256", "secret": self.secret}
        return {"algorithm": self.algorithm, "key_file": str(self.public)}

    def sign(self, claims: dict, **header) -> str:
        fields = {"alg": self.algorithm, "typ": "JWT", **header}
        text = ".".join(_base64url(json.dumps(part).encode()) for part in (fields, claims))
        return f"{text}.{_base64url(self._signature(text.encode()))}"

    def _signature(self, text: bytes) -> bytes:
        if self.algorithm == "HS256":
            return hmac.digest(self.secret.encode(), text, hashlib.sha256)
        signature = _openssl("dgst", "-sha256", "-sign", self._private, stdin=text)
        return _fixed_size(signature) if self.algorithm == "ES256" else signature
