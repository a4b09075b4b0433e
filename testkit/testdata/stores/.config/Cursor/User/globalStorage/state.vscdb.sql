CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('some.setting', '{"a":1}');
INSERT INTO cursorDiskKV VALUES ('composerData:c1', '{"_v":13,"composerId":"c1","createdAt":1784278800000,"workspaceIdentifier":{"id":"ab","uri":{"fsPath":"/repo/api"}},"fullConversationHeadersOnly":[{"bubbleId":"u1","type":1},{"bubbleId":"a2","type":2},{"bubbleId":"a3","type":2},{"bubbleId":"a6","type":2}]}');
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:u1', '{"_v":3,"type":1,"bubbleId":"u1","text":"Let us use bar, not foo.","createdAt":"2026-05-01T10:00:00.000Z"}');
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:a2', '{"type":2,"text":"","toolFormerData":{"name":"search_replace","toolCallId":"toolu_1","status":"completed","rawArgs":"{\"file_path\":\"src/a.go\",\"old_string\":\"x := 1\",\"new_string\":\"x := 2\"}","result":"{\"diff\":{\"chunks\":[{\"diffString\":\"- x := 1\\n+ x := 2\",\"oldStart\":3,\"newStart\":3,\"oldLines\":1,\"newLines\":1}]},\"applyFailed\":false}"}}');
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:a3', '{"type":2,"toolFormerData":{"name":"edit_file_v2","toolCallId":"toolu_2","status":"completed","params":"{\"relativeWorkspacePath\":\"b.go\"}","result":"{\"beforeContentId\":\"composer.content.aa\",\"afterContentId\":\"composer.content.bb\"}"}}');
INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:a6', '{"type":2,"text":"Done.","tokenCount":{"inputTokens":0,"outputTokens":0}}');
INSERT INTO cursorDiskKV VALUES ('composer.content.aa', 'b1'), ('composer.content.bb', 'b2');
