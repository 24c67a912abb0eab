import { anyStart, textStart, type Automaton } from './automaton.ts'

/** The maximum number of pairs of edges that are followed. Beyond it, all states are assumed to coexist. */
const maxPairs = 2_000_000
const maxGap = 64

/** The pairs of states that are reached at the same character of some text, by paths from any two starts. */
export class Coexistence {
  private readonly rows: readonly StateSet[]
  private readonly before: readonly (readonly number[])[]
  private readonly gaps: number[] = []

  constructor({ states }: Automaton) {
    this.rows = states.map(() => new StateSet(states.length))
    const sets = [...new Set(states.map(({ set }) => set))]
    const setOf = states.map(({ set }) => sets.indexOf(set))
    const intersects = sets.map((one) => sets.map((other) => (one & other) !== 0n))
    // A match can start at any character, in parallel with any other path.
    const next = states.map(({ next }, index) => [...(index === anyStart ? [anyStart] : []), ...next.keys()])
    const before = states.map((): number[] => [])
    for (const [from, all] of next.entries()) for (const to of all) before[to]!.push(from)
    this.before = before

    const open: number[] = []
    const reach = (one: number, other: number): void => {
      if (this.rows[one]!.has(other)) return
      this.rows[one]!.add(other)
      this.rows[other]!.add(one)
      open.push(one, other)
    }
    reach(anyStart, anyStart)
    reach(anyStart, textStart)
    reach(textStart, textStart)
    let left = maxPairs
    while (open.length > 0) {
      const others = next[open.pop()!]!
      const ones = next[open.pop()!]!
      left -= ones.length * others.length
      if (left < 0) {
        for (const row of this.rows) row.fill()
        return
      }
      for (const one of ones) {
        const matching = intersects[setOf[one]!]!
        for (const other of others) if (matching[setOf[other]!] === true) reach(one, other)
      }
    }
  }

  /** Returns whether two states coexist. */
  has(one: number, other: number): boolean {
    return this.rows[one]!.has(other)
  }

  emptySet(): StateSet {
    return new StateSet(this.rows.length)
  }

  /** Adds the states that coexist with one. */
  addAll(state: number, to: StateSet): void {
    to.addAll(this.rows[state]!)
  }

  /** Returns the minimum number of characters between two visits of a state, by any paths; at most 64. */
  leastGap(state: number): number {
    return (this.gaps[state] ??= this.findGap(state))
  }

  private findGap(state: number): number {
    const seen = new Set<number>()
    let ends: readonly number[] = [state]
    for (let gap = 1; gap < maxGap; gap++) {
      const starts = new Set(ends.flatMap((end) => this.before[end]!))
      for (const start of starts) if (this.has(start, state)) return gap
      ends = [...starts].filter((start) => !seen.has(start))
      for (const end of ends) seen.add(end)
    }
    return maxGap
  }
}

/** A set of states. */
export class StateSet {
  private readonly words: Uint32Array

  constructor(size: number) {
    this.words = new Uint32Array((size + 31) >> 5)
  }

  has(at: number): boolean {
    return (this.words[at >> 5]! & (1 << (at & 31))) !== 0
  }

  add(at: number): void {
    this.words[at >> 5]! |= 1 << (at & 31)
  }

  fill(): void {
    this.words.fill(-1)
  }

  addAll({ words }: StateSet): void {
    for (let word = 0; word < words.length; word++) this.words[word]! |= words[word]!
  }
}
