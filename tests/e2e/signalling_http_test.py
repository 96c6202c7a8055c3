"""What runneld serves over HTTP and TLS, as curl and raw sockets see it."""

import json
import signal
import socket
import ssl
import subprocess
import tempfile
import unittest
from pathlib import Path

from harness.children import await_condition
from harness.ports import free_port_pair, free_tcp_port
from harness.runneld import BINARY, Runneld

GET_HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
GET_READINESS_AND_CLOSE = b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def serve(test: unittest.TestCase, **settings) -> tuple[Runneld, int]:
    """runneld that has signalling alone, and its port."""
    port = free_tcp_port()
    listen = {"media": f"127.0.0.1:{free_port_pair()}", "signalling": f"127.0.0.1:{port}"}
    return Runneld(test, listen=listen, **settings), port


def curl(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        ["curl", "--silent", "--show-error", "--max-time", "10", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )


class Response:
    """Head and body of one response, as `curl -i` prints them."""

    def __init__(self, text: str):
        head, _, self.body = text.replace("\r\n", "\n").partition("\n\n")
        first, *fields = head.split("\n")
        self.status = int(first.split()[1])
        self.headers = {
            name.lower(): value.strip() for name, value in (f.split(":", 1) for f in fields)
        }


def ask(url: str, *arguments: str) -> Response:
    done = curl("-i", *arguments, url)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return Response(done.stdout)


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=10)


def read_until(connection: socket.socket, end: bytes) -> bytes:
    received = b""
    while end not in received and (more := connection.recv(65536)):
        received += more
    return received


def read_all(connection: socket.socket) -> bytes:
    received = b""
    while more := connection.recv(65536):
        received += more
    return received


def exchange(port: int, request: bytes) -> bytes:
    """What is answered until the server ends the connection."""
    with connect(port) as connection:
        connection.sendall(request)
        return read_all(connection)


class Pages(unittest.TestCase):
    def setUp(self):
        self.runneld, self.port = serve(self)
        self.base = f"http://127.0.0.1:{self.port}"

    def test_version(self):
        response = ask(self.base + "/v1/version")
        self.assertEqual(response.status, 200)
        document = json.loads(response.body)
        self.assertEqual(document["name"], "runnel")
        self.assertRegex(document["version"], r"^\d+\.\d+\.\d+")
        self.assertRegex(
            response.headers["date"], r"^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} .* GMT$"
        )

    def test_health_and_readiness(self):
        self.assertEqual(ask(self.base + "/healthz").body.strip(), "ok")
        self.assertEqual(ask(self.base + "/readyz").status, 200)

    def test_the_schema_is_a_json_schema(self):
        response = ask(self.base + "/v1/schema.json")
        self.assertEqual(response.headers["content-type"], "application/json")
        self.assertIn("$schema", json.loads(response.body))

    def test_head_has_the_headers_of_get_and_no_body(self):
        get, head = ask(self.base + "/v1/version"), ask(self.base + "/v1/version", "--head")
        self.assertEqual(head.body, "")
        self.assertEqual(head.headers["content-length"], get.headers["content-length"])

    def test_options_names_the_methods(self):
        for path, methods in (("/healthz", "GET, HEAD"), ("/v1/streams", "GET, HEAD")):
            response = ask(self.base + path, "-X", "OPTIONS")
            self.assertEqual(response.status, 204)
            self.assertEqual(response.headers["allow"], methods)

    def test_unknown_paths_and_methods_get_problem_documents(self):
        for path, method, status in (("/nothing", "GET", 404), ("/healthz", "DELETE", 405)):
            response = ask(self.base + path, "-X", method)
            self.assertEqual(response.status, status)
            self.assertEqual(response.headers["content-type"], "application/problem+json")
            self.assertEqual(json.loads(response.body)["status"], status)

    def test_the_websocket_path_tells_plain_clients_to_upgrade(self):
        response = ask(self.base + "/v1/signal")
        self.assertEqual(response.status, 426)
        self.assertEqual(response.headers["upgrade"], "websocket")
        self.assertEqual(response.headers["sec-websocket-version"], "13")

    def test_streams_by_rest(self):
        self.assertEqual(json.loads(ask(self.base + "/v1/streams").body), {"streams": []})
        response = ask(self.base + "/v1/streams/nobody")
        self.assertEqual(response.status, 404)
        self.assertEqual(json.loads(response.body)["code"], "unknown_stream")

    def test_pages_of_elsewhere_are_refused(self):
        response = ask(self.base + "/v1/streams", "-H", "Origin: https://evil.example")
        self.assertEqual(response.status, 403)
        # A page whose name is made to resolve to this machine.
        response = ask(self.base + "/v1/streams", "-H", "Host: evil.example")
        self.assertEqual(response.status, 403)


