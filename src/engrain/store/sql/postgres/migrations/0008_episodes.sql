-- What became of a failure in a session: how often it came, and how often something helped.
CREATE TABLE mem_episodes (
  tenant      text COLLATE "C" NOT NULL,
  project     text COLLATE "C" NOT NULL,
  id          text COLLATE "C" NOT NULL,
  time        bigint NOT NULL,
  session     text COLLATE "C" NOT NULL,
  state       text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  family      text COLLATE "C" NOT NULL,
  command     text COLLATE "C" NOT NULL,
  file        text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, project, id)
);
CREATE INDEX mem_episodes_by_fingerprint ON mem_episodes (tenant, project, fingerprint);
CREATE INDEX mem_episodes_by_family ON mem_episodes (tenant, project, family);
CREATE INDEX mem_episodes_by_command ON mem_episodes (tenant, project, command);
CREATE INDEX mem_episodes_by_file ON mem_episodes (tenant, project, file);
