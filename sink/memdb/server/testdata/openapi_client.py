"""Writes and searches over HTTP, with code that openapi-python-client made of the document.

    python openapi_client.py ADDRESS
"""
import sys

from memdb import Client
from memdb.api.memories import search, write_memories
from memdb.models import MemoryWrite, SearchRequest

with Client(base_url="http://" + sys.argv[1]) as client:
    written = write_memories.sync("team", client=client, body=MemoryWrite(kind="note", content="made of OpenAPI", id="by-http"))
    assert written.outcome == "created", written
    found = search.sync(client=client, body=SearchRequest(namespaces=["team"], query="OpenAPI"))
    assert [f.id for f in found.memories] == ["by-http"], found
print("good")
