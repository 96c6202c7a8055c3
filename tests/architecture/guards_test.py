#!/usr/bin/env python3
"""Proves that each guard can fail: it is shown a bad tree, and has to say what is wrong with it."""

import subprocess
import tempfile
import unittest
from pathlib import Path

import file_shape
import forbidden_symbols
import include_edges
import layout


class GuardTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, path: str, text: str):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def assert_complains(self, found: list[str], *parts: str):
        self.assertEqual(len(found), 1, found)
        for part in parts:
            self.assertIn(part, found[0])


class IncludeEdges(GuardTest):
    def complaints_about(self, path: str, line: str) -> list[str]:
        self.write(path, f"// An idea.\n{line}\n")
        return include_edges.violations(self.root)

    def test_a_room_sees_what_lies_below_it(self):
        self.assertEqual(self.complaints_about("core/srtp/a.h", '#include "core/rtp/b.h"'), [])
        self.assertEqual(self.complaints_about("core/crypto/a.cpp", "#include <openssl/evp.h>"), [])
        self.assertEqual(self.complaints_about("core/base/a.h", "#include <vector>"), [])

    def test_a_room_does_not_see_what_lies_above_it(self):
        self.assert_complains(
            self.complaints_about("core/rtp/a.h", '#include "core/srtp/b.h"'),
            "core/rtp/a.h:2",
            "core/rtp must not see core/srtp",
        )

    def test_siblings_do_not_see_each_other(self):
        self.assert_complains(
            self.complaints_about("core/crypto/a.h", '#include "core/rtp/b.h"'), "must not see"
        )

    def test_the_core_does_not_see_the_daemon(self):
        self.assert_complains(
            self.complaints_about("core/relay/a.h", '#include "daemon/b.h"'), "must not see daemon"
        )

    def test_openssl_stays_in_crypto(self):
        self.assert_complains(
            self.complaints_about("core/srtp/a.cpp", "#include <openssl/evp.h>"), "openssl/evp.h"
        )

    def test_libuv_spdlog_yaml_and_json_stay_where_they_belong(self):
        for path, header in (
            ("config/a.cpp", "uv.h"),
            ("core/relay/a.cpp", "spdlog/spdlog.h"),
            ("daemon/a.cpp", "yaml-cpp/yaml.h"),
            ("config/b.cpp", "nlohmann/json.hpp"),
        ):
            with self.subTest(header):
                self.assert_complains(self.complaints_about(path, f"#include <{header}>"), header)
                (self.root / path).unlink()

    def test_the_core_knows_no_operating_system(self):
        for header in ("sys/socket.h", "time.h", "thread", "fstream", "random"):
            with self.subTest(header):
                self.assert_complains(
                    self.complaints_about("core/base/a.cpp", f"#include <{header}>"), header
                )

    def test_an_unknown_library_has_to_be_entered_in_the_table(self):
        self.assert_complains(
            self.complaints_about("daemon/a.cpp", "#include <boost/asio.hpp>"),
            "no line of the table",
        )

    def test_an_unknown_room_has_to_be_entered_in_the_table(self):
        self.assert_complains(
            self.complaints_about("core/helpers/a.h", ""), "core/helpers is not in the table"
        )

    def test_a_path_that_does_not_begin_at_the_root(self):
        self.assert_complains(
            self.complaints_about("core/base/a.cpp", '#include "bytes.h"'),
            "not a path from the root",
        )


class ForbiddenSymbols(GuardTest):
    def complaints_about(self, code: str, name: str = "a.cpp") -> list[str]:
        self.write(name, code)
        subprocess.run(
            ["c++", "-std=c++20", "-c", name, "-o", f"{name}.o"], cwd=self.root, check=True
        )
        subprocess.run(["ar", "rcs", "library.a", f"{name}.o"], cwd=self.root, check=True)
        return forbidden_symbols.violations(self.root, [self.root / "library.a"])

    def test_plain_computing_is_fine(self):
        self.assertEqual(
            self.complaints_about(
                "#include <string>\nstd::string f(int n) { return std::to_string(n); }"
            ),
            [],
        )

    def test_each_kind_is_found(self):
        for kind, code in {
            "socket": "#include <sys/socket.h>\nint f() { return socket(AF_INET, SOCK_DGRAM, 0); }",
            "clock": "#include <chrono>\nauto f() { return std::chrono::steady_clock::now(); }",
            "thread": "#include <pthread.h>\nint f() { return pthread_detach(pthread_self()); }",
            "file": '#include <cstdio>\nauto f() { return std::fopen("x", "r"); }',
            "output": '#include <cstdio>\nvoid f(int n) { std::printf("%d", n); }',
            "environment": '#include <cstdlib>\nauto f() { return std::getenv("HOME"); }',
            "entropy": "#include <random>\nauto f() { return std::random_device()(); }",
            "library": 'extern "C" int uv_now(void*);\nint f() { return uv_now(nullptr); }',
        }.items():
            with self.subTest(kind):
                found = self.complaints_about(code)
                self.assertTrue(any(f"({kind})" in text for text in found), found)

    def test_only_check_may_say_which_bug_ends_the_process(self):
        code = '#include <cstdio>\nvoid f(int n) { std::fprintf(stderr, "%d", n); }'
        self.assertEqual(self.complaints_about(code, "check.cpp"), [])
        self.assertNotEqual(self.complaints_about(code, "other.cpp"), [])

    def test_inline_code_of_a_header_is_found_by_its_text(self):
        self.write("core/base/a.h", "// An idea.\ninline auto f() { return Clock_clock::now(); }\n")
        self.assert_complains(
            forbidden_symbols.violations(self.root, []), "core/base/a.h:2", "_clock::now"
        )


