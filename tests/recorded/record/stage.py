"""Stage: where a take is played.

A private view of the machine, made of Linux namespaces: hosts and users are invented, the folder lies where somebody
would have it, `/opt` holds the tools, `/tmp`, `/root` and `/home` are empty, and the network is the loopback alone. The
command runs as an ordinary user, so that permissions are real. Both of its streams go into one file.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from typing import NamedTuple

from .case import Scene, Take

PATH = (
    "{place}/node_modules/.bin:/opt/venv/{python}/bin:/opt/{toolset}/bin:{newer}/opt/venv/tools/bin:/opt/venv/tools2/bin:"
    "/opt/venv/web/bin:/opt/venv/docs/bin:/opt/node/main/node_modules/.bin:/opt/node/extra/node_modules/.bin:"
    "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:/opt/venv/go/bin"
)

_SEEN = "bin boot dev etc lib lib32 lib64 libx32 opt proc run sbin sys tmp usr var"
"""What the stage shows of the machine's top folders; any other is empty."""
_BLANK = ("/etc/pip.conf", "/etc/npmrc", "/usr/etc/npmrc", "/etc/gitconfig", "/etc/resolv.conf", "/etc/machine-id")

_SCRIPT = """
set -e
mount --make-rprivate /
hostname {host}
ip link set lo up
mount -t tmpfs none {work}/ground
cd {work}/ground
mkdir opt tmp home
for tool in {tools}/*; do mkdir -p opt/$(basename $tool); mount --rbind $tool opt/$(basename $tool); done
mkdir -p opt/python opt/new opt/old
mount --bind {pythons} opt/python
[ -d {rust}/{stable} ] && mount --bind {rust}/{stable} opt/new && mount --bind {rust}/{nightly} opt/old
mkdir case etc && mount --bind {work}/case case && mount --bind {work}/etc etc
for name in passwd group hosts; do mount --bind etc/$name /etc/$name; done
for name in {blank}; do [ ! -e $name ] || mount --bind /dev/null $name; done
for folder in /*/; do case " {seen} " in *" $(basename $folder) "*) ;; *) mount -t tmpfs none $folder ;; esac; done
mount --rbind opt /opt
mkdir -p {place} {home}
mount --bind case {place}
chown {user}:{user} {place} {home} {work}/take
chmod 755 {home}
{modules}
mount -t tmpfs none /var/tmp
mount --rbind {work}/take /mnt
mount -t tmpfs none /tmp && chmod 1777 /tmp /var/tmp
cd {place}
{root}
as_user() {{ timeout -k 5 $1 setpriv --reuid {user} --regid {user} --clear-groups env -i {env} bash -c "$2"; }}
set +e
as_user 60 "$(cat /mnt/setup)" > /mnt/setup.out 2>&1 < /dev/null
as_user {limit} "$(cat /mnt/command)" > /mnt/out 2>&1 < /dev/null
echo $? > /mnt/exit
[ ! -s /mnt/version ] || as_user 60 "$(cat /mnt/version)" > /mnt/version.out 2>&1 < /dev/null
exit 0
"""


class Machine(NamedTuple):
    """Where the tools lie on the machine that records."""

    tools: str
    pythons: str
    rust: str


class Played(NamedTuple):
    text: str
    exit_code: int
    version: str
    setup: str


def play(take: Take, machine: Machine, version: str = "") -> Played:
    """Run a take and return what an agent would have seen."""
    with tempfile.TemporaryDirectory(prefix="stage-") as work:
        for folder in ("ground", "case", "take", "etc"):
            os.mkdir(os.path.join(work, folder))
        _write(os.path.join(work, "case"), take.files, 1000)
        _write(os.path.join(work, "take"), {"setup": take.setup, "command": take.command, "version": version}, 0)
        _write(os.path.join(work, "etc"), _etc(take.scene), 0)
        os.chmod(work, 0o755)
        script = _script(take, machine, work)
        namespaces = [
            "unshare",
            "--mount",
            "--uts",
            "--net",
            "--ipc",
            "--pid",
            "--fork",
            "--mount-proc",
            "--kill-child",
        ]
        done = subprocess.run([*namespaces, "bash", "-c", script], capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{take.case.cause}: {done.stderr}")
        return Played(
            _read(work, "out"), int(_read(work, "exit") or 1), _read(work, "version.out"), _read(work, "setup.out")
        )


def _script(take: Take, machine: Machine, work: str) -> str:
    scene = take.scene
    modules = take.case.modules
    mount = (
        f"mkdir -p {scene.place}/node_modules && mount --bind /opt/node/{modules}/node_modules "
        f"{scene.place}/node_modules"
    )
    return _SCRIPT.format(
        host=scene.host,
        work=work,
        tools=machine.tools,
        pythons=machine.pythons,
        rust=machine.rust,
        stable="stable-x86_64-unknown-linux-gnu",
        nightly="nightly-x86_64-unknown-linux-gnu",
        blank=" ".join(_BLANK),
        seen=_SEEN,
        place=shlex.quote(scene.place),
        home=f"/home/{scene.user}",
        user="1000",
        modules=mount if modules else "",
        root=take.case.root,
        env=" ".join(shlex.quote(f"{name}={value}") for name, value in _environment(take).items()),
        limit=take.case.limit,
    )


def _environment(take: Take) -> dict[str, str]:
    scene = take.scene
    home = f"/home/{scene.user}"
    newer = "/opt/venv/go/bin:" if scene.user == "runner" else ""
    return {
        "HOME": home,
        "USER": scene.user,
        "LOGNAME": scene.user,
        "SHELL": "/bin/bash",
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "PATH": PATH.format(place=scene.place, python=scene.python, toolset=scene.toolset, newer=newer),
        "LD_LIBRARY_PATH": ":".join(
            f"/opt/python/{number}/lib" for number in ("3.11.7", "3.12.1", "3.13.0", "3.8.18", "3.9.18", "2.7.18")
        ),
        "GOTOOLCHAIN": "local",
        "GOFLAGS": "-buildvcs=false",
        "GOCACHE": "/opt/cache/go",
        "GOPROXY": "off",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "NO_UPDATE_NOTIFIER": "1",
        "CHECKPOINT_DISABLE": "1",
        "GIT_AUTHOR_DATE": "2026-03-02T09:00:00Z",
        "GIT_COMMITTER_DATE": "2026-03-02T09:00:00Z",
        **take.case.env,
    }


def _etc(scene: Scene) -> dict[str, str]:
    return {
        "passwd": (
            "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"
            "sshd:x:101:65534::/run/sshd:/usr/sbin/nologin\n"
            f"{scene.user}:x:1000:1000::/home/{scene.user}:/bin/bash\n"
        ),
        "group": f"root:x:0:\nnogroup:x:65534:\n{scene.user}:x:1000:\n",
        "hosts": f"127.0.0.1 localhost {scene.host}\n",
    }


def _write(folder: str, files: object, owner: int) -> None:
    assert isinstance(files, dict)
    for name, text in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(text.encode("utf-8", "surrogateescape"))
        if name.endswith(".sh"):
            os.chmod(path, 0o755)
    if owner:
        for root, _, names in os.walk(folder):
            for name in (root, *(os.path.join(root, name) for name in names)):
                os.chown(name, owner, owner)


def _read(work: str, name: str) -> str:
    path = os.path.join(work, "take", name)
    if not os.path.exists(path):
        return ""
    with open(path, "rb") as file:
        return file.read(4 * 1024 * 1024).decode("utf-8", "replace")
