CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('codeium.windsurf', '{"windsurf.state.cachedActiveTrajectory:w1":"AAAA","other":1}');
