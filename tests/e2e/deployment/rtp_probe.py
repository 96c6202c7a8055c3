"""Sends numbered RTP packets to one address and waits for them at another."""
import socket
import struct
import sys
import time

PACKETS = 50


def packet(number):
    return struct.pack("!BBHII", 0x80, 96, number, 3000 * number, 0x1234) + f"packet {number}".encode()


def probe(send_to, receive_at, seconds=10):
    """True when all payloads arrive in order within `seconds`."""
    receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    receiver.bind(("127.0.0.1", receive_at))
    receiver.settimeout(0.5)
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    end = time.monotonic() + seconds
    for number in range(PACKETS):
        sender.sendto(packet(number), ("127.0.0.1", send_to))
        while True:
            try:
                arrived = receiver.recv(2048)
            except socket.timeout:
                if time.monotonic() > end:
                    return False
                continue
            if 200 <= arrived[1] <= 207:  # RTCP
                continue
            if arrived[12:] != packet(number)[12:]:
                return False
            break
    return True


if __name__ == "__main__":
    sys.exit(0 if probe(int(sys.argv[1]), int(sys.argv[2])) else 1)
