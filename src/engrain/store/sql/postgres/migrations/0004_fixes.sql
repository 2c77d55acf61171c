-- What somebody taught, mined or imported: under the fingerprint of the failure, and where its steps name what
-- varies, under its family.
CREATE TABLE mem_recipes (
  tenant     text COLLATE "C" NOT NULL,
  project    text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  fix        text COLLATE "C" NOT NULL,
  time       bigint NOT NULL,
  key        text COLLATE "C" NOT NULL,
  wide       bigint NOT NULL,
  through    text COLLATE "C" NOT NULL,
  family     text COLLATE "C" NOT NULL,
  toolchain  text COLLATE "C" NOT NULL,
  error_type text COLLATE "C" NOT NULL,
  wording    text COLLATE "C" NOT NULL,
  steps      text COLLATE "C" NOT NULL,
  parameters text COLLATE "C" NOT NULL,
  general    text COLLATE "C" NOT NULL,
  taught     bigint NOT NULL,
  mined      bigint NOT NULL,
  imported   bigint NOT NULL,
  worked     bigint NOT NULL,
  failed     bigint NOT NULL,
  message    text COLLATE "C" NOT NULL,
  cause      text COLLATE "C" NOT NULL,
  example    text COLLATE "C" NOT NULL,
  told       bigint NOT NULL,
  PRIMARY KEY (tenant, project, id, fix)
);
CREATE INDEX mem_recipes_by_fix ON mem_recipes (tenant, fix, told, time, id);

-- How it went when somebody followed a recipe.
CREATE TABLE mem_outcomes (
  tenant     text COLLATE "C" NOT NULL,
  project    text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  fix        text COLLATE "C" NOT NULL,
  time       bigint NOT NULL,
  week       bigint NOT NULL,
  provenance text COLLATE "C" NOT NULL,
  worked     bigint NOT NULL,
  failed     bigint NOT NULL,
  PRIMARY KEY (tenant, project, id, fix)
);
CREATE INDEX mem_outcomes_by_fix ON mem_outcomes (tenant, fix, time);

-- Which fixes were shown, or held back to compare, at which failure (the id of its event); `command` is the key of what had failed.
CREATE TABLE mem_servings (
  tenant      text COLLATE "C" NOT NULL,
  project     text COLLATE "C" NOT NULL,
  id          text COLLATE "C" NOT NULL,
  fix         text COLLATE "C" NOT NULL,
  time        bigint NOT NULL,
  place       bigint NOT NULL,
  matched     text COLLATE "C" NOT NULL,
  failure     text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  command     text COLLATE "C" NOT NULL,
  channel     text COLLATE "C" NOT NULL,
  held        bigint NOT NULL,
  PRIMARY KEY (tenant, project, id, fix)
);
CREATE INDEX mem_servings_by_time ON mem_servings (tenant, time);

-- A command that failed, and in which way.
CREATE TABLE mem_failures (
  tenant      text COLLATE "C" NOT NULL,
  project     text COLLATE "C" NOT NULL,
  id          text COLLATE "C" NOT NULL,
  time        bigint NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  family      text COLLATE "C" NOT NULL,
  toolchain   text COLLATE "C" NOT NULL,
  error_type  text COLLATE "C" NOT NULL,
  message     text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, project, id)
);
CREATE INDEX mem_failures_by_fingerprint ON mem_failures (tenant, fingerprint, time);

-- Recipes, each once for a project, counted.
CREATE TABLE mem_fixes (
  tenant     text COLLATE "C" NOT NULL,
  project    text COLLATE "C" NOT NULL,
  fix        text COLLATE "C" NOT NULL,
  key        text COLLATE "C" NOT NULL,
  wide       bigint NOT NULL,
  through    text COLLATE "C" NOT NULL,
  family     text COLLATE "C" NOT NULL,
  toolchain  text COLLATE "C" NOT NULL,
  error_type text COLLATE "C" NOT NULL,
  wording    text COLLATE "C" NOT NULL,
  steps      text COLLATE "C" NOT NULL,
  parameters text COLLATE "C" NOT NULL,
  general    text COLLATE "C" NOT NULL,
  taught     bigint NOT NULL,
  mined      bigint NOT NULL,
  imported   bigint NOT NULL,
  worked     bigint NOT NULL,
  failed     bigint NOT NULL,
  first      bigint NOT NULL,
  last       bigint NOT NULL,
  PRIMARY KEY (tenant, project, fix)
);
CREATE INDEX mem_fixes_by_key ON mem_fixes (tenant, key, last);
CREATE INDEX mem_fixes_by_id ON mem_fixes (tenant, fix);
CREATE INDEX mem_fixes_by_type ON mem_fixes (tenant, toolchain, error_type, last);

-- Outcomes counted by week, so that they can fade.
CREATE TABLE mem_evidence (
  tenant     text COLLATE "C" NOT NULL,
  project    text COLLATE "C" NOT NULL,
  fix        text COLLATE "C" NOT NULL,
  week       bigint NOT NULL,
  provenance text COLLATE "C" NOT NULL,
  worked     bigint NOT NULL,
  failed     bigint NOT NULL,
  PRIMARY KEY (tenant, project, fix, week, provenance)
);
CREATE INDEX mem_evidence_by_fix ON mem_evidence (tenant, fix);
