"""Rust: rustc, cargo, clippy, rustfmt, and programs that panic."""

from __future__ import annotations

from tests.recorded.record.shapes import cargo, rust

CASES = [
    rust(
        "mismatch-i32-str",
        "E0308",
        'fn main() {\n    let @thing: i32 = "@other";\n    println!("{}", @thing);\n}\n',
        tool="cargo",
        wraps=("make", "ci", "just"),
    ),
    rust(
        "crate-serde",
        "E0432",
        "use serde::Serialize;\n\nfn main() {\n    let _: Option<Box<dyn Fn(&dyn std::any::Any)>> = None;\n}\n",
        tool="cargo",
        wraps=("colour",),
    ),
    rust(
        "with-warnings-total",
        "E0425",
        'use std::fmt;\n\nfn main() {\n    let unused = @m;\n    println!("{}", total + @n);\n}\n',
        tool="cargo",
    ),
    cargo("cargo-no-manifest", "cargo-no-manifest", "cargo build", "")._replace(
        files={}, b_files={"src/@file.rs": ""}, b_command="cargo test --offline"
    ),
    cargo("cargo-manifest-syntax", "cargo-manifest-syntax", "cargo build", "fn main() {}\n", toml="[dependencies\n"),
    cargo(
        "cargo-offline-missing-serde",
        "cargo-no-matching-package",
        "cargo build --offline",
        "fn main() {}\n",
        toml='[dependencies]\nserde = "1"\n',
        wraps=("make",),
    ),
    cargo(
        "cargo-path-dependency-missing-core",
        "cargo-path-dependency",
        "cargo build",
        "fn main() {}\n",
        toml='[dependencies]\ncore-lib = { path = "../core-lib" }\n',
    ),
    cargo("cargo-index-unreachable", "cargo-index-unreachable", "cargo fetch", "")._replace(
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
    cargo("cargo-unknown-command-lint", "cargo-unknown-command", "cargo lintx", "")._replace(
        files={}, b_command="cargo lintx --all"
    ),
    cargo("cargo-unknown-feature-fast", "cargo-unknown-feature", "cargo build --features fast", "fn main() {}\n"),
    cargo("cargo-no-bin-target-server", "cargo-no-bin-target", "cargo run --bin server", "fn main() {}\n"),
    cargo("cargo-lock-needs-update", "cargo-lock", "cargo build --locked", "fn main() {}\n"),
    cargo(
        "cargo-test-failed-adds_prices",
        "cargo-test-failed",
        "cargo test",
        "fn main() {}\n\n#[test]\nfn adds_prices() {\n    assert_eq!(@n + 1, @m);\n}\n",
        wraps=("make", "ci"),
    ),
    cargo(
        "cargo-test-failed-refunds",
        "cargo-test-failed",
        "cargo test",
        "fn main() {}\n\n#[test]\nfn refunds() {\n    assert_eq!(@n + 1, @m);\n}\n",
    ),
    cargo(
        "cargo-run-panic-unwrap-none",
        "cargo-run-panic",
        "cargo run -q",
        'fn main() {\n    let @thing: Option<i32> = None;\n    println!("{}", @thing.unwrap());\n}\n',
    ),
    cargo(
        "clippy-needless_return",
        "clippy-needless_return",
        "cargo clippy -- -D warnings",
        "pub fn @verb() -> i32 {\n    return @n;\n}\n\nfn main() {\n    @verb();\n}\n",
        toolchain="clippy",
        wraps=("make",),
    ),
    cargo(
        "clippy-len_zero",
        "clippy-len_zero",
        "cargo clippy -- -D warnings",
        "fn main() {\n    let @thing = vec![@n];\n    if @thing.len() == 0 {\n        println!();\n    }\n}\n",
        toolchain="clippy",
    ),
    cargo(
        "clippy-unused_variables-total",
        "clippy-unused_variables",
        "cargo clippy -- -D warnings",
        "fn main() {\n    let total = @n;\n}\n",
        toolchain="clippy",
    ),
]
