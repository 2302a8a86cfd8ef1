"""Distances in a sparse graph, some nodes of which are not reached."""
from support.jobfile import Random, job, local, output, source

FAR = 0xFFFFFFFF


def bfs(nodes, degree):
    r = Random(27)
    around = [[] for _ in range(nodes)]
    for _ in range(nodes * degree // 2):
        a, b = r.below(nodes), r.below(nodes - nodes // 10)
        around[a].append(b)
        if r.below(8):
            around[b].append(a)
    start, distance, frontier = 3, [FAR] * nodes, [3]
    distance[start] = 0
    before = list(distance)
    while frontier:
        following = []
        for n in frontier:
            for m in around[n]:
                if distance[m] == FAR:
                    distance[m] = distance[n] + 1
                    following.append(m)
        frontier = following
    begin = [0]
    for a in around:
        begin.append(begin[-1] + len(a))
    return job([1, 1, 1], [source(0, "u32", begin), output(1, "u32", distance, before)],
               [local(0, "u32", start), local(1, "u32", {"addr_lo": "edges"}, {"addr_hi": "edges"})],
               **{"global": [{"name": "edges", "type": "u32", "init": [m for a in around for m in a]}]})


QUICK = {"bfs": lambda: bfs(97, 2)}
NIGHTLY = {"bfs_large": lambda: bfs(400, 3)}
