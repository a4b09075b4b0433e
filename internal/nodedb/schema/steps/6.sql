-- The title of a decision: what it says by itself. Nodes of an older program have
-- none; their epitome stands for it.
DROP VIEW decisions;
CREATE VIEW decisions AS
SELECT n, id, source, session, thread, seq, timestamp, project, branch,
  coalesce(json_extract(json, '$.title'), json_extract(json, '$.epitome')) AS title,
  json_extract(json, '$.epitome') AS epitome, is_ban, superseded_by IS NULL AS in_force, superseded_by, decided_by,
  json_extract(json, '$.confirmation') AS confirmation,
  json_extract(json, '$.considered_options') AS considered_options, json
FROM nodes WHERE kind = 'decision';

DROP VIEW bans_in_force;
CREATE VIEW bans_in_force AS
SELECT n, id, source, session, thread, seq, timestamp, project, branch,
  coalesce(json_extract(json, '$.title'), json_extract(json, '$.epitome')) AS title,
  json_extract(json, '$.epitome') AS epitome, decided_by, json
FROM nodes WHERE is_ban = 1 AND superseded_by IS NULL;

-- A row for each edit of each decision; one with NULLs for a decision without.
DROP VIEW decision_edits;
CREATE VIEW decision_edits AS
SELECT d.n, d.id, d.project, d.timestamp, d.session, d.source,
  coalesce(json_extract(d.json, '$.title'), json_extract(d.json, '$.epitome')) AS title,
  json_extract(d.json, '$.epitome') AS epitome, d.is_ban,
  d.superseded_by IS NULL AS in_force, d.decided_by, b.relation, b.evidence,
  e.id AS edit, e.n AS edit_n, e.timestamp AS edit_timestamp, e.session AS edit_session,
  e.path, e.change, e.added, e.removed, e.tool
FROM nodes AS d
  LEFT JOIN nodes AS b ON b.from_id = d.id
  LEFT JOIN nodes AS e ON e.id = b.to_id
WHERE d.kind = 'decision';

-- A row for each edit of a file and each thing that it hangs on; one with NULLs
-- for an edit that hangs on nothing.
DROP VIEW file_history;
CREATE VIEW file_history AS
SELECT e.n, e.id, e.path, e.old_path, e.base, e.timestamp, e.change, e.added, e.removed, e.tool, e.source,
  e.session, e.thread, e.project, e.branch, b.relation, b.evidence,
  r.id AS reason, r.kind AS reason_kind,
  coalesce(json_extract(r.json, '$.title'), json_extract(r.json, '$.epitome'), json_extract(r.json, '$.text')) AS because,
  r.decided_by
FROM nodes AS e
  LEFT JOIN nodes AS b ON b.to_id = e.id
  LEFT JOIN nodes AS r ON r.id = b.from_id
WHERE e.kind = 'episode';

-- What was said, decided and done.
DROP VIEW timeline;
CREATE VIEW timeline AS
SELECT n, id, kind, source, session, thread, seq, timestamp, project, branch,
  CASE kind WHEN 'conversation' THEN speaker WHEN 'decision' THEN decided_by ELSE tool END AS who,
  CASE kind WHEN 'conversation' THEN json_extract(json, '$.text')
    WHEN 'decision' THEN coalesce(json_extract(json, '$.title'), json_extract(json, '$.epitome'))
    ELSE change || ' ' || path END AS what
FROM nodes WHERE kind <> 'binding';
