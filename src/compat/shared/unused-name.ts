/** Returns a name that is not taken: the given one, or the same with underscores in front. */
export function unusedName(name: string, isTaken: (name: string) => boolean): string {
  let free = name
  while (isTaken(free)) free = `_${free}`
  return free
}
