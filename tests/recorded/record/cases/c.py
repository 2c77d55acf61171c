"""C and C++: gcc, clang, the linker, crashes, sanitizers, gdb, valgrind, and what builds: make, cmake, ninja, meson."""

from __future__ import annotations

from tests.recorded.record.case import Case

_MAIN = "\nint main(void) {\n  return 0;\n}\n"


def _compile(
    tool: str,
    cause: str,
    source: str,
    *,
    wraps: tuple[str, ...] = (),
    family: str = "",
    options: str = "-c",
    name: str = "c",
) -> Case:
    files = {f"@file.{name}": f"@pad\n{source}"}
    b_files = {f"src/@dir/@file.{name}": f"@pad\nint start_@other;\n{source}"}
    command = f"{tool} {options} @file.{name} -o @file.o"
    b_command = f"{tool} -Wall -O2 {options} src/@dir/@file.{name} -o /tmp/@file.o"
    colour = f"{tool} -fdiagnostics-color=always {options} @file.{name} -o @file.o"
    return Case(
        tool,
        f"{tool}-{cause}",
        f"{tool}-{family or cause}",
        command,
        files,
        b_command,
        b_files,
        wraps=wraps,
        colour=colour,
    )


def _both(cause: str, source: str, *, wraps: tuple[str, ...] = (), family: str = "", name: str = "c") -> list[Case]:
    tools = ("gcc", "clang") if name == "c" else ("g++", "clang++")
    return [_compile(tool, cause, source, wraps=wraps, family=family, name=name) for tool in tools]


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


_CMAKE = "cmake_minimum_required(VERSION 3.16)\nproject(@thing C)\n@pad\n"


def _cmake(
    cause: str,
    text: str,
    *,
    family: str = "",
    wraps: tuple[str, ...] = (),
    command: str = "cmake -S . -B build",
    whole: bool = False,
) -> Case:
    files = {"CMakeLists.txt": text if whole else _CMAKE + text, "@file.c": _MAIN}
    return Case(
        "cmake",
        f"cmake-{cause}",
        f"cmake-{family or cause}",
        command,
        files,
        command.replace("-B build", "-B out").replace("--build build", "--build out"),
        wraps=wraps,
    )


def _make(
    cause: str, text: str, *, family: str = "", command: str = "make", b_command: str = "", wraps: tuple[str, ...] = ()
) -> Case:
    return Case("make", f"make-{cause}", f"make-{family or cause}", command, {"Makefile": text}, b_command, wraps=wraps)


