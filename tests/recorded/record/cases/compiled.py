"""Go, Rust and others that compile to programs: Zig, Nim, Haskell, OCaml."""

from __future__ import annotations

from tests.recorded.record.case import Case, Files

_GO_NEW = "/opt/venv/go/bin/go"


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


def _rust(cause: str, code: str, source: str, *, wraps: tuple[str, ...] = (), tool: str = "rustc") -> Case:
    """One crate for cargo, one file for rustc: the code is the label, with what decides the fix."""
    label = f"{tool}-{code}" + (f"-{cause}" if cause else "")
    if tool == "rustc":
        return Case(
            "rustc",
            label,
            f"rustc-{code}",
            "rustc --edition 2021 @file.rs",
            {"@file.rs": f"@pad\n{source}"},
            "rustc --edition=2021 --crate-type bin src/@dir/@file.rs",
            {"src/@dir/@file.rs": f"@pad\n#![allow(dead_code)]\n{source}"},
            wraps=wraps,
            colour="rustc --color always @file.rs",
        )
    return _cargo(label, f"cargo-{code}", "cargo build", source, wraps=wraps)


def _cargo(
    cause: str,
    family: str,
    command: str,
    source: str,
    *,
    toml: str = "",
    wraps: tuple[str, ...] = (),
    more: Files | None = None,
    toolchain: str = "cargo",
) -> Case:
    manifest = f'[package]\nname = "@thing"\nversion = "0.@n.0"\nedition = "2021"\n{toml}'
    files = {"Cargo.toml": manifest, "src/main.rs": f"@pad\n{source}", **(more or {})}
    b_files = {
        "Cargo.toml": manifest,
        "src/main.rs": "mod @file;\n\nfn main() {\n    @file::main();\n}\n",
        "src/@file.rs": f"@pad\n{source.replace('fn main', 'pub fn main')}",
        **(more or {}),
    }
    return Case(
        toolchain,
        cause,
        family,
        command,
        files,
        command + " --offline" * (not any(word in command for word in ("clippy", "fmt", "offline"))),
        b_files if source else None,
        wraps=wraps,
        colour=f"{command} --color always",
        version="cargo --version",
    )


def _panic(
    cause: str,
    source: str,
    *,
    wraps: tuple[str, ...] = (),
    command: str = "./@file",
    b_command: str = "RUST_BACKTRACE=1 ./@file",
) -> Case:
    return Case(
        "rust-panic",
        f"rust-panic-{cause}",
        f"rust-panic-{cause.partition('-')[0]}",
        command,
        {"@file.rs": f"@pad\n{source}"},
        b_command,
        setup="rustc -A warnings -g --edition 2021 @file.rs",
        wraps=wraps,
        version="rustc --version",
    )


