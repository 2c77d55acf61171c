"""Others that compile to programs: Zig, Nim, Haskell, OCaml."""

from __future__ import annotations

from tests.recorded.record.case import Case
from tests.recorded.record.shapes import cargo, rust


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
    rust(
        "mismatch-i32-str",
        "E0308",
        'fn main() {\n    let @thing: i32 = "@other";\n    println!("{}", @thing);\n}\n',
        wraps=("make", "ci", "colour"),
    ),
    rust("value-total", "E0425", 'fn main() {\n    println!("{}", total + @n);\n}\n', wraps=("colour",)),
    rust("function-parse_row", "E0425", "fn main() {\n    parse_row(@n);\n}\n"),
    rust(
        "",
        "E0382",
        (
            'fn main() {\n    let @thing = String::from("@other");\n    let moved = @thing;\n'
            '    println!("{} {}", moved, @thing);\n}\n'
        ),
        wraps=("make",),
    ),
    rust(
        "",
        "E0499",
        (
            "fn main() {\n    let mut @thing = vec![@n];\n    let a = &mut @thing;\n    let b = &mut @thing;\n"
            "    a.push(1);\n    b.push(2);\n}\n"
        ),
    ),
    rust(
        "",
        "E0502",
        (
            "fn main() {\n    let mut @thing = vec![@n];\n    let first = &@thing[0];\n    @thing.push(@m);\n"
            '    println!("{}", first);\n}\n'
        ),
    ),
    rust(
        "",
        "E0505",
        (
            'fn main() {\n    let @thing = String::from("@other");\n    let held = &@thing;\n'
            '    drop(@thing);\n    println!("{}", held);\n}\n'
        ),
    ),
    rust(
        "",
        "E0597",
        (
            "fn main() {\n    let held;\n    {\n        let @thing = @n;\n        held = &@thing;\n    }\n"
            '    println!("{}", held);\n}\n'
        ),
    ),
    rust("", "E0384", 'fn main() {\n    let @thing = @n;\n    @thing = @m;\n    println!("{}", @thing);\n}\n'),
    rust("", "E0106", "struct @Thing {\n    name: &str,\n}\n\nfn main() {}\n"),
    rust("Display", "E0277", 'struct @Thing;\n\nfn main() {\n    println!("{}", @Thing);\n}\n'),
    rust(
        "question-mark", "E0277", 'fn main() {\n    let @thing: i32 = "@n".parse()?;\n    println!("{}", @thing);\n}\n'
    ),
    rust(
        "method-lenght", "E0599", 'fn main() {\n    let @thing = vec![@n];\n    println!("{}", @thing.lenght());\n}\n'
    ),
    rust(
        "non-exhaustive",
        "E0004",
        (
            "enum Side {\n    Left,\n    Right,\n}\n\nfn main() {\n    let @thing = Side::Left;\n"
            "    match @thing {\n        Side::Left => {}\n    }\n    let _ = Side::Right;\n}\n"
        ),
    ),
    rust("arguments", "E0061", "fn send(_a: i32, _b: i32) {}\n\nfn main() {\n    send(@n);\n}\n"),
    rust(
        "field-email",
        "E0609",
        (
            "struct @Thing {\n    id: i32,\n}\n\nfn main() {\n    let @thing = @Thing { id: @n };\n"
            '    println!("{} {}", @thing.id, @thing.email);\n}\n'
        ),
    ),
    rust(
        "trait-item-close",
        "E0046",
        "trait Store {\n    fn close(&self);\n}\n\nstruct @Thing;\n\nimpl Store for @Thing {}\n\nfn main() {}\n",
    ),
    rust(
        "crate-serde",
        "E0432",
        "use serde::Serialize;\n\nfn main() {\n    let _: Option<Box<dyn Fn(&dyn std::any::Any)>> = None;\n}\n",
    ),
    rust("type-Money", "E0425", "fn @verb(@thing: Money) {}\n\nfn main() {}\n"),
    rust("private-function", "E0603", "mod inner {\n    fn hidden() {}\n}\n\nfn main() {\n    inner::hidden();\n}\n"),
    rust(
        "",
        "E0373",
        (
            "use std::thread;\n\nfn main() {\n    let @thing = @n;\n"
            '    thread::spawn(|| println!("{}", @thing)).join().unwrap();\n}\n'
        ),
    ),
    rust("syntax-missing-brace", "syntax", "fn main() {\n    let @thing = vec![@n;\n}\n"),
    rust("macro-not-found-logg", "macro", 'fn main() {\n    logg!("@thing {}", @n);\n}\n'),
    cargo(
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
        colour="ghc -fdiagnostics-color=always @file.hs",
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