class FileShape(GuardTest):
    def complaints_about(self, path: str, text: str) -> list[str]:
        self.write(path, text)
        return file_shape.violations(self.root)

    def test_a_file_without_its_idea(self):
        self.assert_complains(
            self.complaints_about("core/base/a.h", "#pragma once\n"), "a.h:1", "idea"
        )

    def test_a_script_says_its_idea_below_the_interpreter(self):
        self.assertEqual(self.complaints_about("tests/run", "#!/bin/bash\n# Runs.\n"), [])
        self.assert_complains(
            self.complaints_about("tests/other", "#!/bin/bash\nset -e\n"), "tests/other:1", "idea"
        )

    def test_scripts_and_styles_of_pages_say_their_idea_too(self):
        self.assertEqual(self.complaints_about("a.js", "// An idea.\n"), [])
        self.assertEqual(self.complaints_about("b.css", "/* An idea. */\n"), [])
        self.assert_complains(self.complaints_about("c.css", "body {}\n"), "c.css:1", "idea")

    def test_a_source_leaves_the_idea_to_its_header(self):
        self.write("core/base/a.h", "// An idea.\n")
        self.assertEqual(self.complaints_about("core/base/a.cpp", '#include "core/base/a.h"\n'), [])

    def test_a_unit_test_leaves_the_idea_to_the_header_that_it_is_about(self):
        self.write("core/base/a.h", "// An idea.\n")
        self.assertEqual(self.complaints_about("tests/unit/core/base/a_test.cpp", "int x;\n"), [])
        self.assert_complains(
            self.complaints_about("tests/unit/core/base/b_test.cpp", "int x;\n"), "b_test.cpp:1"
        )

    def test_500_lines_pass_and_501_fail(self):
        self.assertEqual(self.complaints_about("a.h", "// An idea.\n" * 500), [])
        self.assert_complains(self.complaints_about("a.h", "// An idea.\n" * 501), "501 lines")

    def test_long_files_and_functions_are_remarked_upon(self):
        self.write("a.cpp", "// An idea.\nint f(int x) {\n" + "  ++x;\n" * 299 + "}\n")
        self.assertEqual(
            file_shape.remarks(self.root),
            ["a.cpp: 302 lines", "a.cpp:2: 301 lines in int f(int x) {"],
        )

    def test_places_on_one_machine(self):
        self.assert_complains(
            self.complaints_about("a.h", "// See /home/" + "someone/notes.\n"), "a.h:1", "machine"
        )
        self.assert_complains(
            self.complaints_about("a.h", f"// See {self.root.resolve()}/notes.\n"),
            "a.h:1",
            "machine",
        )


class Layout(GuardTest):
    def setUp(self):
        super().setUp()
        for path in ("README.md", "LICENSE", "daemon/run", "tests/run", ".ci/run"):
            self.write(path, "")

    def test_the_house_as_designed(self):
        self.write("tests/unit/core/srtp/a_test.cpp", "")
        self.assertEqual(layout.violations(self.root), [])

    def test_a_stranger_at_the_top(self):
        self.write("scripts/a.sh", "")
        self.assert_complains(layout.violations(self.root), "scripts", "top of the tree")

    def test_a_stranger_in_tests(self):
        self.write("tests/misc/a.py", "")
        self.assert_complains(layout.violations(self.root), "tests/misc")

    def test_a_missing_entrance(self):
        (self.root / "tests/run").unlink()
        self.assert_complains(layout.violations(self.root), "tests/run: is missing")

    def test_unit_tests_of_a_room_that_does_not_exist(self):
        self.write("tests/unit/core/attic/a_test.cpp", "")
        self.assert_complains(layout.violations(self.root), "core/attic")


if __name__ == "__main__":
    unittest.main()
