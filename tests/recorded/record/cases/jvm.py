"""Java and what runs beside it: javac, stack traces, kotlinc, scalac, groovy, clojure; maven and gradle."""

from __future__ import annotations

from tests.recorded.record.case import Case


def _javac(cause: str, family: str, body: str, *, head: str = "", wraps: tuple[str, ...] = ()) -> Case:
    text = f"{head}@pad\npublic class @Thing {{\n{body}}}\n"
    return Case(
        "javac",
        f"javac-{cause}",
        f"javac-{family}",
        "javac @Thing.java",
        {"@Thing.java": text},
        "javac -d out src/@dir/@Thing.java",
        {"src/@dir/@Thing.java": f"package @dir;\n\n{text}"},
        wraps=wraps,
        version="javac -version",
    )


def _java(
    cause: str, family: str, body: str, *, more: str = "", wraps: tuple[str, ...] = (), options: str = ""
) -> Case:
    """A program that ends in a stack trace; in the second take deeper and in a package."""
    files = {
        "@Thing.java": (
            f"@pad\npublic class @Thing {{\n{more}  public static void main(String[] args) throws Exception {{\n"
            f"{body}  }}\n}}\n"
        )
    }
    b_files = {
        "@dir/@Thing.java": (
            f"package @dir;\n\n@pad\npublic class @Thing {{\n"
            f"{more}  static void @verb(String[] args) throws Exception {{\n{body}  }}\n\n"
            f"  public static void main(String[] args) throws Exception {{\n    @verb(args);\n  }}\n}}\n"
        )
    }
    return Case(
        "java",
        f"java-{cause}",
        f"java-{family}",
        f"java {options} @Thing".replace("  ", " "),
        files,
        f"java {options} -cp . @dir.@Thing".replace("  ", " "),
        b_files,
        setup="javac -nowarn $(find . -name '*.java')",
        wraps=wraps,
        version="java -version",
    )


_POM = (
    "<project>\n  <modelVersion>4.0.0</modelVersion>\n  <groupId>com.example</groupId>\n"
    "  <artifactId>@thing</artifactId>\n  <version>1.@n</version>\n{}</project>\n"
)

_DEPENDENCY = (
    "  <dependencies>\n    <dependency>\n      <groupId>com.example</groupId>\n"
    "      <artifactId>payments</artifactId>\n      <version>2.0</version>\n    </dependency>\n"
    "  </dependencies>\n"
)

