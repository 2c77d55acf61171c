"""Containers, clusters, clouds, and what provisions them."""

from __future__ import annotations

from engrain.fingerprint.rows import lines_like, pattern_of, row, scan, table
from engrain.model import SECOND, WRAPPER, diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from engrain.model import Diagnostic

ROWS = table(
    # Docker, Podman, Compose
    row("docker", "connect to the Docker daemon", r"[Cc]annot connect to the Docker daemon", "no daemon", says=""),
    row(
        "docker",
        "permission denied while trying to connect to the Docker",
        r"permission denied while trying to connect to the [Dd]ocker",
        "permission denied",
        says="",
    ),
    row("docker", "pull access denied", r"pull access denied for (?P<image>[\w./-]+)", "no such image", says=""),
    row("docker", "manifest", r"manifest (?:for (?P<image>[\w./-]+)\S* not found|unknown)", "no such image", says=""),
    row("docker", "port is already allocated", r"(?P<message>port is already allocated)", "port in use", says=""),
    row(
        "docker",
        "address already in use",
        r"(?:docker|bind|driver failed).*(?P<message>address already in use)",
        "port in use",
        says="",
    ),
    row(
        "docker",
        "is already in use by container",
        r"(?P<message>is already in use by container)",
        "name in use",
        says="",
    ),
    row("docker", "No such container", r"No such container: ?(?P<_container>\S+)?", "no such container", says=""),
    row(
        "docker",
        "executable file not found in $PATH",
        r"exec: \"(?P<command>[^\"]+)\": executable file not found in \$PATH",
        "no such command",
        says="",
    ),
    row(
        "docker",
        "did not complete successfully",
        r"process \".*?\" did not complete successfully: exit code: \d+",
        "RUN failed",
        WRAPPER,
        says="",
    ),
    row(
        "docker",
        "returned a non-zero code",
        r"The command '.*' returned a non-zero code",
        "RUN failed",
        WRAPPER,
        says="",
    ),
    row("docker", "failed to read dockerfile", r"(?P<message>failed to read dockerfile)", "no Dockerfile", says=""),
    row("docker", "unable to prepare context", r"unable to prepare context: (?P<message>.*)", "context"),
    row(
        "docker",
        '": not found',
        r"failed to (?:compute cache key|calculate checksum).*\"(?P<_path>[^\"]+)\": not found",
        "COPY source not found",
        says="",
    ),
    row("docker", "COPY failed", r"COPY failed: (?P<message>.*)", "COPY source not found", says=""),
    row(
        "docker", "unknown instruction: ", r"unknown instruction: (?P<instruction>\S+)", "unknown instruction", says=""
    ),
    row(
        "docker",
        "no configuration file provided",
        r"(?P<message>no configuration file provided)",
        "no compose file",
        says="",
    ),
    row("docker", "no such service", r"no such service: (?P<service>\S+)", "no such service", says=""),
    row(
        "docker",
        "is not a docker command",
        r"docker: '(?P<command>[^']+)' is not a docker command",
        "no such command",
        says="",
    ),
    row(
        "docker",
        "unknown command: docker",
        r"unknown command: docker (?P<command>[\w-]+)",
        "no such command",
        says="",
    ),
    row("docker", "Error response from daemon", r"Error response from daemon: (?P<message>.*)", "daemon"),
    row("docker", "failed to solve", r"failed to solve: (?P<message>.*)", "failed to solve", SECOND),
    row(
        "podman",
        "Error: ",
        r"^Error: (?P<message>(?:initializing source|short-name|no container|unable to copy|creating "
        r"container|statfs).*)",
    ),
    # Kubernetes
    row("kubectl", "Error from server", r"Error from server \((?P<code>\w+)\): (?P<message>.*)"),
    row(
        "kubectl",
        "The connection to the server",
        r"The connection to the server .* was refused",
        "connection refused",
        says="",
    ),
    row(
        "kubectl",
        "couldn't get current server API group list",
        r"(?P<message>couldn't get current server API group list).*",
        "connection refused",
        SECOND,
        says="",
    ),
    row(
        "kubectl",
        " to connect to the server",
        r"[Uu]nable to connect to the server: (?P<message>.*)",
        "unable to connect",
    ),
    row(
        "kubectl",
        "doesn't have a resource type",
        r"doesn't have a resource type \"(?P<resource>[^\"]+)\"",
        "no such resource type",
        says="",
    ),
    row("kubectl", "no context exists", r"no context exists with the name", "no such context", says=""),
    row("kubectl", "no matches for kind", r"no matches for kind \"(?P<kind>\w+)\"", "no such kind", says=""),
    row("kubectl", "error validating", r"error validating .*?: (?P<message>error validating data: .*)", "validation"),
    row("kubectl", " error parsing ", r"error: (?P<message>error parsing .*)", "parsing"),
    row(
        "kubectl",
        ' unknown command "',
        r"error: unknown command \"(?P<command>[^\"]+)\" for \"kubectl",
        "unknown command",
        says="",
    ),
    row("kubectl", "CrashLoopBackOff", r"(?P<code>CrashLoopBackOff)", rank=SECOND),
    row("kubectl", "ErrImagePull", r"(?P<code>ErrImagePull)"),
    row("kubectl", "ImagePullBackOff", r"(?P<code>ImagePullBackOff)"),
    row("kubectl", "OOMKilled", r"(?P<code>OOMKilled)"),
    row("helm", " INSTALLATION FAILED: ", r"Error: INSTALLATION FAILED: (?P<message>.*)", "installation failed"),
    row("helm", "UPGRADE FAILED", r"Error: UPGRADE FAILED: (?P<message>.*)", "upgrade failed"),
    row("helm", "repo ", r"Error: repo (?P<repo>\S+) not found", "no such repo", says=""),
    # Ansible, clouds, systemd
    row(
        "ansible",
        "fatal: [",
        r"^fatal: \[[^\]]+\]: (?P<code>FAILED|UNREACHABLE)! => .*?\"msg\": \"(?P<message>(?:[^\"\\]|\\.)*)",
    ),
    row("ansible", "ERROR! ", r"^ERROR! (?P<message>.*)"),
    row(
        "aws",
        "An error occurred (",
        r"An error occurred \((?P<code>\w+)\) when calling the (?P<operation>\w+) operation(?:.*?)?: (?P<message>.*)",
    ),
    row("aws", "Unable to locate credentials", r"(?P<message>Unable to locate credentials)", "no credentials", says=""),
    row(
        "aws",
        "The config profile",
        r"(?P<message>The config profile \(.*\) could not be found)",
        "no such profile",
        says="",
    ),
    row(
        "aws",
        "argument operation: Invalid choice",
        r"(?P<message>argument (?:operation|command): Invalid choice)",
        "usage",
        says="",
    ),
    row("aws", "You must specify a region", r"(?P<message>You must specify a region)", "no region", says=""),
    row("gcloud", "ERROR: (gcloud", r"^ERROR: \(gcloud(?P<command>[\w.-]*)\) (?:(?P<type>[A-Z_]+): )?(?P<message>.*)"),
    row("az", "az login", r"(?P<message>Please run 'az login')", "not logged in", says=""),
    row(
        "systemd",
        "Failed to ",
        r"^Failed to (?P<verb>start|restart|stop|enable|reload|get|connect) (?P<unit>\S+): (?P<message>.*)",
    ),
    row("systemd", "Job for ", r"^Job for (?P<unit>\S+) failed(?P<message>.*)", "job failed"),
    row(
        "systemd",
        "System has not been booted with systemd",
        r"(?P<message>System has not been booted with systemd)",
        "no systemd",
        says="",
    ),
    row("service", "unrecognized service", r"^(?P<service>\S+): unrecognized service", "unrecognized service", says=""),
    row(
        "vagrant",
        "Vagrant",
        r"(?P<message>A Vagrant environment or target machine is required)",
        "no environment",
        says="",
    ),
    row(
        "terraform",
        "Terraform has no command named",
        r"^Terraform has no command named \"(?P<command>[^\"]+)\"",
        "unknown command",
        says="",
    ),
    row("pulumi", "error: ", r"^error: (?P<message>.*[Pp]ulumi.*)"),
)

