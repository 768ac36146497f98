"""Packs that git itself would not make (gitformat-pack)."""

import hashlib
import struct
import zlib

COMMIT, TREE, BLOB, OFFSET_DELTA = 1, 2, 3, 6


def object_id(kind: str, content: bytes) -> str:
    """The object's id."""
    head = f"{kind} {len(content)}\0".encode()
    return hashlib.sha1(head + content, usedforsecurity=False).hexdigest()


def pack(*entries: bytes) -> bytes:
    """A complete pack of the entries."""
    body = struct.pack(">4sII", b"PACK", 2, len(entries)) + b"".join(entries)
    return body + hashlib.sha1(body, usedforsecurity=False).digest()


def entry(kind: int, content: bytes, base: bytes = b"") -> bytes:
    """One object; `base` is the encoded distance to a delta's base."""
    byte, size = kind << 4 | len(content) & 15, len(content) >> 4
    head = bytearray()
    while size:
        head.append(byte | 0x80)
        byte, size = size & 0x7F, size >> 7
    head.append(byte)
    return bytes(head) + base + zlib.compress(content)


def distance(number: int) -> bytes:
    """The encoded distance back to a delta's base."""
    encoded = bytes([number & 0x7F])
    while number := number >> 7:
        number -= 1
        encoded = bytes([0x80 | number & 0x7F]) + encoded
    return encoded


def copies_of(base_size: int, times: int) -> bytes:
    """A delta that repeats a base of 0xFFFFFF bytes; each copy costs four bytes."""
    return _varint(base_size) + _varint(base_size * times) + b"\xf0\xff\xff\xff" * times


def _varint(number: int) -> bytes:
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*encoded, number])
