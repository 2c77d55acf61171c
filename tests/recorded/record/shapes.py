"""How several kinds of cases are made: a script, a tool with its files, a crate."""

from __future__ import annotations

from tests.recorded.record.case import Case, Files


def script(
    tool: str,
    cause: str,
    family: str,
    body: str,
    *,
    ending: str,
    run: str,
    wrap: tuple[str, str] = ("", ""),
    wraps: tuple[str, ...] = (),
    head: str = "",
    version: str = "",
) -> Case:
    """The fault at the top of a file; in the second take inside a function of another."""
    top, bottom = wrap
    inside = f"{head}@pad\n{top}{body}{bottom}" if top else f"{head}@pad\n{body}"
    return Case(
        tool,
        f"{tool}-{cause}",
        f"{tool}-{family}",
        f"{run} @file.{ending}",
        {f"@file.{ending}": f"{head}@pad\n{body}"},
        f"{run} lib/@dir/@file.{ending}",
        {f"lib/@dir/@file.{ending}": inside},
        wraps=wraps,
        version=version,
    )


def tool(
    toolchain: str,
    cause: str,
    family: str,
    command: str,
    b_command: str = "",
    *,
    files: dict[str, str] | None = None,
    wraps: tuple[str, ...] = (),
    setup: str = "",
    root: str = "",
    version: str = "",
    limit: int = 120,
) -> Case:
    return Case(
        toolchain,
        f"{toolchain}-{cause}",
        f"{toolchain}-{family}",
        command,
        files or {},
        b_command,
        setup=setup,
        wraps=wraps,
        root=root,
        version=version,
        limit=limit,
    )


def rust(cause: str, code: str, source: str, *, wraps: tuple[str, ...] = (), tool: str = "rustc") -> Case:
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
    return cargo(label, f"cargo-{code}", "cargo build", source, wraps=wraps)


def cargo(
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
