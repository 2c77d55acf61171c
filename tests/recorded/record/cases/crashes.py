"""Programs in C and C++ that die: signals, aborts, sanitizers, gdb, valgrind."""

from __future__ import annotations

from tests.recorded.record.case import Case


def _run(
    tool: str,
    cause: str,
    source: str,
    *,
    flags: str = "",
    run: str = "./@file",
    family: str = "",
    name: str = "c",
    wraps: tuple[str, ...] = (),
    compiler: str = "gcc",
    version: str = "",
) -> Case:
    """A program that compiles and then dies."""
    build = f"{compiler} -g {flags} @file.{name} -o @file"
    return Case(
        tool,
        f"{tool}-{cause}",
        f"{tool}-{family or cause}",
        run,
        {f"@file.{name}": f"@pad\n{source}"},
        run,
        setup=build,
        wraps=wraps,
        version=version,
    )


CASES = [
    _run(
        "glibc",
        "segmentation-fault-null",
        "int main(void) {\n  int *@thing = 0;\n  return *@thing + @n;\n}\n",
        run="./@file; exit $?",
        wraps=("make",),
    ),
    _run(
        "glibc",
        "double-free",
        (
            "#include <stdlib.h>\nint main(void) {\n  void *@thing = malloc(@n);\n  free(@thing);\n"
            "  free(@thing);\n  return 0;\n}\n"
        ),
        run="./@file; exit $?",
        wraps=("ci",),
    ),
    _run(
        "glibc",
        "invalid-pointer-free",
        "#include <stdlib.h>\nint main(void) {\n  int @thing[@n];\n  free(@thing + 1);\n  return 0;\n}\n",
        run="./@file; exit $?",
        flags="-w",
    ),
    _run(
        "glibc",
        "assertion-count",
        "#include <assert.h>\nint main(int count, char **argv) {\n  assert(count < 0);\n  return @n;\n}\n",
        run="./@file; exit $?",
    ),
    _run(
        "glibc",
        "floating-point-exception",
        "int main(int argc, char **argv) {\n  return @n / (argc - 1);\n}\n",
        run="./@file; exit $?",
    ),
    _run(
        "glibc",
        "stack-smashing",
        (
            "#include <string.h>\nint main(void) {\n  char @thing[4];\n"
            '  strcpy(@thing, "far too long for it @n");\n  return @thing[0];\n}\n'
        ),
        run="./@file; exit $?",
        flags="-w -fstack-protector-all -U_FORTIFY_SOURCE",
    ),
    _run(
        "glibc",
        "uncaught-out-of-range",
        "#include <vector>\nint main() {\n  std::vector<int> @thing(2);\n  return @thing.at(@n);\n}\n",
        run="./@file; exit $?",
        name="cpp",
        compiler="g++",
    ),
    _run(
        "glibc",
        "uncaught-runtime-error-no-device",
        '#include <stdexcept>\nint main() {\n  throw std::runtime_error("no device");\n}\n',
        run="./@file; exit $?",
        name="cpp",
        compiler="g++",
    ),
    _run(
        "glibc",
        "bad-alloc",
        (
            "#include <vector>\nint main() {\n  std::vector<char> @thing;\n  @thing.resize(900000000000);\n"
            "  return 0;\n}\n"
        ),
        run="ulimit -v 1000000; ./@file; exit $?",
        name="cpp",
        compiler="g++",
    ),
    _run(
        "asan",
        "heap-buffer-overflow-read",
        (
            "#include <stdlib.h>\nint @verb(int *@thing) {\n  return @thing[@n];\n}\nint main(void) {\n"
            "  int *@thing = malloc(8);\n  return @verb(@thing + @n - @n + 2 - @n);\n}\n"
        ),
        flags="-fsanitize=address",
        wraps=("ci", "make"),
    ),
    _run(
        "asan",
        "heap-use-after-free",
        (
            "#include <stdlib.h>\nint @verb(int *@thing) {\n  return *@thing;\n}\nint main(void) {\n"
            "  int *@thing = malloc(@n);\n  free(@thing);\n  return @verb(@thing);\n}\n"
        ),
        flags="-fsanitize=address -w",
    ),
    _run(
        "asan",
        "stack-buffer-overflow",
        (
            "int @verb(int *@thing, int i) {\n  return @thing[i];\n}\nint main(void) {\n"
            "  int @thing[4] = {0};\n  return @verb(@thing, 4);\n}\n"
        ),
        flags="-fsanitize=address",
    ),
    _run(
        "asan",
        "double-free",
        (
            "#include <stdlib.h>\nint main(void) {\n  void *@thing = malloc(@n);\n  free(@thing);\n"
            "  free(@thing);\n  return 0;\n}\n"
        ),
        flags="-fsanitize=address -w",
    ),
    _run(
        "asan",
        "leak",
        (
            "#include <stdlib.h>\nvoid *@verb(void) {\n  return malloc(@n);\n}\nint main(void) {\n  @verb();\n"
            "  return 0;\n}\n"
        ),
        flags="-fsanitize=address",
        run="./@file; test $? = 0 && exit 3",
    ),
    _run(
        "asan",
        "null-dereference",
        "int @verb(int *@thing) {\n  return *@thing;\n}\nint main(void) {\n  return @verb(0);\n}\n",
        flags="-fsanitize=address",
    ),
    _run(
        "ubsan",
        "signed-overflow",
        "int main(int argc, char **argv) {\n  int @thing = 2147483647;\n  return @thing + argc;\n}\n",
        flags="-fsanitize=undefined -fno-sanitize-recover",
        version="gcc --version",
    ),
    _run(
        "ubsan",
        "index-out-of-bounds",
        "int main(int argc, char **argv) {\n  int @thing[4] = {0};\n  return @thing[argc + 3];\n}\n",
        flags="-fsanitize=undefined -fno-sanitize-recover",
        version="gcc --version",
    ),
    _run(
        "tsan",
        "data-race",
        (
            "#include <pthread.h>\nint counter;\nvoid *@verb(void *unused) {\n  counter++;\n  return 0;\n}\n"
            "int main(void) {\n  pthread_t a, b;\n  pthread_create(&a, 0, @verb, 0);\n"
            "  pthread_create(&b, 0, @verb, 0);\n  pthread_join(a, 0);\n  pthread_join(b, 0);\n  return 0;\n}\n"
        ),
        flags="-fsanitize=thread -pthread",
        version="gcc --version",
    ),
    _run(
        "gdb",
        "backtrace-segfault",
        "int @verb(int *@thing) {\n  return *@thing + @n;\n}\nint main(void) {\n  return @verb(0);\n}\n",
        run="gdb -batch -ex run -ex bt ./@file; exit 1",
    ),
    _run(
        "gdb",
        "backtrace-abort",
        "#include <stdlib.h>\nvoid @verb(void) {\n  abort();\n}\nint main(void) {\n  @verb();\n  return @n;\n}\n",
        run="gdb -batch -ex run -ex bt ./@file; exit 1",
    ),
    _run(
        "valgrind",
        "invalid-read",
        (
            "#include <stdlib.h>\nint main(void) {\n  int *@thing = malloc(8);\n  int read = @thing[3];\n"
            "  free(@thing);\n  return read ? 0 : 0;\n}\n"
        ),
        run="valgrind --error-exitcode=9 ./@file",
        flags="-O0",
    ),
    _run(
        "valgrind",
        "definitely-lost",
        "#include <stdlib.h>\nint main(void) {\n  malloc(10);\n  return 0;\n}\n",
        run="valgrind --leak-check=full --error-exitcode=9 ./@file",
        flags="-O0 -w",
    ),
]