class Wire(unittest.TestCase):
    def test_one_connection_takes_many_requests(self):
        _, port = serve(self)
        done = curl("-v", *[f"http://127.0.0.1:{port}/healthz"] * 5)
        self.assertEqual(done.stdout, "ok\n" * 5)
        self.assertEqual(done.stderr.count("Re-using existing connection"), 4, done.stderr)

    def test_requests_sent_one_behind_the_other_are_answered_in_order(self):
        _, port = serve(self)
        ready = b"GET /readyz HTTP/1.1\r\nHost: localhost\r\n"
        request = GET_HEALTH + ready + b"\r\n" + GET_HEALTH + ready + b"Connection: close\r\n\r\n"
        answers = exchange(port, request)
        self.assertEqual(answers.count(b"HTTP/1.1 200 OK"), 4)
        bodies = [part.split(b"HTTP/1.1")[0] for part in answers.split(b"\r\n\r\n")[1:]]
        self.assertEqual(bodies, [b"ok\n", b"ready\n"] * 2)

    def test_what_could_be_understood_in_two_ways_is_refused(self):
        _, port = serve(self)
        for fields in (
            b"Content-Length: 3\r\nContent-Length: 4\r\n",
            b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
            b"Content-Length: +3\r\n",
            b"Transfer-Encoding: chunked, identity\r\n",
            b"Transfer-Encoding : chunked\r\n",
            b"X: a\r\n folded\r\n",
            b"X: a\nContent-Length: 3\r\n",
        ):
            with self.subTest(fields):
                request = b"POST /healthz HTTP/1.1\r\nHost: localhost\r\n" + fields + b"\r\n"
                answer = exchange(port, request + GET_HEALTH)
                self.assertRegex(answer, rb"^HTTP/1\.1 (400|501) ")
                self.assertEqual(answer.count(b"HTTP/1.1 "), 1, "what stands behind is not read")

    def test_slow_heads_time_out(self):
        _, port = serve(self, limits={"header_timeout": "1s"})
        with connect(port) as connection:
            try:
                for byte in GET_HEALTH + b" " * 100:
                    connection.sendall(bytes([byte]))
                    connection.settimeout(0.1)
                    try:
                        answer = connection.recv(65536)
                        break
                    except TimeoutError:
                        pass
            except OSError as error:
                self.fail(f"reset before the answer was read: {error}")
        self.assertTrue(answer.startswith(b"HTTP/1.1 408 "), answer)

    def test_a_long_head_and_a_long_body_are_refused(self):
        _, port = serve(self, limits={"request_head": "2KiB", "request_body": "4KiB"})
        head = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 4096 + b"\r\n\r\n"
        self.assertTrue(exchange(port, head).startswith(b"HTTP/1.1 431 "))
        body = b"POST /v1/streams/a/publication HTTP/1.1\r\nHost: localhost\r\n"
        body += b"Content-Length: 5000\r\n\r\n" + b"x" * 5000
        self.assertTrue(exchange(port, body).startswith(b"HTTP/1.1 413 "))

    def test_an_address_has_a_bounded_number_of_connections(self):
        runneld, port = serve(self, limits={"connections_per_address": 3})
        held = [connect(port) for _ in range(3)]
        for connection in held:
            connection.sendall(GET_HEALTH)
            self.assertIn(b"200 OK", read_until(connection, b"ok\n"))
        answer = exchange(port, GET_HEALTH)
        self.assertTrue(answer.startswith(b"HTTP/1.1 503 "), answer)
        self.assertIn(b"Retry-After: ", answer)
        held.pop().close()
        await_condition(
            lambda: exchange(port, GET_READINESS_AND_CLOSE).startswith(b"HTTP/1.1 200 "),
            "there is room again",
        )
        runneld.child.await_line("connections are refused")
        for connection in held:
            connection.close()

    def test_a_port_in_use_is_said_in_a_sentence(self):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as occupant:
            occupant.bind(("127.0.0.1", 0))
            occupant.listen()
            port = occupant.getsockname()[1]
            with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
                file.write(f"listen:\n  media: []\n  signalling: '127.0.0.1:{port}'\n")
                file.flush()
                done = subprocess.run(
                    [BINARY, "--config", file.name], capture_output=True, text=True, timeout=20
                )
        self.assertEqual(done.returncode, 71)
        self.assertRegex(
            done.stderr, rf"\.yaml:3: listen\.signalling.*TCP 127\.0\.0\.1:{port}: .*in use"
        )