_FLAG = (
    r"\n(?:Error: |error: )?unknown (?:shorthand )?flag: '?(?P<flag>-{0,2}[\w-]+)'?(?: in -\w+)?\n+"
    r"(?:See|Run) '(?P<tool>[\w-]+)[^'\n]* --help'"
)
"""Cobra's tools do not name themselves but in what they advise."""

_TERRAFORM = r"(?m)^[│|]? ?Error: (?P<message>.*)$"


def find(text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of operations."""
    yield from scan(ROWS, text, words)
    if "unknown " in text and " flag: " in text:
        for match in lines_like(_FLAG, text):
            option = (("option", match["flag"]),)
            yield diagnostic(match["tool"], "unknown option", "", option, at=match.start(), settled=True)
    if "erraform" in text or "│ Error: " in text or "╷" in text or "OpenTofu" in text or ".tf line" in text:
        yield from _terraform(text)


def _terraform(text: str) -> Iterator[Diagnostic]:
    """Terraform's title, and the names in the paragraph below the place."""
    for match in pattern_of(_TERRAFORM).finditer(text):
        body = pattern_of(r"(?m)^[│|] ?").sub("", text[match.end() : match.end() + 1500]).split("╵")[0]
        place = pattern_of(r"on (?P<file>\S+) line \d+").search(body)
        yield diagnostic(
            "terraform", match["message"].strip(), _said(body), file=place["file"] if place else "", at=match.start()
        )


def _said(body: str) -> str:
    paragraphs = [
        p
        for p in pattern_of(r"\n\s*\n").split(body)
        if p.strip() and not pattern_of(r"\s*on \S+ line \d+|\s*with ").match(p)
    ]
    words = " ".join(paragraphs[0].split()) if paragraphs else ""
    return pattern_of(r"(?<=[a-z\")])\. ").split(words)[0]
