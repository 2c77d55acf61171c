-- What somebody taught, mined or imported: under the fingerprint of the failure, and where its steps name what
-- varies, under its family.
CREATE TABLE recipes (
  tenant     TEXT NOT NULL,
  project    TEXT NOT NULL,
  id         TEXT NOT NULL,
  fix        TEXT NOT NULL,
  time       INTEGER NOT NULL,
  key        TEXT NOT NULL,
  wide       INTEGER NOT NULL,
  through    TEXT NOT NULL,
  family     TEXT NOT NULL,
  toolchain  TEXT NOT NULL,
  error_type TEXT NOT NULL,
  wording    TEXT NOT NULL,
  steps      TEXT NOT NULL,
  parameters TEXT NOT NULL,
  general    TEXT NOT NULL,
  taught     INTEGER NOT NULL,
  mined      INTEGER NOT NULL,
  imported   INTEGER NOT NULL,
  worked     INTEGER NOT NULL,
  failed     INTEGER NOT NULL,
  message    TEXT NOT NULL,
  cause      TEXT NOT NULL,
  example    TEXT NOT NULL,
  told       INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, id, fix)
) STRICT;
CREATE INDEX recipes_by_fix ON recipes (tenant, fix, told, time, id);

-- How it went when somebody followed a recipe.
CREATE TABLE outcomes (
  tenant     TEXT NOT NULL,
  project    TEXT NOT NULL,
  id         TEXT NOT NULL,
  fix        TEXT NOT NULL,
  time       INTEGER NOT NULL,
  week       INTEGER NOT NULL,
  provenance TEXT NOT NULL,
  worked     INTEGER NOT NULL,
  failed     INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, id, fix)
) STRICT;
CREATE INDEX outcomes_by_fix ON outcomes (tenant, fix, time);

-- Which fixes were shown, or held back to compare, at which failure (the id of its event); `command` is the key of what had failed.
CREATE TABLE servings (
  tenant      TEXT NOT NULL,
  project     TEXT NOT NULL,
  id          TEXT NOT NULL,
  fix         TEXT NOT NULL,
  time        INTEGER NOT NULL,
  place       INTEGER NOT NULL,
  matched     TEXT NOT NULL,
  failure     TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  command     TEXT NOT NULL,
  channel     TEXT NOT NULL,
  held        INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, id, fix)
) STRICT;
CREATE INDEX servings_by_time ON servings (tenant, time);

-- A command that failed, and in which way.
CREATE TABLE failures (
  tenant      TEXT NOT NULL,
  project     TEXT NOT NULL,
  id          TEXT NOT NULL,
  time        INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  family      TEXT NOT NULL,
  toolchain   TEXT NOT NULL,
  error_type  TEXT NOT NULL,
  message     TEXT NOT NULL,
  PRIMARY KEY (tenant, project, id)
) STRICT;
CREATE INDEX failures_by_fingerprint ON failures (tenant, fingerprint, time);

-- Recipes, each once for a project, counted.
CREATE TABLE fixes (
  tenant     TEXT NOT NULL,
  project    TEXT NOT NULL,
  fix        TEXT NOT NULL,
  key        TEXT NOT NULL,
  wide       INTEGER NOT NULL,
  through    TEXT NOT NULL,
  family     TEXT NOT NULL,
  toolchain  TEXT NOT NULL,
  error_type TEXT NOT NULL,
  wording    TEXT NOT NULL,
  steps      TEXT NOT NULL,
  parameters TEXT NOT NULL,
  general    TEXT NOT NULL,
  taught     INTEGER NOT NULL,
  mined      INTEGER NOT NULL,
  imported   INTEGER NOT NULL,
  worked     INTEGER NOT NULL,
  failed     INTEGER NOT NULL,
  first      INTEGER NOT NULL,
  last       INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, fix)
) STRICT;
CREATE INDEX fixes_by_key ON fixes (tenant, key, last);
CREATE INDEX fixes_by_id ON fixes (tenant, fix);
CREATE INDEX fixes_by_type ON fixes (tenant, toolchain, error_type, last);

-- Outcomes counted by week, so that they can fade.
CREATE TABLE evidence (
  tenant     TEXT NOT NULL,
  project    TEXT NOT NULL,
  fix        TEXT NOT NULL,
  week       INTEGER NOT NULL,
  provenance TEXT NOT NULL,
  worked     INTEGER NOT NULL,
  failed     INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, fix, week, provenance)
) STRICT;
CREATE INDEX evidence_by_fix ON evidence (tenant, fix);
