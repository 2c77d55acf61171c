-- Code and test patterns: each time that one was taught, or (`told` 0) followed.
CREATE TABLE mem_patterns (
  tenant      text COLLATE "C" NOT NULL,
  project     text COLLATE "C" NOT NULL,
  id          text COLLATE "C" NOT NULL,
  pattern     text COLLATE "C" NOT NULL,
  time        bigint NOT NULL,
  form        text COLLATE "C" NOT NULL,
  name        text COLLATE "C" NOT NULL,
  description text COLLATE "C" NOT NULL,
  example     text COLLATE "C" NOT NULL,
  uses        text COLLATE "C" NOT NULL,
  avoid       text COLLATE "C" NOT NULL,
  area        text COLLATE "C" NOT NULL,
  source      text COLLATE "C" NOT NULL,
  told        bigint NOT NULL,
  PRIMARY KEY (tenant, project, id)
);
CREATE INDEX mem_patterns_by_pattern ON mem_patterns (tenant, pattern, time);

-- The words that a pattern is about, to find it by.
CREATE TABLE mem_pattern_words (
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  word    text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, project, id, word)
);
CREATE INDEX mem_pattern_words_by_word ON mem_pattern_words (tenant, word);

CREATE INDEX mem_failures_by_project ON mem_failures (tenant, project, time);