class Tokens(unittest.TestCase):
    TOKEN = "a-token-of-the-test-0123456789"

    def serve(self, **auth) -> str:
        token = {"name": "ops", "token": self.TOKEN, "may": ["admin"]}
        self.runneld, port = serve(self, auth={"tokens": [token], **auth})
        return f"http://127.0.0.1:{port}/v1/streams"

    def test_a_token_opens_rest_and_is_in_no_log_line(self):
        url = self.serve()
        refused = ask(url)
        self.assertEqual(refused.status, 401)
        self.assertEqual(refused.headers["www-authenticate"], "Bearer")
        self.assertEqual(ask(url, "-H", f"Authorization: Bearer {self.TOKEN}").status, 200)
        self.assertEqual(ask(url, "-H", "Authorization: Bearer wrong").status, 401)
        self.assertEqual(ask(f"{url}?token={self.TOKEN}").status, 401)
        self.runneld.stop()
        self.assertNotIn(self.TOKEN, self.runneld.child.output)

    def test_a_token_in_the_query_only_where_that_is_allowed(self):
        self.assertEqual(ask(f"{self.serve(query=True)}?token={self.TOKEN}").status, 200)


class Certificates:
    """A certificate authority of the test's own, and what it signs."""

    def __init__(self, test: unittest.TestCase):
        folder = tempfile.TemporaryDirectory()
        test.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.authority = self.folder / "ca.pem"
        self._openssl(
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=test-ca"
            " -keyout ca.key -out ca.pem"
        )

    def _openssl(self, arguments: str):
        done = subprocess.run(
            ["openssl", *arguments.split()], cwd=self.folder, capture_output=True, text=True
        )
        if done.returncode != 0:
            raise AssertionError(done.stderr)

    def sign(self, name: str) -> dict[str, str]:
        """Writes server.pem and server.key, and answers the setting that names them."""
        (self.folder / "extensions").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
        self._openssl(
            f"req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN={name}"
            " -keyout server.key -out server.csr"
        )
        self._openssl(
            "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 1"
            " -extfile extensions -out server.pem"
        )
        return {
            "certificate": str(self.folder / "server.pem"),
            "key": str(self.folder / "server.key"),
        }