CASES = [
    _javac("cannot-find-symbol-class-Money", "cannot-find-symbol", "  Money @thing;\n", wraps=("make", "ci")),
    _javac(
        "cannot-find-symbol-variable-total",
        "cannot-find-symbol",
        "  int @verb() {\n    return total + @n;\n  }\n",
        wraps=("make",),
    ),
    _javac("cannot-find-symbol-method-parse", "cannot-find-symbol", "  int @verb() {\n    return parse(@n);\n  }\n"),
    _javac("incompatible-types-string-int", "incompatible-types", '  int @thing = "@other";\n'),
    _javac("missing-semicolon", "syntax", "  int @thing = @n\n"),
    _javac("reached-end-of-file", "syntax", "  int @verb() {\n    return @n;\n"),
    _javac(
        "package-does-not-exist-gson",
        "package-does-not-exist",
        "  Gson @thing;\n",
        head="import com.google.gson.Gson;\n",
    ),
    _javac(
        "package-does-not-exist-junit",
        "package-does-not-exist",
        "  @Test\n  void @verb() {}\n".replace("@Test", "org.junit.Assert a;").replace("\n  void @verb() {}", ""),
        head="import org.junit.Test;\n",
    ),
    _javac("missing-return", "missing-return", "  int @verb() {\n  }\n"),
    _javac(
        "unreported-exception-IOException",
        "unreported-exception",
        '  void @verb() {\n    new java.io.FileReader("@thing");\n  }\n',
    ),
    _javac("uninitialized-total", "uninitialized", "  int @verb() {\n    int total;\n    return total;\n  }\n"),
    _javac("already-defined-total", "already-defined", "  int total = @n;\n  int total = @m;\n"),
    _javac("not-abstract-close", "not-abstract", "  class Inner implements java.io.Closeable {}\n"),
    _javac(
        "final-reassigned-limit",
        "final-reassigned",
        "  void @verb() {\n    final int limit = @n;\n    limit = @m;\n  }\n",
    ),
    _javac(
        "static-reference-to-instance-count",
        "static-reference",
        "  int count = @n;\n\n  static int @verb() {\n    return count;\n  }\n",
    ),
    _javac("unreachable-statement", "unreachable", "  int @verb() {\n    return @n;\n    int x = 1;\n  }\n"),
    Case(
        "javac",
        "javac-file-not-found",
        "javac-file-not-found",
        "javac @Thing.java",
        b_command="javac -d out src/@Thing.java",
        version="javac -version",
    ),
    Case(
        "javac",
        "javac-public-class-in-wrong-file",
        "javac-class-name",
        "javac @file.java",
        {"@file.java": "@pad\npublic class @Thing {}\n"},
        version="javac -version",
    ),
    _java(
        "npe-length",
        "NullPointerException",
        "    String @thing = null;\n    @thing.length();\n",
        wraps=("make", "ci"),
    ),
    _java("array-index", "ArrayIndexOutOfBoundsException", "    int[] @thing = new int[1];\n    @thing[@n] = 1;\n"),
    _java("number-format", "NumberFormatException", '    Integer.parseInt("@thing");\n', wraps=("make",)),
    _java(
        "class-cast-string-integer",
        "ClassCastException",
        '    Object @thing = "@other";\n    System.out.println((Integer) @thing);\n',
    ),
    _java("arithmetic-by-zero", "ArithmeticException", "    System.out.println(@n / args.length);\n"),
    _java(
        "own-state-queue-closed", "IllegalStateException", '    throw new IllegalStateException("queue is closed");\n'
    ),
    _java(
        "caused-by-npe-length",
        "caused-by",
        (
            "    try {\n      String @thing = null;\n      @thing.length();\n"
            "    } catch (RuntimeException e) {\n"
            '      throw new RuntimeException("could not @verb @thing", e);\n    }\n'
        ),
        wraps=("ci",),
    ),
    _java(
        "caused-by-number-format",
        "caused-by",
        (
            '    try {\n      Integer.parseInt("@thing");\n    } catch (RuntimeException e) {\n'
            '      throw new RuntimeException("could not @verb @thing", e);\n    }\n'
        ),
    ),
    _java(
        "caused-by-file-not-found-config",
        "caused-by",
        (
            '    try {\n      new java.io.FileReader("config.yml");\n    } catch (java.io.IOException e) {\n'
            '      throw new RuntimeException("could not @verb @thing", e);\n    }\n'
        ),
    ),
    _java("file-not-found-settings", "FileNotFoundException", '    new java.io.FileReader("settings.xml");\n'),
    _java("connect-refused", "ConnectException", '    new java.net.Socket("127.0.0.1", 60@m);\n'),
    _java("unknown-host", "UnknownHostException", '    new java.net.Socket("@thing.example.com", 443);\n'),
    _java(
        "concurrent-modification",
        "ConcurrentModificationException",
        (
            "    java.util.List<Integer> @thing = new java.util.ArrayList<>(java.util.List.of(@n, 2, 3));\n"
            "    for (Integer i : @thing) @thing.remove(i);\n"
        ),
    ),
    _java("unsupported-immutable-list", "UnsupportedOperationException", "    java.util.List.of(@n).add(@m);\n"),
    _java("no-such-element-optional", "NoSuchElementException", "    java.util.Optional.empty().get();\n"),
    _java(
        "stack-overflow",
        "StackOverflowError",
        "    walk(@n);\n",
        more="  static int walk(int @thing) {\n    return walk(@thing + 1) + 1;\n  }\n\n",
    ),
    _java(
        "out-of-memory-heap",
        "OutOfMemoryError",
        "    long[] @thing = new long[@n0000000];\n".replace("@n0000000", "900000000"),
        options="-Xmx32m",
    ),
    _java("class-not-found-driver", "ClassNotFoundException", '    Class.forName("org.postgresql.Driver");\n'),
    _java(
        "suppressed-close",
        "IllegalStateException",
        (
            '    try (AutoCloseable c = () -> { throw new IllegalArgumentException("close failed"); }) {\n'
            '      throw new IllegalStateException("body failed");\n    }\n'
        ),
    ),
    Case(
        "java",
        "java-main-class-not-found",
        "java-main-class",
        "java @Thing",
        b_command="java -cp . com.example.@Thing",
        version="java -version",
        wraps=("make",),
    ),
    Case(
        "java",
        "java-jar-not-found",
        "java-jar-not-found",
        "java -jar @thing.jar",
        b_command="java -Xmx64m -jar target/@thing-1.@n.jar",
        version="java -version",
    ),
    Case(
        "java",
        "java-class-version",
        "java-class-version",
        "java @Thing",
        {"@Thing.java": "@pad\npublic class @Thing {\n  public static void main(String[] args) {}\n}\n"},
        setup=(
            "javac @Thing.java && printf '\\x00\\x00\\x00\\x45' | dd of=@Thing.class bs=1 seek=4 conv=notrunc "
            "status=none"
        ),
        version="java -version",
    ),
    Case(
        "maven",
        "maven-no-pom",
        "maven-no-pom",
        "mvn -q package",
        b_command="mvn -B test",
        wraps=("make",),
    ),
    Case(
        "maven",
        "maven-offline-missing-plugin",
        "maven-plugin-unresolved",
        "mvn -q -o package",
        {"pom.xml": _POM.format("")},
        "mvn -B -o verify",
    ),
    Case(
        "maven",
        "maven-malformed-pom",
        "maven-malformed-pom",
        "mvn -q package",
        {"pom.xml": _POM.format("  <dependencies>\n")},
        "mvn -B test",
    ),
    Case(
        "maven",
        "maven-missing-version-of-dependency-payments",
        "maven-invalid-pom",
        "mvn -q package",
        {"pom.xml": _POM.format(_DEPENDENCY.replace("      <version>2.0</version>\n", ""))},
        "mvn -B test",
    ),
    Case(
        "maven",
        "maven-unknown-goal-phase",
        "maven-unknown-phase",
        "mvn -q pakage",
        {"pom.xml": _POM.format("")},
        "mvn -B pakage",
    ),
    Case(
        "maven",
        "maven-missing-parent-platform",
        "maven-parent-unresolved",
        "mvn -q -o package",
        {
            "pom.xml": _POM.format(
                "  <parent>\n    <groupId>com.example</groupId>\n    <artifactId>platform</artifactId>\n"
                "    <version>7</version>\n  </parent>\n"
            )
        },
        "mvn -B -o test",
    ),
    Case(
        "gradle",
        "gradle-unknown-task-deploy",
        "gradle-unknown-task",
        "gradle --offline deploy",
        {"build.gradle": "@pad\ntask build {}\n", "settings.gradle": "rootProject.name = '@thing'\n"},
        "gradle -q --offline deploy",
        limit=200,
    ),
    Case(
        "gradle",
        "gradle-build-script-syntax",
        "gradle-script-compile",
        "gradle --offline build",
        {"build.gradle": "@pad\ntask build {\n", "settings.gradle": "rootProject.name = '@thing'\n"},
        limit=200,
    ),
    Case(
        "gradle",
        "gradle-unknown-property-releaseVersion",
        "gradle-unknown-property",
        "gradle --offline build",
        {
            "build.gradle": "@pad\nversion = releaseVersion\ntask build {}\n",
            "settings.gradle": "rootProject.name = '@thing'\n",
        },
        limit=200,
    ),
    Case(
        "kotlinc",
        "kotlinc-unresolved-reference-total",
        "kotlinc-unresolved-reference",
        "kotlinc @file.kt -d out",
        {"@file.kt": "@pad\nfun @verb() = total + @n\n"},
        version="kotlinc -version",
        limit=200,
    ),
    Case(
        "kotlinc",
        "kotlinc-type-mismatch-int-string",
        "kotlinc-type-mismatch",
        "kotlinc @file.kt -d out",
        {"@file.kt": '@pad\nval @thing: Int = "@other"\n'},
        version="kotlinc -version",
        limit=200,
    ),
    Case(
        "kotlinc",
        "kotlinc-null-for-nonnull",
        "kotlinc-null",
        "kotlinc @file.kt -d out",
        {"@file.kt": "@pad\nval @thing: String = null\n"},
        version="kotlinc -version",
        limit=200,
    ),
    Case(
        "scalac",
        "scalac-not-found-value-total",
        "scalac-not-found",
        "scalac @file.scala",
        {"@file.scala": "@pad\nobject @Thing { val @other = total + @n }\n"},
        version="scalac -version",
        limit=200,
    ),
    Case(
        "scalac",
        "scalac-type-mismatch-int-string",
        "scalac-type-mismatch",
        "scalac @file.scala",
        {"@file.scala": '@pad\nobject @Thing { val @other: Int = "@verb" }\n'},
        version="scalac -version",
        limit=200,
    ),
    Case(
        "groovy",
        "groovy-missing-property-total",
        "groovy-missing-property",
        "groovy @file.groovy",
        {"@file.groovy": "@pad\nprintln total + @n\n"},
        limit=200,
    ),
    Case(
        "clojure",
        "clojure-unresolved-symbol-total",
        "clojure-unresolved-symbol",
        "clojure @file.clj",
        {"@file.clj": "@pad\n(println (+ total @n))\n"},
        version="",
        limit=200,
    ),
]
