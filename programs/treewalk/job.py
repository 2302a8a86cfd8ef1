"""Hashes of in-order walks of binary trees."""
from support.ieee import MASK
from support.jobfile import Random, job, local, output, source


def treewalk(n, trees):
    r = Random(5)
    nodes = [[-1, -1, r.below(1000) - 500, 0] for _ in range(n)]
    # A random binary tree over all nodes, not deeper than the program's array allows.
    for i in range(1, n):
        while True:
            at, depth = 0, 1
            while True:
                side = r.below(2)
                if nodes[at][side] < 0:
                    break
                at, depth = nodes[at][side], depth + 1
            if depth < 14:
                nodes[at][side] = i
                break
    # Most threads start somewhere inside, one at the root, some have no tree.
    roots = [0] + [r.below(n + 20) for _ in range(trees - 1)]
    roots = [x if x < n else -1 for x in roots]

    def walk(node, h):
        if node < 0:
            return h
        h = walk(nodes[node][0], h)
        h = (h * 31 + nodes[node][2]) & MASK
        return walk(nodes[node][1], h)

    return job([(trees + 47) // 48, 1, 1],
               [source(0, "s32", [v for node in nodes for v in node]), source(1, "s32", roots), output(2, "u32", [walk(x, 7) for x in roots])],
               [local(0, "u32", trees)])


QUICK = {"treewalk": lambda: treewalk(150, 70)}
NIGHTLY = {"treewalk_large": lambda: treewalk(1500, 400)}