class Tls(unittest.TestCase):
    def setUp(self):
        self.certificates = Certificates(self)
        tls = self.certificates.sign("first.example")
        self.runneld, self.port = serve(self, tls=tls)

    def names_of_server(self) -> str:
        context = ssl.create_default_context(cafile=str(self.certificates.authority))
        with context.wrap_socket(connect(self.port), server_hostname="localhost") as connection:
            subject = connection.getpeercert()["subject"]
            connection.sendall(GET_HEALTH)
            self.assertIn(b"ok\n", read_until(connection, b"ok\n"))
        return str(subject)

    def test_https_with_a_known_authority(self):
        for version in ("1.2", "1.3"):
            response = ask(
                f"https://localhost:{self.port}/v1/version",
                "--cacert",
                str(self.certificates.authority),
                "--resolve",
                f"localhost:{self.port}:127.0.0.1",
                f"--tlsv{version}",
                "--tls-max",
                version,
            )
            self.assertEqual(response.status, 200)
        self.runneld.child.await_line("by TLS .*first.example")

    def test_tls_1_1_is_refused(self):
        done = curl("--insecure", "--tls-max", "1.1", f"https://127.0.0.1:{self.port}/healthz")
        self.assertNotEqual(done.returncode, 0)

    def test_a_plain_request_is_told_to_use_https(self):
        response = ask(f"http://127.0.0.1:{self.port}/healthz")
        self.assertEqual(response.status, 400)
        self.assertIn("this port speaks TLS; use https://", response.body)

    def test_check_looks_at_the_certificate(self):
        self.assertEqual(subprocess.run([BINARY, "--check", self.runneld.config]).returncode, 0)
        (self.certificates.folder / "server.key").write_text("no key at all")
        done = subprocess.run(
            [BINARY, "--check", self.runneld.config], capture_output=True, text=True
        )
        self.assertEqual(done.returncode, 78)
        self.assertIn("there is no private key in PEM form", done.stderr)

    def test_sighup_reloads_the_certificate_and_keeps_the_old_one_when_that_fails(self):
        context = ssl.create_default_context(cafile=str(self.certificates.authority))
        with context.wrap_socket(connect(self.port), server_hostname="localhost") as old:
            self.certificates.sign("second.example")
            self.runneld.child.send_signal(signal.SIGHUP)
            self.runneld.child.await_line("new connections use the certificate .*second.example")
            self.assertIn("second.example", self.names_of_server())
            old.sendall(GET_HEALTH)
            self.assertIn(b"ok\n", read_until(old, b"ok\n"), "the old connection goes on")

        (self.certificates.folder / "server.key").write_text("no key at all")
        start = len(self.runneld.child.lines)
        self.runneld.child.send_signal(signal.SIGHUP)
        self.runneld.child.await_line("certificate as it was", start=start)
        self.assertIn("second.example", self.names_of_server())


class Ending(unittest.TestCase):
    def test_sigterm_ends_idle_connections(self):
        runneld, port = serve(self)
        with connect(port) as idle:
            idle.sendall(GET_HEALTH)
            read_until(idle, b"ok\n")
            self.assertEqual(runneld.stop(), 0)
            self.assertEqual(read_all(idle), b"")
        runneld.child.await_line("signalling: .* 1 request so far")

    def test_sigterm_says_goodbye_to_websockets_and_does_not_wait_for_ever(self):
        runneld, port = serve(self)
        with connect(port) as websocket:
            websocket.sendall(
                b"GET /v1/signal HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                b"Sec-WebSocket-Protocol: runnel.v1\r\n\r\n"
            )
            head = read_until(websocket, b"\r\n\r\n")
            self.assertIn(b"101 Switching Protocols", head)
            self.assertIn(b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", head)  # RFC 6455 section 1.3
            runneld.child.send_signal(signal.SIGTERM)
            await_condition(
                lambda: exchange(port, GET_READINESS_AND_CLOSE).startswith(b"HTTP/1.1 503 "),
                "it is no longer ready",
            )
            self.assertEqual(runneld.child.await_exit(5), 0)
            frames = read_all(websocket)
        self.assertIn(b"\x03\xe9", frames, "a Close frame with 1001")


if __name__ == "__main__":
    unittest.main()
