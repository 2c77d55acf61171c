"""C#, by mono."""

from __future__ import annotations

from tests.recorded.record.case import Case, Files


def _cs(cause: str, code: str, body: str, *, wraps: tuple[str, ...] = ()) -> Case:
    text = f"using System;\n@pad\nclass @Thing {{\n{body}}}\n"
    return Case(
        "mcs",
        f"mcs-{code}-{cause}",
        f"mcs-{code}",
        "mcs -target:library @Thing.cs",
        {"@Thing.cs": text},
        "mcs -target:library -out:/tmp/@thing.dll src/@Thing.cs",
        {"src/@Thing.cs": f"namespace @Dir {{\n{text.replace('using System;', '')}}}\n"},
        wraps=wraps,
    )


def _mono(cause: str, family: str, body: str, *, wraps: tuple[str, ...] = ()) -> Case:
    text = (
        f"using System;\n@pad\nclass @Thing {{\n  static void @Verb() {{\n{body}  }}\n\n"
        f"  static void Main() {{\n    @Verb();\n  }}\n}}\n"
    )
    files: Files = {"@Thing.cs": text}
    return Case(
        "mono",
        f"mono-{cause}",
        f"mono-{family}",
        "mono @Thing.exe",
        files,
        "mono --debug @Thing.exe",
        setup="mcs -debug @Thing.cs",
        wraps=wraps,
    )


CASES = [
    _cs("Money", "CS0246", "  Money @thing;\n", wraps=("make",)),
    _cs("total", "CS0103", "  int @Verb() {\n    return total + @n;\n  }\n", wraps=("ci",)),
    _cs("int-from-string", "CS0029", '  int @thing = "@other";\n'),
    _cs("semicolon", "CS1525", "  int @Verb() {\n    return @n\n  }\n"),
    _cs("Email", "CS1061", "  int @Verb() {\n    return this.Email;\n  }\n"),
    _cs("missing-return", "CS0161", "  int @Verb() {\n  }\n"),
    _mono(
        "null-reference",
        "NullReferenceException",
        "    string @thing = null;\n    Console.WriteLine(@thing.Length);\n",
        wraps=("make", "ci"),
    ),
    _mono("format-int-parse", "FormatException", '    int.Parse("@thing");\n'),
    _mono("index-out-of-range", "IndexOutOfRangeException", "    var @thing = new int[1];\n    @thing[@n] = 1;\n"),
    _mono(
        "key-not-found",
        "KeyNotFoundException",
        (
            "    var @thing = new System.Collections.Generic.Dictionary<string, int>();\n"
            '    Console.WriteLine(@thing["currency"]);\n'
        ),
    ),
    _mono(
        "inner-exception-timeout",
        "inner-exception",
        (
            '    try {\n      throw new TimeoutException("no answer");\n    } catch (Exception e) {\n'
            '      throw new InvalidOperationException("could not @verb", e);\n    }\n'
        ),
    ),
]
