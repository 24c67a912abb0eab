/** Gives names that occur more than once a number, in the order in which they come: the first one keeps its name. */
export class UniqueNames {
  private readonly taken: Set<string>
  private readonly lastNumbers = new Map<string, number>()

  /** `taken`: names that others have. */
  constructor(taken?: Iterable<string>) {
    this.taken = new Set(taken)
  }

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
