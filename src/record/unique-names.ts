/**
 * A set of names that makes each added name unique: the first occurrence of a name is unchanged, and later ones get a number, as in
 * `name 2`.
 */
export class UniqueNames {
  private readonly taken: Set<string>
  /** The last number that each repeated name has got. */
  private readonly lastNumbers = new Map<string, number>()

  /** @param taken - names that are already used */
  constructor(taken?: Iterable<string>) {
    this.taken = new Set(taken)
  }

  has(name: string): boolean {
    return this.taken.has(name)
  }

  /** Returns the name, with a number if it is taken, and adds the result to the set. */
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
