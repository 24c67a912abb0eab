/** What a line says besides that which its logger puts into each: a pid, a host, a version. */
export function omit(line: Readonly<Record<string, unknown>>, ...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(line).filter(([name]) => !names.includes(name)))
}
