/**
 * A set of names in which each is unique: a name that occurs again gets a number, in the order of occurrence, and the first one
 * is unchanged.
 */
export class UniqueNames {
  private readonly taken: Set<string>
  private readonly lastNumbers = new Map<string, number>()

  /** @param taken - names that are already used */
  constructor(taken?: Iterable<string>) {
    this.taken = new Set(taken)
  }

  /** Returns the name, or a free one that begins with it, and adds it to the set. */
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
