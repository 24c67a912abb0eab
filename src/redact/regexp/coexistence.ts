import { anyStart, textStart, type Automaton } from './automaton.ts'

/** The maximum number of pairs of edges that are followed. Beyond it, all states are assumed to coexist. */
const maxEdgePairs = 2_000_000
/** The largest gap between two visits that is searched for. */
const maxGap = 64

/** The pairs of states that can be reached at the same character of some text, by paths from any two starts. */
export class Coexistence {
  private readonly coexistingStates: readonly StateSet[]
  private readonly predecessors: readonly (readonly number[])[]
  private readonly gapOfState: number[] = []

  constructor({ states }: Automaton) {
    this.coexistingStates = states.map(() => new StateSet(states.length))
    const characterSets = [...new Set(states.map(({ set }) => set))]
    const setIndexes = states.map(({ set }) => characterSets.indexOf(set))
    const intersects = characterSets.map((one) => characterSets.map((other) => (one & other) !== 0n))
    // A match can start at any character, in parallel with any other path.
    const next = states.map(({ next }, index) => [...(index === anyStart ? [anyStart] : []), ...next.keys()])
    const predecessors = states.map((): number[] => [])
    for (const [from, all] of next.entries()) for (const to of all) predecessors[to]!.push(from)
    this.predecessors = predecessors

    const pendingPairs: number[] = []
    const reach = (one: number, other: number): void => {
      if (this.coexistingStates[one]!.has(other)) return
      this.coexistingStates[one]!.add(other)
      this.coexistingStates[other]!.add(one)
      pendingPairs.push(one, other)
    }
    reach(anyStart, anyStart)
    reach(anyStart, textStart)
    reach(textStart, textStart)
    let remainingEdgePairs = maxEdgePairs
    while (pendingPairs.length > 0) {
      const others = next[pendingPairs.pop()!]!
      const ones = next[pendingPairs.pop()!]!
      remainingEdgePairs -= ones.length * others.length
      if (remainingEdgePairs < 0) {
        for (const row of this.coexistingStates) row.fill()
        return
      }
      for (const one of ones) {
        const matching = intersects[setIndexes[one]!]!
        for (const other of others) if (matching[setIndexes[other]!] === true) reach(one, other)
      }
    }
  }

  /** Returns whether two states coexist. */
  has(one: number, other: number): boolean {
    return this.coexistingStates[one]!.has(other)
  }

  emptySet(): StateSet {
    return new StateSet(this.coexistingStates.length)
  }

  /** Adds the states that coexist with a state to a set. */
  addCoexisting(state: number, to: StateSet): void {
    to.addAll(this.coexistingStates[state]!)
  }

  /** Returns a lower bound, at most 64, of the number of characters between two visits of a state, by any paths. */
  minGap(state: number): number {
    return (this.gapOfState[state] ??= this.findGap(state))
  }

  /** Follows the edges backwards: after `gap` steps, `starts` are the states from which paths of that length lead to the state. */
  private findGap(state: number): number {
    const seen = new Set<number>()
    let ends: readonly number[] = [state]
    for (let gap = 1; gap < maxGap; gap++) {
      const starts = new Set(ends.flatMap((end) => this.predecessors[end]!))
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
