"""Settings: each value and where it comes from; a wrong one is one line that names its source."""

from __future__ import annotations

import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engrain import config
from engrain.config import SETTINGS
from engrain.errors import BadConfig
from engrain.paths import Home, locate


def written(home: Home, text: str) -> Home:
    with open(home.config, "w", encoding="utf-8") as file:
        file.write(text)
    return home


def test_the_environment_goes_before_the_file_and_the_file_before_the_default(home: Home) -> None:
    assert config.load(home, {}).get("tick.seconds").source == "default"
    written(home, "[tick]\nseconds = 5\n")
    assert config.load(home, {}).get("tick.seconds") == ("tick.seconds", 5.0, home.config)
    assert config.load(home, {"ENGRAIN_TICK_SECONDS": "7"}).get("tick.seconds").source == "ENGRAIN_TICK_SECONDS"
    assert config.load(home, {"ENGRAIN_TICK_SECONDS": ""}).number("tick.seconds") == 5.0


WRONG = [
    ("no TOML", "[tick", "config.toml"),
    ("an unknown name", "colour = 1", "unknown setting 'colour'"),
    ("text for a number", '[tick]\nseconds = "soon"', "must be a number"),
    ("a negative number", "[tick]\nseconds = -1", "from 0"),
    ("nan", "[tick]\nseconds = nan", "from 0"),
    ("a list", "store = []", "must be text"),
    ("a float for a whole number", "[disk]\nreserve_mb = 1.5", "whole number"),
]


@pytest.mark.parametrize(("text", "why"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_a_wrong_file_is_named(home: Home, text: str, why: str) -> None:
    with pytest.raises(BadConfig, match=why):
        config.load(written(home, text), {})


def test_a_wrong_variable_is_named(home: Home) -> None:
    with pytest.raises(BadConfig, match="ENGRAIN_TICK_SECONDS"):
        config.load(home, {"ENGRAIN_TICK_SECONDS": "soon"})


def test_setting_a_value_leaves_the_other_lines_alone(home: Home) -> None:
    written(home, "# mine\nstore = '/a' # here\n\n[tick]\n# slow machine\nseconds = 9\n\n[disk]\nreserve_mb = 1\n")
    config.store(home, "tick.seconds", "3")
    config.store(home, "backup.folder", '/b "c"')
    config.store(home, "disk.reserve_mb", None)
    with open(home.config, encoding="utf-8") as file:
        text = file.read()
    assert text.startswith("# mine\nstore = '/a' # here\n\n[tick]\n# slow machine\nseconds = 3.0\n")
    loaded = config.load(home, {})
    assert loaded.text("backup.folder") == '/b "c"'
    assert loaded.get("disk.reserve_mb").source == "default"
    assert stat.S_IMODE(os.stat(home.config).st_mode) == 0o600


@given(text=st.text(st.characters(exclude_categories=["C"]), max_size=40))
def test_any_text_that_is_set_is_read_back(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    home = Home(str(tmp_path_factory.mktemp("home")))
    config.store(home, "store", text)
    config.store(home, "tick.seconds", "2")
    assert config.load(home, {}).text("store") == text


def test_unknown_names_and_wrong_values_are_refused_before_the_file_is_touched(home: Home) -> None:
    for name, value in (("colour", "1"), ("tick.seconds", "soon")):
        with pytest.raises(BadConfig):
            config.store(home, name, value)
    assert not os.path.exists(home.config)


def test_the_home_follows_xdg_and_engrain_home_moves_it_whole() -> None:
    assert locate({"HOME": "/u"}).root == "/u/.local/share/engrain"
    assert locate({"HOME": "/u"}).config == "/u/.config/engrain/config.toml"
    assert locate({"HOME": "/u", "XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c"}).root == "/d/engrain"
    moved = locate({"HOME": "/u", "XDG_DATA_HOME": "/d", "ENGRAIN_HOME": "/h"})
    assert (moved.root, moved.config) == ("/h", "/h/config.toml")


def test_every_setting_can_be_set_by_a_variable_of_its_own() -> None:
    assert len({setting.variable for setting in SETTINGS}) == len(SETTINGS)
    assert all(setting.help for setting in SETTINGS)
