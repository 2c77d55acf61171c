"""Go: build, vet, test, and programs that panic."""

from __future__ import annotations

from tests.recorded.record.case import Case, Files


def _go(
    cause: str,
    family: str,
    source: str,
    *,
    command: str = "go build ./...",
    wraps: tuple[str, ...] = (),
    more: Files | None = None,
    name: str = "@file.go",
) -> Case:
    mod = {"go.mod": "module example.com/@thing\n\ngo 1.19\n", **(more or {})}
    text = f"package main\n\n@pad\n{source}"
    b_files = {**mod, f"cmd/@dir/{name}": text, "doc.go": "package root\n"}
    return Case(
        "go",
        f"go-{cause}",
        f"go-{family}",
        command,
        {**mod, name: text},
        command.replace("run .", "run ./cmd/@dir"),
        b_files,
        wraps=wraps,
        version="go version",
    )


CASES = [
    _go(
        "undefined-Total", "undefined", "func main() {\n\tprintln(Total, @n)\n}\n", wraps=("tty", "make", "ci", "just")
    ),
    _go("undefined-parseRow", "undefined", "func main() {\n\tprintln(parseRow(@n))\n}\n", wraps=("make",)),
    _go("imported-not-used-os", "imported-not-used", 'import "os"\n\nfunc main() {\n\tprintln(@n)\n}\n'),
    _go("declared-not-used-total", "declared-not-used", "func main() {\n\ttotal := @n\n}\n"),
    _go("type-mismatch-string-int", "cannot-use", 'func main() {\n\tvar @thing int = "@other"\n\tprintln(@thing)\n}\n'),
    _go(
        "not-enough-arguments-send",
        "not-enough-arguments",
        "func send(a int, b int) {}\n\nfunc main() {\n\tsend(@n)\n}\n",
    ),
    _go(
        "missing-method-Close",
        "missing-method",
        "type Store interface{ Close() }\n\ntype @Thing struct{}\n\nfunc main() {\n\tvar _ Store = @Thing{}\n}\n",
    ),
    _go("no-field-Email", "no-field", "type @Thing struct{}\n\nfunc main() {\n\tprintln(@Thing{}.Email)\n}\n"),
    _go("missing-return", "missing-return", "func @verb() int {\n}\n\nfunc main() {\n\t@verb()\n}\n"),
    _go("syntax-unexpected-newline", "syntax-error", "func main() {\n\tprintln(@n\n}\n"),
    _go(
        "package-not-in-std-strngs",
        "package-not-in-std",
        'import "strngs"\n\nfunc main() {\n\tstrngs.ToUpper("@thing")\n}\n',
    ),
    _go(
        "no-required-module-uuid",
        "no-required-module",
        'import "github.com/google/uuid"\n\nfunc main() {\n\tprintln(uuid.New())\n}\n',
        wraps=("ci",),
    ),
    _go(
        "no-required-module-chi",
        "no-required-module",
        'import "github.com/go-chi/chi/v5"\n\nfunc main() {\n\tchi.NewRouter()\n}\n',
    ),
    Case(
        "go",
        "go-no-go-mod",
        "go-no-go-mod",
        "go build ./...",
        {"@file.go": "package main\n"},
        "go vet ./...",
        {"cmd/@file.go": "package main\n"},
    ),
    Case(
        "go",
        "go-mod-parse-error",
        "go-mod-parse",
        "go build ./...",
        {"go.mod": "module @thing\n\nrequire foo\n"},
        "go mod tidy",
    ),
    _go("no-go-files", "no-go-files", "", command="go build .")._replace(
        files={"go.mod": "module @thing\n\ngo 1.19\n"},
        b_files={"go.mod": "module @thing\n\ngo 1.19\n", "README.md": ""},
    ),
    _go(
        "import-cycle",
        "import-cycle",
        'import _ "example.com/@thing/a"\n\nfunc main() {}\n',
        more={
            "a/a.go": 'package a\n\nimport _ "example.com/@thing/b"\n',
            "b/b.go": 'package b\n\nimport _ "example.com/@thing/a"\n',
        },
    ),
    _go(
        "vet-printf-wrong-type",
        "vet-printf",
        'import "fmt"\n\nfunc main() {\n\tfmt.Printf("%d\\n", "@thing")\n}\n',
        command="go vet ./...",
        wraps=("make",),
    ),
    _go("vet-unreachable", "vet-unreachable", "func main() {\n\treturn\n\tprintln(@n)\n}\n", command="go vet ./..."),
    _go(
        "panic-nil-map",
        "panic",
        'func main() {\n\tvar @thing map[string]int\n\t@thing["@other"] = @n\n}\n',
        command="go run .",
        wraps=("make", "ci"),
    ),
    _go(
        "panic-index",
        "panic",
        "func @verb(@thing []int) int {\n\treturn @thing[@n]\n}\n\nfunc main() {\n\t@verb(nil)\n}\n",
        command="go run .",
    ),
    _go(
        "panic-nil-pointer",
        "panic",
        (
            "type @Thing struct{ id int }\n\nfunc @verb(@thing *@Thing) int {\n\treturn @thing.id\n}\n\n"
            "func main() {\n\t@verb(nil)\n}\n"
        ),
        command="go run .",
    ),
    _go("panic-own-queue-closed", "panic", 'func main() {\n\tpanic("queue is closed")\n}\n', command="go run ."),
    _go(
        "panic-type-assertion",
        "panic",
        "func main() {\n\tvar @thing interface{} = @n\n\tprintln(@thing.(string))\n}\n",
        command="go run .",
    ),
    _go(
        "panic-divide",
        "panic",
        "func @verb(@thing int) int {\n\treturn @n / @thing\n}\n\nfunc main() {\n\t@verb(0)\n}\n",
        command="go run .",
    ),
    _go("deadlock", "deadlock", "func main() {\n\t@thing := make(chan int)\n\t@thing <- @n\n}\n", command="go run ."),
    _go(
        "stack-overflow",
        "stack-overflow",
        "func @verb(@thing int) int {\n\treturn @verb(@thing+1) + 1\n}\n\nfunc main() {\n\t@verb(@n)\n}\n",
        command="go run .",
    ),
    _go(
        "test-failed-TestTotal",
        "test-failed",
        (
            'import "testing"\n\nfunc TestTotal(t *testing.T) {\n\tif got := @n; got != 0 {\n'
            '\t\tt.Errorf("got %d, want 0", got)\n\t}\n}\n'
        ),
        command="go test ./...",
        name="@file_test.go",
        wraps=("make", "ci"),
    ),
    _go(
        "test-failed-TestRefund",
        "test-failed",
        (
            'import "testing"\n\nfunc TestRefund(t *testing.T) {\n\tif got := @n; got != 0 {\n'
            '\t\tt.Errorf("got %d, want 0", got)\n\t}\n}\n'
        ),
        command="go test ./...",
        name="@file_test.go",
    ),
    _go(
        "test-panic-nil-map",
        "test-panic",
        (
            'import "testing"\n\nfunc Test@Thing(t *testing.T) {\n\tvar @thing map[string]int\n'
            '\t@thing["@other"] = @n\n}\n'
        ),
        command="go test ./...",
        name="@file_test.go",
    ),
    _go(
        "test-build-failed-undefined-Total",
        "test-build-failed",
        'import "testing"\n\nfunc Test@Thing(t *testing.T) {\n\tt.Log(Total)\n}\n',
        command="go test ./...",
        name="@file_test.go",
    ),
    Case(
        "go",
        "go-install-proxy-off-golangci",
        "go-module-lookup",
        "go install example.com/tools/lint@latest",
        b_command="go install example.com/tools/lint@v1.@n.0",
        version="go version",
    ),
    Case(
        "gofmt",
        "gofmt-syntax-error",
        "gofmt-syntax-error",
        "gofmt -l .",
        {"@file.go": "package main\n\n@pad\nfunc main() {\n"},
        "gofmt -d cmd",
        {"cmd/@file.go": "package main\n\n@pad\nfunc main() {\n\tprintln(@n)\n"},
        version="go version",
    ),
]
