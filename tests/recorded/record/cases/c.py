"""C and C++: compilers, the linker, static checkers."""

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
