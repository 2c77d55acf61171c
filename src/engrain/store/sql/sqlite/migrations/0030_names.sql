-- Words by the names of a text, and by where it happened and what it is. What came before has its names once
-- `engrain rebuild` made them.
DROP TRIGGER documents_said;
DROP TRIGGER documents_unsaid;
DROP TABLE words;
ALTER TABLE documents RENAME TO documents_before;
CREATE TABLE documents (
  row     INTEGER PRIMARY KEY,
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  text    TEXT NOT NULL,
  names   TEXT NOT NULL,
  place   TEXT NOT NULL,
  UNIQUE (id, project, tenant)
) STRICT;
CREATE VIRTUAL TABLE words USING fts5(
  text, names, place, content='documents', content_rowid='row', tokenize='porter unicode61'
);
INSERT INTO words (words, rank) VALUES ('hashsize', 16777216);
INSERT INTO documents (row, tenant, project, id, text, names, place)
SELECT d.row, d.tenant, d.project, d.id, d.text, '',
  't' || lower(hex(e.tenant)) || '0 p' || lower(hex(e.project)) || '0 k' || lower(hex(e.kind)) || '0'
  || CASE WHEN e.agent = '' THEN '' ELSE ' a' || lower(hex(e.agent)) || '0' END
FROM documents_before AS d JOIN events AS e ON e.id = d.id AND e.project = d.project AND e.tenant = d.tenant;
DROP TABLE documents_before;
INSERT INTO words (words) VALUES ('rebuild');
CREATE TRIGGER documents_said AFTER INSERT ON documents BEGIN
  INSERT INTO words (rowid, text, names, place) VALUES (new.row, new.text, new.names, new.place);
END;
CREATE TRIGGER documents_unsaid AFTER DELETE ON documents BEGIN
  INSERT INTO words (words, rowid, text, names, place) VALUES ('delete', old.row, old.text, old.names, old.place);
END;
