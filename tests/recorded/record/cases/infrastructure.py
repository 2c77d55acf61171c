"""Containers, clusters, infrastructure, documents: docker, kubectl, terraform, ansible and others."""

from __future__ import annotations

from tests.recorded.record.case import Case
from tests.recorded.record.shapes import tool

_KUBE = {
    "kubeconfig": (
        "apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: 'http://127.0.0.1:64@m'}}]\n"
        "contexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n"
        "users: [{name: u, user: {}}]\n"
    )
}

_KUBECTL = "kubectl --kubeconfig kubeconfig"


def _terraform(
    cause: str,
    family: str,
    text: str,
    command: str = "terraform validate -no-color",
    b_command: str = "",
    *,
    wraps: tuple[str, ...] = (),
    b_text: str = "",
) -> Case:
    return Case(
        "terraform",
        f"terraform-{cause}",
        f"terraform-{family}",
        command,
        {"main.tf": f"@pad\n{text}"},
        b_command or command.replace(" -no-color", ""),
        {"@dir.tf": f"@pad\n{b_text or text}"},
        setup="terraform init -no-color > /dev/null 2>&1",
        wraps=wraps,
    )


CASES = [
    tool(
        "docker",
        "daemon-not-running",
        "daemon-unreachable",
        "docker ps",
        "docker build -t @thing:@n .",
        files={"Dockerfile": "FROM scratch\n"},
        wraps=("tty", "make", "npm", "ci"),
    ),
    tool("docker", "unknown-command", "unknown-command", "docker biuld .", "docker biuld -t @thing ."),
    tool("docker", "unknown-flag", "unknown-flag", "docker run --rmm @thing", "docker run --rmm -it @other:@n"),
    tool(
        "docker",
        "tcp-daemon-refused",
        "daemon-refused",
        "DOCKER_HOST=tcp://127.0.0.1:60@m docker ps",
        "DOCKER_HOST=tcp://127.0.0.1:61@m docker images @thing",
    ),
    tool(
        "docker",
        "invalid-reference-format",
        "invalid-reference",
        "docker run @Thing:@n:x",
        "docker run --rm @Other::latest",
    ),
    tool(
        "kubectl",
        "connection-refused",
        "connection-refused",
        f"{_KUBECTL} get pods",
        f"{_KUBECTL} apply -f @thing.yaml",
        files={**_KUBE, "@thing.yaml": "kind: Pod\napiVersion: v1\nmetadata: {name: x}\n"},
        wraps=("make", "ci"),
    ),
    tool("kubectl", "no-configuration", "no-configuration", "kubectl get pods", "kubectl -n @thing get deploy @other"),
    tool(
        "kubectl",
        "context-not-found-staging",
        "no-context",
        f"{_KUBECTL} --context staging get pods",
        f"{_KUBECTL} --context=staging -n @thing get svc",
        files=_KUBE,
    ),
    tool("kubectl", "unknown-command", "unknown-command", "kubectl gett pods", "kubectl gett svc/@thing"),
    tool(
        "kubectl",
        "file-not-found-deploy.yaml",
        "file-not-found",
        f"{_KUBECTL} apply -f deploy.yaml",
        f"{_KUBECTL} create -f deploy.yaml",
        files=_KUBE,
    ),
    tool(
        "kubectl",
        "yaml-error",
        "yaml",
        f"{_KUBECTL} apply --dry-run=client -f @thing.yaml",
        files={**_KUBE, "@thing.yaml": "kind: Pod\n  apiVersion: v@n\n"},
    ),
    tool(
        "kubectl",
        "config-unreadable",
        "config",
        "kubectl --kubeconfig @thing.yaml get pods",
        files={"@thing.yaml": "{{ @n\n"},
    ),
    _terraform(
        "undeclared-variable-region",
        "undeclared-variable",
        'output "@thing" {\n  value = var.region\n}\n',
        wraps=("tty", "make", "ci"),
    ),
    _terraform(
        "undeclared-resource-bucket",
        "undeclared-resource",
        'output "@thing" {\n  value = terraform_data.bucket.output\n}\n',
    ),
    _terraform(
        "unsupported-argument-nme", "unsupported-argument", 'resource "terraform_data" "@thing" {\n  nme = @n\n}\n'
    ),
    _terraform("missing-brace", "syntax", 'resource "terraform_data" "@thing" {\n  input = @n\n'),
    _terraform("duplicate-variable-region", "duplicate", 'variable "region" {}\nvariable "region" {}\n'),
    _terraform("function-unknown-uper", "unknown-function", 'output "@thing" {\n  value = uper("@n")\n}\n'),
    _terraform(
        "provider-unavailable",
        "provider-unavailable",
        'terraform {\n  required_providers {\n    shop = { source = "127.0.0.1:41@m/acme/shop" }\n  }\n}\n',
        "terraform init -no-color",
    ),
    _terraform(
        "not-initialised-module",
        "not-initialised",
        'module "@thing" {\n  source = "./modules/@other"\n}\n',
        "terraform plan -no-color",
        "terraform apply -auto-approve",
    ),
    _terraform(
        "required-variable-unset-region",
        "no-value",
        'variable "region" {}\noutput "x" {\n  value = var.region\n}\n',
        "terraform plan -no-color -input=false",
        "terraform apply -input=false -auto-approve",
    ),
    _terraform(
        "invalid-index", "invalid-index", 'output "@thing" {\n  value = [1, 2][@n]\n}\n', "terraform plan -no-color"
    ),
    Case(
        "terraform",
        "terraform-no-configuration-files",
        "terraform-no-configuration",
        "terraform plan -no-color",
        b_command="terraform apply",
    ),
    tool(
        "ansible",
        "playbook-not-found",
        "playbook-not-found",
        "ansible-playbook site.yml",
        "ansible-playbook -i hosts site.yml",
        version="ansible --version",
        files={"hosts": "localhost\n"},
    ),
    tool(
        "ansible",
        "yaml-syntax",
        "yaml-syntax",
        "ansible-playbook @thing.yml",
        "ansible-playbook -i localhost, @thing.yml",
        files={"@thing.yml": "- hosts: localhost\n  tasks:\n   - name: @verb\n    shell: true\n"},
        version="ansible --version",
    ),
    tool(
        "ansible",
        "unknown-module-aptt",
        "unknown-module",
        "ansible-playbook -c local -i localhost, @thing.yml",
        files={
            "@thing.yml": (
                "@pad\n- hosts: all\n  gather_facts: false\n  tasks:\n    - name: @verb @thing\n      aptt: name=x\n"
            )
        },
        version="ansible --version",
    ),
    tool(
        "ansible",
        "command-failed-protocx",
        "task-failed",
        "ansible-playbook -c local -i localhost, @thing.yml",
        files={
            "@thing.yml": (
                "@pad\n- hosts: all\n  gather_facts: false\n  tasks:\n    - name: @verb @thing\n"
                "      ansible.builtin.command: protocx --version\n"
            )
        },
        version="ansible --version",
    ),
    tool(
        "ansible",
        "undefined-variable-region",
        "undefined-variable",
        "ansible-playbook -c local -i localhost, @thing.yml",
        files={
            "@thing.yml": (
                "@pad\n- hosts: all\n  gather_facts: false\n  tasks:\n    - name: @verb @thing\n"
                "      ansible.builtin.debug:\n        msg: '{{ region }}'\n"
            )
        },
        version="ansible --version",
    ),
    tool(
        "ansible",
        "unreachable",
        "unreachable",
        "ansible -i 127.0.0.1:60@m, all -m ping",
        "ansible -i 127.0.0.1:61@m, all -m ping -u @user",
        version="ansible --version",
    ),
    tool(
        "protoc",
        "file-not-found",
        "file-not-found",
        "protoc --python_out=. @thing.proto",
        "protoc -I. --cpp_out=/tmp lib/@other.proto",
    ),
    tool(
        "protoc",
        "undefined-type-Money",
        "undefined-type",
        "protoc --python_out=. @thing.proto",
        files={"@thing.proto": 'syntax = "proto3";\n@pad\nmessage @Thing {\n  Money price = @n;\n}\n'},
    ),
    tool(
        "protoc",
        "import-not-found-common.proto",
        "import-not-found",
        "protoc --python_out=. @thing.proto",
        files={"@thing.proto": 'syntax = "proto3";\n@pad\nimport "common.proto";\n'},
    ),
    tool(
        "protoc",
        "syntax",
        "syntax",
        "protoc --python_out=. @thing.proto",
        files={"@thing.proto": 'syntax = "proto3";\n@pad\nmessage @Thing {\n  int32 price = @n\n}\n'},
    ),
    tool(
        "sphinx",
        "no-conf-py",
        "no-conf",
        "sphinx-build . _build",
        "sphinx-build -b html docs out",
        files={"docs/x": ""},
        version="sphinx-build --version",
    ),
    tool(
        "sphinx",
        "missing-extension-sphinx_tabsx",
        "extension",
        "sphinx-build . _build",
        files={"conf.py": "@pad\nextensions = ['sphinx_tabsx']\n", "index.rst": "@thing\n"},
        version="sphinx-build --version",
    ),
    tool("mkdocs", "no-config", "no-config", "mkdocs build", "mkdocs serve -a 127.0.0.1:80@m"),
    tool(
        "mkdocs",
        "unknown-theme-material",
        "theme",
        "mkdocs build",
        files={"mkdocs.yml": "@pad\nsite_name: @thing\ntheme: material\n", "docs/index.md": "# @thing\n"},
    ),
    tool(
        "xmllint",
        "tag-mismatch",
        "tag-mismatch",
        "xmllint --noout @thing.xml",
        "xmllint @thing.xml",
        files={"@thing.xml": "<@thing>\n  <@other>@n</@thing>\n"},
    ),
    tool("busybox", "applet-not-found", "applet", "busybox gitt", "busybox gitt @thing", version="busybox"),
    tool("systemctl", "no-systemd", "no-systemd", "systemctl restart @thing", "systemctl status @other.service"),
    tool(
        "apt-get",
        "permission-lock",
        "permission",
        "apt-get install @thing",
        "apt-get -y install @other",
        version="apt-get --version",
    ),
    tool("dpkg", "not-installed", "not-installed", "dpkg -s @thing-server", "dpkg -s lib@other@n"),
    tool("mount", "permission", "permission", "mount -t tmpfs none /srv", "mount /dev/sd@n /mnt"),
]