CASES = [
    _go("undefined-Total", "undefined", "func main() {\n\tprintln(Total, @n)\n}\n", wraps=("make", "ci", "just")),
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
    _rust(
        "mismatch-i32-str",
        "E0308",
        'fn main() {\n    let @thing: i32 = "@other";\n    println!("{}", @thing);\n}\n',
        wraps=("make", "ci", "colour"),
    ),
    _rust("value-total", "E0425", 'fn main() {\n    println!("{}", total + @n);\n}\n', wraps=("colour",)),
    _rust("function-parse_row", "E0425", "fn main() {\n    parse_row(@n);\n}\n"),
    _rust(
        "",
        "E0382",
        (
            'fn main() {\n    let @thing = String::from("@other");\n    let moved = @thing;\n'
            '    println!("{} {}", moved, @thing);\n}\n'
        ),
        wraps=("make",),
    ),
    _rust(
        "",
        "E0499",
        (
            "fn main() {\n    let mut @thing = vec![@n];\n    let a = &mut @thing;\n    let b = &mut @thing;\n"
            "    a.push(1);\n    b.push(2);\n}\n"
        ),
    ),
    _rust(
        "",
        "E0502",
        (
            "fn main() {\n    let mut @thing = vec![@n];\n    let first = &@thing[0];\n    @thing.push(@m);\n"
            '    println!("{}", first);\n}\n'
        ),
    ),
    _rust(
        "",
        "E0505",
        (
            'fn main() {\n    let @thing = String::from("@other");\n    let held = &@thing;\n'
            '    drop(@thing);\n    println!("{}", held);\n}\n'
        ),
    ),
    _rust(
        "",
        "E0597",
        (
            "fn main() {\n    let held;\n    {\n        let @thing = @n;\n        held = &@thing;\n    }\n"
            '    println!("{}", held);\n}\n'
        ),
    ),
    _rust("", "E0384", 'fn main() {\n    let @thing = @n;\n    @thing = @m;\n    println!("{}", @thing);\n}\n'),
    _rust("", "E0106", "struct @Thing {\n    name: &str,\n}\n\nfn main() {}\n"),
    _rust("Display", "E0277", 'struct @Thing;\n\nfn main() {\n    println!("{}", @Thing);\n}\n'),
    _rust(
        "question-mark", "E0277", 'fn main() {\n    let @thing: i32 = "@n".parse()?;\n    println!("{}", @thing);\n}\n'
    ),
    _rust(
        "method-lenght", "E0599", 'fn main() {\n    let @thing = vec![@n];\n    println!("{}", @thing.lenght());\n}\n'
    ),
    _rust(
        "non-exhaustive",
        "E0004",
        (
            "enum Side {\n    Left,\n    Right,\n}\n\nfn main() {\n    let @thing = Side::Left;\n"
            "    match @thing {\n        Side::Left => {}\n    }\n    let _ = Side::Right;\n}\n"
        ),
    ),
    _rust("arguments", "E0061", "fn send(_a: i32, _b: i32) {}\n\nfn main() {\n    send(@n);\n}\n"),
    _rust(
        "field-email",
        "E0609",
        (
            "struct @Thing {\n    id: i32,\n}\n\nfn main() {\n    let @thing = @Thing { id: @n };\n"
            '    println!("{} {}", @thing.id, @thing.email);\n}\n'
        ),
    ),
    _rust(
        "trait-item-close",
        "E0046",
        "trait Store {\n    fn close(&self);\n}\n\nstruct @Thing;\n\nimpl Store for @Thing {}\n\nfn main() {}\n",
    ),
    _rust(
        "crate-serde",
        "E0432",
        "use serde::Serialize;\n\nfn main() {\n    let _: Option<Box<dyn Fn(&dyn std::any::Any)>> = None;\n}\n",
    ),
    _rust("type-Money", "E0425", "fn @verb(@thing: Money) {}\n\nfn main() {}\n"),
    _rust("private-function", "E0603", "mod inner {\n    fn hidden() {}\n}\n\nfn main() {\n    inner::hidden();\n}\n"),
    _rust(
        "",
        "E0373",
        (
            "use std::thread;\n\nfn main() {\n    let @thing = @n;\n"
            '    thread::spawn(|| println!("{}", @thing)).join().unwrap();\n}\n'
        ),
    ),
    _rust("syntax-missing-brace", "syntax", "fn main() {\n    let @thing = vec![@n;\n}\n"),
    _rust("macro-not-found-logg", "macro", 'fn main() {\n    logg!("@thing {}", @n);\n}\n'),
    _rust(
        "mismatch-i32-str",
        "E0308",
        'fn main() {\n    let @thing: i32 = "@other";\n    println!("{}", @thing);\n}\n',
        tool="cargo",
        wraps=("make", "ci", "just"),
    ),
    _rust(
        "crate-serde",
        "E0432",
        "use serde::Serialize;\n\nfn main() {\n    let _: Option<Box<dyn Fn(&dyn std::any::Any)>> = None;\n}\n",
        tool="cargo",
        wraps=("colour",),
    ),
    _rust(
        "with-warnings-total",
        "E0425",
        'use std::fmt;\n\nfn main() {\n    let unused = @m;\n    println!("{}", total + @n);\n}\n',
        tool="cargo",
    ),
    _cargo("cargo-no-manifest", "cargo-no-manifest", "cargo build", "")._replace(
        files={}, b_files={"src/@file.rs": ""}, b_command="cargo test --offline"
    ),
    _cargo("cargo-manifest-syntax", "cargo-manifest-syntax", "cargo build", "fn main() {}\n", toml="[dependencies\n"),
    _cargo(
        "cargo-offline-missing-serde",
        "cargo-no-matching-package",
        "cargo build --offline",
        "fn main() {}\n",
        toml='[dependencies]\nserde = "1"\n',
        wraps=("make",),
    ),
    _cargo(
        "cargo-path-dependency-missing-core",
        "cargo-path-dependency",
        "cargo build",
        "fn main() {}\n",
        toml='[dependencies]\ncore-lib = { path = "../core-lib" }\n',
    ),
    _cargo("cargo-index-unreachable", "cargo-index-unreachable", "cargo fetch", "")._replace(
        files={
            "Cargo.toml": '[package]\nname = "@thing"\nversion = "0.1.0"\n[dependencies]\nserde = "1"\n',
            "src/main.rs": "",
            ".cargo/config.toml": (
                '[source.crates-io]\nreplace-with = "mirror"\n[source.mirror]\n'
                'registry = "sparse+http://127.0.0.1:41@m/index/"\n[net]\nretry = 0\n'
            ),
        },
        b_files=None,
        b_command="cargo build",
    ),
    _cargo("cargo-unknown-command-lint", "cargo-unknown-command", "cargo lintx", "")._replace(
        files={}, b_command="cargo lintx --all"
    ),
    _cargo("cargo-unknown-feature-fast", "cargo-unknown-feature", "cargo build --features fast", "fn main() {}\n"),
    _cargo("cargo-no-bin-target-server", "cargo-no-bin-target", "cargo run --bin server", "fn main() {}\n"),
    _cargo("cargo-lock-needs-update", "cargo-lock", "cargo build --locked", "fn main() {}\n"),
    _cargo(
        "cargo-test-failed-adds_prices",
        "cargo-test-failed",
        "cargo test",
        "fn main() {}\n\n#[test]\nfn adds_prices() {\n    assert_eq!(@n + 1, @m);\n}\n",
        wraps=("make", "ci"),
    ),
    _cargo(
        "cargo-test-failed-refunds",
        "cargo-test-failed",
        "cargo test",
        "fn main() {}\n\n#[test]\nfn refunds() {\n    assert_eq!(@n + 1, @m);\n}\n",
    ),
    _cargo(
        "cargo-run-panic-unwrap-none",
        "cargo-run-panic",
        "cargo run -q",
        'fn main() {\n    let @thing: Option<i32> = None;\n    println!("{}", @thing.unwrap());\n}\n',
    ),
    _cargo(
        "clippy-needless_return",
        "clippy-needless_return",
        "cargo clippy -- -D warnings",
        "pub fn @verb() -> i32 {\n    return @n;\n}\n\nfn main() {\n    @verb();\n}\n",
        toolchain="clippy",
        wraps=("make",),
    ),
    _cargo(
        "clippy-len_zero",
        "clippy-len_zero",
        "cargo clippy -- -D warnings",
        "fn main() {\n    let @thing = vec![@n];\n    if @thing.len() == 0 {\n        println!();\n    }\n}\n",
        toolchain="clippy",
    ),
    _cargo(
        "clippy-unused_variables-total",
        "clippy-unused_variables",
        "cargo clippy -- -D warnings",
        "fn main() {\n    let total = @n;\n}\n",
        toolchain="clippy",
    ),
    _cargo(
        "rustfmt-diff",
        "rustfmt-diff",
        "cargo fmt --check",
        "fn main() {\n  let _@thing=@n;\n}\n",
        toolchain="rustfmt",
        wraps=("make",),
    ),
    _panic(
        "unwrap-none",
        'fn main() {\n    let @thing: Option<i32> = None;\n    println!("{}", @thing.unwrap());\n}\n',
        wraps=("make", "ci"),
    ),
    _panic(
        "unwrap-err-parse-int",
        'fn main() {\n    let @thing: i32 = "@other".parse().unwrap();\n    println!("{}", @thing);\n}\n',
    ),
    _panic(
        "expect-config-missing",
        (
            'fn main() {\n    let @thing = std::fs::read("/srv/@thing.toml").expect("config is missing");\n'
            '    println!("{}", @thing.len());\n}\n'
        ),
    ),
    _panic(
        "index-out-of-bounds",
        'fn main() {\n    let @thing: Vec<i32> = Vec::new();\n    println!("{}", @thing[@n]);\n}\n',
    ),
    _panic(
        "overflow-subtract",
        'fn main() {\n    let @thing: u32 = std::env::args().count() as u32;\n    println!("{}", @thing - @n);\n}\n',
    ),
    _panic(
        "divide-by-zero",
        'fn main() {\n    let @thing = std::env::args().count() as i32 - 1;\n    println!("{}", @n / @thing);\n}\n',
    ),
    _panic("own-queue-closed", 'fn main() {\n    panic!("queue is closed");\n}\n'),
    _panic(
        "refcell-already-borrowed",
        (
            "use std::cell::RefCell;\n\nfn main() {\n    let @thing = RefCell::new(@n);\n"
            "    let _a = @thing.borrow_mut();\n    let _b = @thing.borrow_mut();\n}\n"
        ),
    ),
    _panic(
        "stack-overflow",
        (
            "fn @verb(@thing: u64) -> u64 {\n    @verb(@thing + 1) + @thing\n}\n\nfn main() {\n"
            '    println!("{}", @verb(@n));\n}\n'
        ),
        command="./@file; exit $?",
        b_command="./@file --@thing; exit $?",
    ),
    Case(
        "zig",
        "zig-undeclared-total",
        "zig-undeclared",
        "python-zig build-exe @file.zig",
        {"@file.zig": "@pad\npub fn main() void {\n    const @thing = total;\n    _ = @thing;\n}\n"},
        version="python-zig version",
    ),
    Case(
        "zig",
        "zig-expected-type",
        "zig-expected-type",
        "python-zig build-exe @file.zig",
        {"@file.zig": '@pad\npub fn main() void {\n    const @thing: u32 = "@other";\n    _ = @thing;\n}\n'},
        version="python-zig version",
    ),
    Case(
        "nim",
        "nim-undeclared-total",
        "nim-undeclared",
        "nim c --hints:off @file.nim",
        {"@file.nim": "@pad\necho total\n"},
    ),
    Case(
        "nim",
        "nim-type-mismatch",
        "nim-type-mismatch",
        "nim c --hints:off @file.nim",
        {"@file.nim": '@pad\nvar @thing: int = "@other"\necho @thing\n'},
    ),
    Case(
        "nim",
        "nim-cannot-open-module-jsonx",
        "nim-cannot-open",
        "nim c --hints:off @file.nim",
        {"@file.nim": "@pad\nimport jsonx\n"},
    ),
    Case(
        "ghc",
        "ghc-not-in-scope-total",
        "ghc-not-in-scope",
        "ghc @file.hs",
        {"@file.hs": "@pad\nmain :: IO ()\nmain = print (total + @n)\n"},
        wraps=("make", "colour"),
    ),
    Case(
        "ghc",
        "ghc-type-mismatch-int-string",
        "ghc-type-mismatch",
        "ghc @file.hs",
        {"@file.hs": '@pad\n@thing :: Int\n@thing = "@other"\n\nmain :: IO ()\nmain = print @thing\n'},
    ),
    Case(
        "ghc",
        "ghc-no-module-Data.Mapp",
        "ghc-no-module",
        "ghc @file.hs",
        {"@file.hs": "@pad\nimport qualified Data.Mapp as M\n\nmain :: IO ()\nmain = print @n\n"},
    ),
    Case(
        "ghc",
        "ghc-no-instance-show-function",
        "ghc-no-instance",
        "ghc @file.hs",
        {"@file.hs": "@pad\nmain :: IO ()\nmain = print (+ @n)\n"},
    ),
    Case(
        "ghc",
        "ghc-parse-error",
        "ghc-parse-error",
        "ghc @file.hs",
        {"@file.hs": "@pad\nmain :: IO ()\nmain = print (@n\n"},
    ),
    Case(
        "ghc",
        "ghc-runtime-head-empty",
        "ghc-runtime",
        "runghc @file.hs",
        {"@file.hs": "@pad\nmain :: IO ()\nmain = print (head ([] :: [Int]))\n"},
    ),
    Case(
        "ghc",
        "ghc-runtime-non-exhaustive",
        "ghc-runtime",
        "runghc @file.hs",
        {"@file.hs": "@pad\n@verb :: Int -> Int\n@verb 1 = @n\n\nmain :: IO ()\nmain = print (@verb 0)\n"},
    ),
    Case(
        "ocaml",
        "ocaml-unbound-value-total",
        "ocaml-unbound-value",
        "ocamlc @file.ml",
        {"@file.ml": "let @thing = total + @n\n"},
        b_files={"@file.ml": "let @other = @n\n\nlet @verb x = x + total\n"},
        version="ocamlc -version",
    ),
    Case(
        "ocaml",
        "ocaml-type-error",
        "ocaml-type-error",
        "ocamlc @file.ml",
        {"@file.ml": 'let @thing : int = "@other"\n'},
        b_files={"@file.ml": 'let @other = @n\n\nlet @thing : int = "@verb"\n'},
        version="ocamlc -version",
    ),
    Case(
        "ocaml",
        "ocaml-unbound-module-Jsonx",
        "ocaml-unbound-module",
        "ocamlc @file.ml",
        {"@file.ml": 'let @thing = Jsonx.parse "@n"\n'},
        version="ocamlc -version",
    ),
    Case(
        "ocaml",
        "ocaml-exception-not-found",
        "ocaml-exception",
        "ocaml @file.ml",
        {"@file.ml": "let @thing = List.assoc @n []\n"},
        version="ocamlc -version",
    ),
]
