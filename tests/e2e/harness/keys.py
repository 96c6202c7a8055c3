"""Suites of SRTP by their SDES names, with fresh keys."""

import base64
import secrets
from dataclasses import dataclass

# Bytes of master key and master salt (RFC 4568, RFC 6188, RFC 7714).
SIZES = {
    "AES_CM_128_HMAC_SHA1_80": 30,
    "AES_CM_128_HMAC_SHA1_32": 30,
    "AES_256_CM_HMAC_SHA1_80": 46,
    "AES_256_CM_HMAC_SHA1_32": 46,
    "AEAD_AES_128_GCM": 28,
    "AEAD_AES_256_GCM": 44,
}


@dataclass(frozen=True)
class Key:
    suite: str
    material: bytes

    @staticmethod
    def fresh(suite: str = "AES_CM_128_HMAC_SHA1_80") -> "Key":
        return Key(suite, secrets.token_bytes(SIZES[suite]))

    @property
    def ffmpeg_suite(self) -> str:
        """ffmpeg takes the SDES name of the _32 suite to mean short tags for RTCP too."""
        if self.suite == "AES_CM_128_HMAC_SHA1_32":
            return "SRTP_AES128_CM_HMAC_SHA1_32"
        return self.suite

    @property
    def base64(self) -> str:
        return base64.b64encode(self.material).decode()

    @property
    def hex(self) -> str:
        return self.material.hex()
