CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('workbench.panel.aichat.view.aichat.chatdata', '{"tabs":[{"tabId":"t","lastSendTime":1700000000000,"bubbles":[{"type":"user","text":"Let us use bar, not foo."},{"type":"ai","rawText":"I do."}]}]}');
