-- What is in force in a project, by what makes it outlive its task: 0 it forbids
-- something, 1 it was said to hold always, 2 one of several was chosen, 3 a proposal
-- was accepted, or a person added it; 9 none of them, or not sure. So a tool that begins
-- a session need not wait until all decisions were read. Names of members stand in the
-- JSON as written here: inside of a string their quotes would be escaped.
CREATE INDEX nodes_rules ON nodes(project, (CASE
    WHEN coalesce(json_extract(json, '$.score'), 0) < 90 AND json_extract(json, '$.confirmation') IS NULL
      AND instr(json, '"category":"structured_choice"') = 0 THEN 9
    WHEN is_ban = 1 THEN 0
    WHEN instr(json, '"category":"memory"') > 0 THEN 1
    WHEN instr(json, '"category":"structured_choice"') > 0 AND json_extract(json, '$.confirmation') IS NULL
      OR instr(json, '"chosen":true') > 0 AND instr(json, '"chosen":false') > 0 THEN 2
    WHEN json_extract(json, '$.confirmation') IS NOT NULL OR source = 'person' THEN 3
    ELSE 9 END), n DESC) WHERE kind = 'decision' AND superseded_by IS NULL;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('nodes', 'nodes_rules', '300000 2000 400 1');
