"""What builds: make, cmake, ninja, meson."""

from __future__ import annotations

from tests.recorded.record.case import Case

_MAIN = "\nint main(void) {\n  return 0;\n}\n"

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
        wraps=("tty", "make", "colour"),
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
    Case("autoconf", "autoconf-no-configure-ac", "autoconf-no-configure-ac", "autoconf", b_command="autoconf -f"),
]