CASES = [
    *_both(
        "undeclared-total",
        "int @verb(void) {\n  return total + @n;\n}\n",
        family="undeclared",
        wraps=("make", "ci", "colour"),
    ),
    *_both("undeclared-limit", "int @verb(void) {\n  return limit * @n;\n}\n", family="undeclared"),
    *_both("missing-header-curl", "#include <curlx/curlx.h>\n", family="missing-header", wraps=("make", "colour")),
    *_both("missing-header-config.h", '#include "config.h"\n', family="missing-header"),
    *_both("missing-semicolon", "int @verb(void) {\n  int @thing = @n\n  return @thing;\n}\n", family="syntax"),
    *_both("missing-brace", "int @verb(void) {\n  if (@n) {\n    return 1;\n  return 0;\n}\n", family="syntax"),
    *_both(
        "implicit-function-as-error",
        (
            '#pragma GCC diagnostic error "-Wimplicit-function-declaration"\nint @verb(void) {\n'
            "  return connect_all(@n);\n}\n"
        ),
    ),
    *_both("too-few-arguments-send", "int send(int a, int b);\n\nint @verb(void) {\n  return send(@n);\n}\n"),
    *_both(
        "no-member-size", "struct row {\n  int id;\n};\n\nint @verb(struct row *@thing) {\n  return @thing->size;\n}\n"
    ),
    *_both(
        "incompatible-types-return-struct",
        "struct row {\n  int id;\n};\n\nint @verb(struct row @thing) {\n  int x = @thing;\n  return x + @n;\n}\n",
    ),
    *_both("unknown-type-uint33", "uint33_t @thing = @n;\n", family="unknown-type"),
    *_both("redefinition-counter", "int counter = 1;\nint counter = @n;\n"),
    *_both("conflicting-types-run", "int run(int @thing);\ndouble run(int @thing) {\n  return @n;\n}\n"),
    *_both(
        "assignment-to-const",
        "int @verb(void) {\n  const int @thing = @n;\n  @thing = @m;\n  return @thing;\n}\n".replace("@thing", "limit"),
    ),
    *_both("error-directive", "#error no support for this platform\n"),
    *_both(
        "no-matching-function-open", 'void open_all(int *);\n\nvoid @verb() {\n  open_all("@thing");\n}\n', name="cpp"
    ),
    *_both("not-declared-vector", "std::vector<int> @thing(@n);\n", family="not-declared", name="cpp"),
    *_both(
        "no-member-push",
        "#include <vector>\n\nvoid @verb(std::vector<int> &@thing) {\n  @thing.push(@n);\n}\n",
        name="cpp",
    ),
    *_both(
        "private-member-key",
        "class Store {\n  int key;\n};\n\nint @verb(Store &@thing) {\n  return @thing.key;\n}\n",
        name="cpp",
    ),
    *_both(
        "abstract-class-Store",
        "struct Store {\n  virtual void close() = 0;\n};\n\nvoid @verb() {\n  Store @thing;\n}\n",
        name="cpp",
    ),
    *_both("static-assert-size", 'static_assert(sizeof(int) == 3, "int must have three bytes");\n', name="cpp"),
    *_both(
        "deleted-copy-unique_ptr",
        (
            "#include <memory>\n\nstd::unique_ptr<int> @verb(std::unique_ptr<int> &@thing) {\n"
            "  std::unique_ptr<int> copy = @thing;\n  return copy;\n}\n"
        ),
        name="cpp",
    ),
    Case(
        "gcc",
        "gcc-no-input-file",
        "gcc-no-input-file",
        "gcc -c @file.c",
        b_command="gcc -O2 -c src/@file.c -o @file.o",
        wraps=("make",),
    ),
    Case(
        "gcc",
        "gcc-unknown-option",
        "gcc-unknown-option",
        "gcc -fquick -c @file.c",
        {"@file.c": _MAIN},
        b_command="gcc -O2 -fquick -c @file.c -o /tmp/@file.o",
    ),
    Case(
        "ld",
        "ld-undefined-reference-SSL_new",
        "ld-undefined-reference",
        "gcc @file.c -o @file",
        {"@file.c": "@pad\nvoid SSL_new(void);\nint main(void) {\n  SSL_new();\n  return @n;\n}\n"},
        "gcc src/@file.c src/@thing.c -o @file",
        {
            "src/@file.c": "void @verb(void);" + _MAIN.replace("return", "@verb();\n  return"),
            "src/@thing.c": "@pad\nvoid SSL_new(void);\nvoid @verb(void) {\n  SSL_new();\n}\n",
        },
        wraps=("make", "ci"),
    ),
    Case(
        "ld",
        "ld-undefined-reference-sqrt-no-lm",
        "ld-undefined-reference",
        "gcc @file.c -o @file",
        {
            "@file.c": (
                "@pad\n#include <math.h>\nint main(int argc, char **argv) {\n  return (int)sqrt(argc * @n.5);\n}\n"
            )
        },
    ),
    Case(
        "ld",
        "ld-undefined-reference-main",
        "ld-undefined-reference",
        "gcc @file.c -o @file",
        {"@file.c": "@pad\nint @verb(void) {\n  return @n;\n}\n"},
    ),
    Case(
        "ld",
        "ld-cannot-find-lssl33",
        "ld-cannot-find-library",
        "gcc @file.c -lssl33 -o @file",
        {"@file.c": _MAIN},
        "gcc -O2 @file.c -L/usr/local/lib -lm -lssl33 -o /tmp/@file",
        wraps=("make",),
    ),
    Case(
        "ld",
        "ld-multiple-definition-counter",
        "ld-multiple-definition",
        "gcc @file.c @thing.c -o @file",
        {"@file.c": "int counter = @n;\n" + _MAIN, "@thing.c": "@pad\nint counter = @m;\n"},
    ),
    Case(
        "ld",
        "ld-file-format-not-recognized",
        "ld-file-format",
        "gcc @file.c @thing.o -o @file",
        {"@file.c": _MAIN, "@thing.o": "plain text @n\n"},
    ),
    Case(
        "ld",
        "ld-cpp-undefined-vtable-Store",
        "ld-undefined-reference",
        "g++ @file.cpp -o @file",
        {
            "@file.cpp": (
                "@pad\nstruct Store {\n  virtual void close();\n};\nint main() {\n  Store @thing;\n  return @n;\n}\n"
            )
        },
    ),
    Case(
        "ld",
        "ld-shared-library-missing-at-run-time",
        "ld-shared-library-missing",
        "./@file",
        {
            "@file.c": "int @verb(void);\nint main(void) {\n  return @verb();\n}\n",
            "@thing.c": "int @verb(void) {\n  return 0;\n}\n",
        },
        setup="gcc -shared -fPIC @thing.c -o libbilling.so && gcc @file.c -L. -lbilling -o @file",
        b_command="./@file --@thing",
    ),
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
    _make(
        "no-rule-missing-source-parser.c",
        "@thing: parser.c\n\tcc parser.c -o @thing\n",
        family="no-rule-prerequisite",
        wraps=("ci",),
    ),
    _make(
        "no-rule-target-deploy",
        "@pad\nall:\n\ttrue\n",
        family="no-rule-target",
        command="make deploy",
        b_command="make -s deploy",
    ),
    _make("no-makefile", "", family="no-makefile")._replace(files={}, b_command="make -s"),
    _make("missing-separator", "all:\n@pad\n    echo @n\n", family="syntax"),
    _make(
        "recipe-missing-command-protocx",
        "@pad\nall:\n\tprotocx --out=@dir @thing.proto\n",
        family="recipe-missing-command",
        b_command="make all",
        wraps=("just",),
    ),
    _make("recipe-missing-command-gox", "@pad\nall:\n\tgox build ./@dir\n", family="recipe-missing-command"),
    _make("recipe-no-such-file-schema", "@pad\nall:\n\tcp schema.sql build/\n", family="recipe-failed"),
    _make("recipe-silent-failure-bare", "@pad\n@thing:\n\t@test -d /srv/@other\n", family="recipe-failed-silently"),
    _make("include-missing-config.mk", "@pad\ninclude config.mk\n", family="include-missing"),
    _make(
        "recursive-variable-FLAGS", "@pad\nFLAGS = $(FLAGS) -O@n\nall:\n\techo $(FLAGS)\n", family="recursive-variable"
    ),
    _make("circular-and-missing-lib", "@pad\nall: libx.a\nlibx.a: @thing.o\n", family="no-rule-prerequisite"),
    _make("sub-make-failed-gcc-undeclared-total", "all:\n\t$(MAKE) -C @dir\n", family="sub-make")._replace(
        files={
            "Makefile": "all:\n\t$(MAKE) -C @dir\n",
            "@dir/Makefile": "@file.o: @file.c\n\tgcc -c @file.c\n",
            "@dir/@file.c": "@pad\nint @verb(void) {\n  return total;\n}\n",
        }
    ),
    _cmake(
        "package-not-found-FooBar",
        "find_package(FooBar REQUIRED)\n",
        family="package-not-found",
        wraps=("make", "colour"),
    ),
    _cmake("package-not-found-Eigen9", "find_package(Eigen9 3.@n REQUIRED)\n", family="package-not-found"),
    _cmake("boost-style-module-not-found-CURL", "find_package(CURL 99.@n REQUIRED)\n", family="could-not-find"),
    _cmake("unknown-command-add_exe", "add_exe(@thing @file.c)\n", family="unknown-command"),
    _cmake("source-not-found-parser.c", "add_executable(@thing parser.c)\n", family="source-not-found"),
    _cmake("parse-error-unclosed", "add_executable(@thing @file.c\n", family="parse-error"),
    _cmake("no-cmakelists", "", whole=True, family="no-cmakelists")._replace(files={"@file.c": _MAIN}),
    _cmake("target-not-built-link", "target_link_libraries(storefront m)\n", family="target-not-built"),
    _cmake("include-not-found-Helpers", "include(Helpers)\n", family="include-not-found"),
    _cmake("subdirectory-missing-libs", "add_subdirectory(libs)\n", family="subdirectory-missing"),
    _cmake("version-too-new", "cmake_minimum_required(VERSION 9.@n)\n", whole=True, family="version-too-new"),
    _cmake("fatal-error-message", 'message(FATAL_ERROR "set TOOLCHAIN first")\n', family="fatal-error"),
    _cmake(
        "compiler-not-found-ccx",
        "enable_language(CXX)\n",
        command="cmake -DCMAKE_C_COMPILER=ccx -S . -B build",
        family="compiler-not-found",
    ),
    _cmake(
        "build-undeclared-total",
        "add_executable(@thing @thing.c)\n",
        family="build-failed",
        command="cmake -S . -B build > /dev/null && cmake --build build",
    )._replace(
        files={
            "CMakeLists.txt": _CMAKE + "add_executable(@thing @thing.c)\n",
            "@thing.c": "@pad\nint main(void) {\n  return total;\n}\n",
        }
    ),
    _cmake("no-build-folder", "", command="cmake --build build", family="no-build-folder"),
    Case("ninja", "ninja-no-build-file", "ninja-no-build-file", "ninja", b_command="ninja -C ."),
    Case(
        "ninja",
        "ninja-missing-source-parser.c",
        "ninja-missing-source",
        "ninja",
        {"build.ninja": "rule cc\n  command = gcc -c $in -o $out\nbuild @thing.o: cc parser.c\n"},
        b_command="ninja -v",
        wraps=("make",),
    ),
    Case(
        "ninja",
        "ninja-unknown-target-deploy",
        "ninja-unknown-target",
        "ninja deploy",
        {"build.ninja": "rule cc\n  command = gcc -c $in -o $out\nbuild @thing.o: cc @file.c\n"},
    ),
    Case(
        "ninja",
        "ninja-command-failed-gcc-undeclared-total",
        "ninja-command-failed",
        "ninja",
        {
            "build.ninja": "rule cc\n  command = gcc -c $in -o $out\nbuild @thing.o: cc @file.c\n",
            "@file.c": "@pad\nint @verb(void) {\n  return total;\n}\n",
        },
    ),
    Case(
        "ninja",
        "ninja-syntax",
        "ninja-syntax",
        "ninja",
        {"build.ninja": "rule cc\n  commnd = gcc\nbuild @thing.o: cc @file.c\n"},
    ),
    Case("meson", "meson-no-build-file", "meson-no-build-file", "meson setup build", b_command="meson setup out"),
    Case(
        "meson",
        "meson-dependency-not-found-foobar",
        "meson-dependency-not-found",
        "meson setup build",
        {"meson.build": "project('@thing', 'c')\n@other = dependency('foobar')\n"},
        b_command="meson setup out",
    ),
    Case(
        "meson",
        "meson-unknown-function",
        "meson-unknown-function",
        "meson setup build",
        {"meson.build": "project('@thing', 'c')\nadd_exe('@thing', '@file.c')\n"},
    ),
    Case(
        "meson",
        "meson-source-missing-parser.c",
        "meson-source-missing",
        "meson setup build",
        {"meson.build": "project('@thing', 'c')\nexecutable('@thing', 'parser.c')\n"},
    ),
    Case(
        "gfortran",
        "gfortran-no-implicit-type-total",
        "gfortran-no-implicit-type",
        "gfortran -c @file.f90",
        {"@file.f90": "program @thing\n  implicit none\n  total = @n\nend program @thing\n"},
        b_command="gfortran -O2 -c src/@file.f90",
        b_files={
            "src/@file.f90": (
                "module @thing\n  implicit none\ncontains\n  subroutine @verb()\n    total = @n\n"
                "  end subroutine\nend module\n"
            )
        },
    ),
    Case("bison", "bison-syntax", "bison-syntax", "bison @file.y", {"@file.y": "%%\n@thing : NUMBER { $$ = @n; \n"}),
    Case("autoconf", "autoconf-no-configure-ac", "autoconf-no-configure-ac", "autoconf", b_command="autoconf -f"),
    Case(
        "cppcheck",
        "cppcheck-null-pointer",
        "cppcheck-null-pointer",
        "cppcheck -q --error-exitcode=1 @file.c",
        {"@file.c": "@pad\nint @verb(void) {\n  int *@thing = 0;\n  return *@thing;\n}\n"},
    ),
    Case(
        "clang-tidy",
        "clang-tidy-null-dereference",
        "clang-tidy-clang-analyzer",
        "clang-tidy --checks=-*,clang-analyzer-* --warnings-as-errors=* @file.c --",
        {"@file.c": ("@pad\nint @verb(void) {\n  int *@thing = 0;\n  return *@thing;\n}\n")},
    ),
    Case(
        "clang-format",
        "clang-format-violations",
        "clang-format-violations",
        "clang-format --dry-run -Werror @file.c",
        {"@file.c": "@pad\nint   @verb( void ){return @n;}\n"},
    ),
]
