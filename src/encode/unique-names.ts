import type { AnyValue, AnyValueMap } from '../record/any-value.ts'

/** Gives names that occur more than once a number, in the order in which they come: the first one keeps its name. */
export class UniqueNames {
  private readonly taken = new Set<string>()
  private readonly lastNumbers = new Map<string, number>()

  /** Returns the name, or a free one that begins with it, and marks it as taken. */
  add(name: string): string {
    let free = name
    if (this.taken.has(name)) {
      let number = this.lastNumbers.get(name) ?? 1
      do free = `${name} ${++number}`
      while (this.taken.has(free))
      this.lastNumbers.set(name, number)
    }
    this.taken.add(free)
    return free
  }
}

/**
 * Members for OTLP, whose text is UTF-8: keys that differ in halves of surrogate pairs alone, which become U+FFFD, are told
 * apart by a number. The same map where all keys are well-formed.
 */
export function wellFormedMembers(members: AnyValueMap): Iterable<readonly [string, AnyValue]> {
  if (Array.from(members.keys()).every((key) => key.isWellFormed())) return members
  const names = new UniqueNames()
  return Array.from(members, ([key, value]) => [names.add(key.toWellFormed()), value] as const)
}
