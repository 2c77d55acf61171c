-- Words by the names of a text, and by where it happened and what it is. What came before has its names once
-- `engrain rebuild` made them.
CREATE TEMPORARY TABLE documents_before AS SELECT tenant, project, id, text FROM mem_documents;
DROP TABLE mem_documents;
CREATE TABLE mem_documents (
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  text    text COLLATE "C" NOT NULL,
  names   text COLLATE "C" NOT NULL,
  place   text COLLATE "C" NOT NULL,
  words   tsvector NOT NULL GENERATED ALWAYS AS (
    to_tsvector('mem_words', translate(text, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)))
    || to_tsvector('mem_words', names || ' ' || place)
  ) STORED,
  PRIMARY KEY (tenant, project, id)
);
INSERT INTO mem_documents (tenant, project, id, text, names, place)
SELECT d.tenant, d.project, d.id, d.text, '',
  't' || encode(convert_to(e.tenant, 'UTF8'), 'hex') || '0 p' || encode(convert_to(e.project, 'UTF8'), 'hex')
  || '0 k' || encode(convert_to(e.kind, 'UTF8'), 'hex') || '0'
  || CASE WHEN e.agent = '' THEN '' ELSE ' a' || encode(convert_to(e.agent, 'UTF8'), 'hex') || '0' END
FROM documents_before AS d JOIN mem_events AS e ON e.id = d.id AND e.project = d.project AND e.tenant = d.tenant;
DROP TABLE documents_before;
CREATE INDEX mem_documents_by_id ON mem_documents (id);
CREATE INDEX mem_documents_by_word ON mem_documents USING gin (words);
