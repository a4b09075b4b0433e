"""Writes and searches by gRPC, with code that grpcio-tools made of the document.

    python grpc_client.py ADDRESS
"""
import sys

import grpc
from memscribe.memory.v1 import memory_pb2 as m
from memscribe.memory.v1 import memory_pb2_grpc

with grpc.insecure_channel(sys.argv[1]) as channel:
    memories = memory_pb2_grpc.MemoryServiceStub(channel)
    stream = memories.WatchMemories(m.WatchMemoriesRequest(namespace="team"), timeout=60)
    assert next(stream).action == m.WatchMemoriesResponse.ACTION_UNSPECIFIED
    written = memories.WriteMemory(m.WriteMemoryRequest(
        context=m.SessionContext(session_id="py", agent_lineage=m.AgentLineage(agents=[m.Agent(agent_id="snake")])),
        namespace="team",
        entries=[m.MemoryEntry(id="by-grpc", kind="note", content="written in Python")]), timeout=60)
    assert written.results[0].outcome == m.WriteResult.OUTCOME_CREATED, written
    step = next(stream)
    assert step.action == m.WatchMemoriesResponse.ACTION_WRITTEN and step.memory.content == "written in Python", step
    found = memories.SearchMemories(m.SearchMemoriesRequest(namespaces=["team"], query="Python"), timeout=60)
    assert [f.id for f in found.memories] == ["by-grpc"] and found.memories[0].source == "snake", found
    try:
        memories.GetMemory(m.GetMemoryRequest(namespace="team", memory_id="nothing"), timeout=60)
        raise SystemExit("a memory that is not there is found")
    except grpc.RpcError as e:
        assert e.code() == grpc.StatusCode.NOT_FOUND, e
print("good")
