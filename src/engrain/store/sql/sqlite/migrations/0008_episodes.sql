-- What became of a failure in a session: how often it came, and how often something helped.
CREATE TABLE episodes (
  tenant      TEXT NOT NULL,
  project     TEXT NOT NULL,
  id          TEXT NOT NULL,
  time        INTEGER NOT NULL,
  session     TEXT NOT NULL,
  state       TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  family      TEXT NOT NULL,
  command     TEXT NOT NULL,
  file        TEXT NOT NULL,
  PRIMARY KEY (tenant, project, id)
) STRICT;
CREATE INDEX episodes_by_fingerprint ON episodes (tenant, project, fingerprint);
CREATE INDEX episodes_by_family ON episodes (tenant, project, family);
CREATE INDEX episodes_by_command ON episodes (tenant, project, command);
CREATE INDEX episodes_by_file ON episodes (tenant, project, file);
