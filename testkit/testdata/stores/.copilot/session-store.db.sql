CREATE TABLE sessions (id TEXT PRIMARY KEY, cwd TEXT, repository TEXT, host_type TEXT, branch TEXT, summary TEXT, created_at TEXT, updated_at TEXT);
CREATE TABLE turns (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, turn_index INTEGER NOT NULL, user_message TEXT, assistant_response TEXT, timestamp TEXT DEFAULT (datetime('now')), UNIQUE(session_id, turn_index));
CREATE TABLE session_files (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, file_path TEXT NOT NULL, tool_name TEXT, turn_index INTEGER, first_seen_at TEXT);
INSERT INTO sessions VALUES ('s', '/w', 'o/r', 'github', 'main', 'one', '2026-11-21T01:34:39.595Z', '2026-11-21T01:34:46.803Z');
INSERT INTO turns (session_id, turn_index, user_message, assistant_response, timestamp) VALUES ('s', 0, 'Let us use bar, not foo.', 'I do.', '2026-11-21T01:34:40.000Z');
INSERT INTO session_files (session_id, file_path, tool_name, turn_index) VALUES ('s', '/w/a', 'edit', 0);
