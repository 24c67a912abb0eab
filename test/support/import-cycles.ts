/**
 * Returns the files that import each other, directly or through other files: one sorted list for each group of files.
 *
 * @param imports - the imported files of each file
 */
export function importCycles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const reachable = new Map([...imports.keys()].map((file) => [file, reachableFrom(file, imports)]))
  const groups = new Map<string, string[]>()
  for (const [file, reached] of reachable) {
    if (!reached.has(file)) continue
    const group = [...reached].filter((other) => reachable.get(other)?.has(file)).toSorted()
    groups.set(group.join(), group)
  }
  return [...groups.values()]
}

function reachableFrom(file: string, imports: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>(imports.get(file))
  // Iterating a set also yields values that are added during the iteration.
  for (const other of reached) for (const next of imports.get(other) ?? []) reached.add(next)
  return reached
}
