-- More of what there is of each session, thread and project: decisions that nothing
-- replaced, edits that have a reason, and lines.
ALTER TABLE tally ADD COLUMN in_force INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tally ADD COLUMN explained INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tally ADD COLUMN added INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tally ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;
UPDATE tally SET (in_force, explained, added, removed) = (c.in_force, c.explained, c.added, c.removed)
FROM (SELECT session, source, thread, project, count(*) FILTER (WHERE kind = 'decision' AND superseded_by IS NULL) AS in_force,
  count(DISTINCT to_id) AS explained, coalesce(sum(added), 0) AS added, coalesce(sum(removed), 0) AS removed
  FROM nodes GROUP BY session, source, thread, project) AS c
WHERE (tally.session, tally.source, tally.thread, tally.project) = (c.session, c.source, c.thread, c.project);

-- The files that were edited, by tool.
CREATE TABLE files (
  source TEXT NOT NULL,
  path   TEXT NOT NULL,
  PRIMARY KEY (source, path)
) STRICT, WITHOUT ROWID;
INSERT INTO files SELECT DISTINCT source, path FROM nodes WHERE path IS NOT NULL;

-- The rows of usage once more, many in one, so that sums of a million are read at once:
-- see internal/nodedb/tokens. What writes to an older database fills it.
CREATE TABLE spent (
  t    INTEGER NOT NULL, -- of talks
  part INTEGER NOT NULL,
  rows BLOB NOT NULL,
  PRIMARY KEY (t, part)
) STRICT, WITHOUT ROWID;
