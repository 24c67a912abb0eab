/** Removes the fields that a logger adds to every line, such as the pid, the host name and a version. */
export function omit(line: Readonly<Record<string, unknown>>, ...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(line).filter(([name]) => !names.includes(name)))
}
