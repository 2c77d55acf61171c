-- Code and test patterns: each time that one was taught, or (`told` 0) followed.
CREATE TABLE patterns (
  tenant      TEXT NOT NULL,
  project     TEXT NOT NULL,
  id          TEXT NOT NULL,
  pattern     TEXT NOT NULL,
  time        INTEGER NOT NULL,
  form        TEXT NOT NULL,
  name        TEXT NOT NULL,
  description TEXT NOT NULL,
  example     TEXT NOT NULL,
  uses        TEXT NOT NULL,
  avoid       TEXT NOT NULL,
  area        TEXT NOT NULL,
  source      TEXT NOT NULL,
  told        INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, id)
) STRICT;
CREATE INDEX patterns_by_pattern ON patterns (tenant, pattern, time);

-- The words that a pattern is about, to find it by.
CREATE TABLE pattern_words (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  word    TEXT NOT NULL,
  PRIMARY KEY (tenant, project, id, word)
) STRICT;
CREATE INDEX pattern_words_by_word ON pattern_words (tenant, word);

CREATE INDEX failures_by_project ON failures (tenant, project, time);
