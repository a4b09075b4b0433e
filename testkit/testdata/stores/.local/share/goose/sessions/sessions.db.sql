CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', description TEXT NOT NULL DEFAULT '', session_type TEXT NOT NULL DEFAULT 'user', working_dir TEXT NOT NULL, created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, extension_data TEXT DEFAULT '{}', total_tokens INTEGER, provider_name TEXT, model_config_json TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT NOT NULL REFERENCES sessions(id), role TEXT NOT NULL, content_json TEXT NOT NULL, created_timestamp INTEGER NOT NULL, timestamp TIMESTAMP DEFAULT CURRENT_TIMESTAMP, tokens INTEGER, metadata_json TEXT);
CREATE TABLE schema_version (version INTEGER PRIMARY KEY, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP);
INSERT INTO schema_version (version) VALUES (6);
INSERT INTO sessions (id, working_dir, created_at, updated_at, model_config_json) VALUES ('20260801_1', '/w', '2026-08-01 00:00:00', '2026-08-01 00:00:02', '{"model_name":"m"}');
INSERT INTO messages (session_id, role, content_json, created_timestamp, metadata_json) VALUES
 ('20260801_1', 'user', '[{"type":"text","text":"Let us use bar, not foo."}]', 1785542400, '{"userVisible":true,"agentVisible":true}'),
 ('20260801_1', 'assistant', '[{"type":"text","text":"I do."},{"type":"toolRequest","id":"c1","toolCall":{"status":"success","value":{"name":"developer__text_editor","arguments":{"command":"write","path":"b.md","file_text":"b\n"}}}}]', 1785542401, '{"userVisible":true,"agentVisible":true}'),
 ('20260801_1', 'user', '[{"type":"toolResponse","id":"c1","toolResult":{"status":"success","value":[{"type":"text","text":"ok"}]}}]', 1785542402, '{"userVisible":true,"agentVisible":true}');
