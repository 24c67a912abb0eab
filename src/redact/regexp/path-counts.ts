import { anyStart, textStart, type Automaton, type State } from './automaton.ts'
import { Coexistence, type StateSet } from './coexistence.ts'

/** Counts above this limit are considered exponential. */
export const maxPaths = 1e9
/** Counts that still grow after this many rounds are assumed to grow without a limit. */
const maxRounds = 64

/** States with more incoming edges are bounded only by groups. */
const maxNeighbors = 32

/** An edge to a state, with its number of ways. */
interface Edge {
  readonly from: number
  readonly ways: number
}

/** Where matches start: at each character, or only at the first one. */
export type StartCounts = 'everywhere' | 'once'

/**
 * Upper bounds, over all texts, of the number of paths that lead to each state of an automaton, for successive characters of a text.
 *
 * The bound of a state is the sum of the bounds of its predecessors, but only of those that some text reaches at the same time
 * (`Coexistence`). Once the engine has reached a state that is certain to match, it never returns to an earlier one, and the next search
 * begins after the match. So at each character there is at most one visit of such states.
 */
export class PathCounts {
  private readonly states: readonly State[]
  private readonly starts: StartCounts
  private readonly coexistence: Coexistence
  private counts: Float64Array
  private largest = 0
  /** For each state, groups of its incoming edges. At most one edge of each group is used at a time. */
  private readonly incoming: readonly (readonly (readonly Edge[])[])[]
  /** For each state, the edges that can be used together with each of its incoming edges; empty if it has too many. */
  private readonly neighbors: readonly (readonly (readonly Edge[])[])[]
  /** Groups of states. At most one state of each group is reached at a time. */
  private readonly groups: readonly (readonly number[])[]
  /** The number of steps of one visit of each state. */
  private readonly costs: readonly number[]

  constructor(automaton: Automaton, starts: StartCounts) {
    const { states } = automaton
    this.states = states
    this.starts = starts
    this.coexistence = new Coexistence(automaton)
    this.counts = new Float64Array(states.length)
    this.counts[anyStart] = 1
    this.counts[textStart] = 1
    const edges = states.map((): Edge[] => [])
    for (const [from, { next }] of states.entries()) for (const [to, ways] of next) edges[to]!.push({ from, ways })
    this.incoming = edges.map((all) => this.grouped(all, ({ from }) => from))
    this.neighbors = edges.map((all) => (all.length > 2 && all.length <= maxNeighbors ? this.neighborsOf(all) : []))
    const reading = [...states.keys()].filter((state) => states[state]!.lookbehindSteps === 0)
    this.groups = this.grouped(reading, (state) => state)
    this.costs = states.map(({ next, checks }) => [...next.values()].reduce((sum, ways) => sum + ways, checks))
  }

  /** Advances by one character. With starts everywhere, counts never decrease. */
  advance(): void {
    this.counts = this.update(
      this.counts,
      this.starts === 'once' ? new Float64Array(this.counts.length) : this.counts.slice(),
    )
  }

  /**
   * Advances until the counts are valid for every character of any text. States are in the order of a match, so few rounds suffice unless a
   * loop makes counts grow.
   *
   * @returns the position of the first state whose count grows without a limit
   */
  settle(): number | undefined {
    let grown: number | undefined
    for (let round = 0; round < maxRounds; round++) {
      const before = this.counts.slice()
      this.update(this.counts, this.counts)
      const state = before.findIndex((count, state) => this.counts[state]! > count)
      if (state < 0) return undefined
      grown = this.states[state]!.position
      if (this.largest > maxPaths) break
    }
    return grown
  }

  private update(before: Float64Array, counts: Float64Array): Float64Array {
    for (let state = textStart + 1; state < counts.length; state++) {
      let sum = 0
      for (const group of this.incoming[state]!) {
        let most = 0
        for (const { from, ways } of group) most = Math.max(most, ways * before[from]!)
        sum += most
      }
      // The edges used at the same time are all neighbors of each other.
      const neighbors = this.neighbors[state]!
      if (neighbors.length > 0) {
        const sums = neighbors.map((all) => all.reduce((ways, edge) => ways + edge.ways * before[edge.from]!, 0))
        sum = Math.min(sum, Math.max(...sums))
      }
      if (this.starts === 'everywhere' && this.states[state]!.isAccepting) sum = Math.min(sum, 1)
      if (sum > counts[state]!) counts[state] = sum
      if (sum > this.largest) this.largest = sum
    }
    return counts
  }

  /** Returns the maximum number of steps at one character. */
  peakSteps(): number {
    const { counts, costs } = this
    return this.groups.reduce(
      (sum, group) => sum + group.reduce((most, state) => Math.max(most, counts[state]! * costs[state]!), 0),
      this.lookbehindSteps(),
    )
  }

  /**
   * Returns the maximum number of steps for each character, on average over a text. A state is reached at most once in
   * `Coexistence.leastGap` characters, and the other states of its group at the remaining ones.
   */
  averageSteps(textLength: number): number {
    let sum = this.lookbehindSteps()
    for (const group of this.groups) {
      let left = 1
      for (const state of group.toSorted((one, other) => this.stepsOf(other) - this.stepsOf(one))) {
        const steps = this.stepsOf(state)
        if (left <= 0 || steps === 0) break
        const share = Math.min(left, 1 / this.coexistence.leastGap(state) + 1 / textLength)
        sum += share * steps
        left -= share
      }
    }
    return sum
  }

  /** Returns the position of the first state with which the steps exceed the limit `most`, if the total is `average`. */
  positionOf(most: number, average: number): number {
    const { states, groups } = this
    if (this.lookbehindSteps() > average / 2) return states.find((state) => state.lookbehindSteps > 0)!.position
    const groupOf = new Map(groups.flatMap((group) => group.map((state) => [state, group])))
    const largest = new Map<readonly number[], number>()
    const limit = (most * this.peakSteps()) / average
    let sum = 0
    for (const state of states.keys()) {
      const group = groupOf.get(state)
      if (group === undefined) continue
      const before = largest.get(group) ?? 0
      const steps = Math.max(before, this.stepsOf(state))
      largest.set(group, steps)
      sum += steps - before
      if (sum >= limit) return states[state]!.position
    }
    return states.at(-1)!.position
  }

  /** Returns the position of the first state that is reached at the current character. */
  firstReached(): number {
    return (this.states.find((_, state) => state > textStart && this.counts[state]! > 0) ?? this.states.at(-1)!)
      .position
  }

  /** Returns the steps of the lookbehinds that are counted for each character, once for each path that evaluates them. */
  private lookbehindSteps(): number {
    return this.states.reduce((sum, { lookbehindSteps }, state) => sum + lookbehindSteps * this.counts[state]!, 0)
  }

  private neighborsOf(all: readonly Edge[]): Edge[][] {
    return all.map((edge) => all.filter((other) => this.coexistence.has(edge.from, other.from)))
  }

  private stepsOf(state: number): number {
    return this.counts[state]! * this.costs[state]!
  }

  /**
   * Forms groups of items of which no two can coexist. Copies of one part are grouped first, so that the copies after a separator share a
   * group instead of being spread over the groups of a part whose copies all coexist.
   */
  private grouped<T>(all: readonly T[], stateOf: (item: T) => number): T[][] {
    if (all.length < 2) return [[...all]]
    if (all.length === 2) {
      const [one, other] = all as readonly [T, T]
      return this.coexistence.has(stateOf(one), stateOf(other)) ? [[one], [other]] : [[one, other]]
    }
    const parts = [...Map.groupBy(all, (item) => this.states[stateOf(item)]!.atom).values()]
    const groups = parts.map((items) =>
      this.packed(
        items.map((item) => [item]),
        stateOf,
      ),
    )
    return this.packed(groups.flat(), stateOf)
  }

  /** Adds each bundle to the first group with which it does not coexist. */
  private packed<T>(bundles: readonly T[][], stateOf: (item: T) => number): T[][] {
    const groups: { readonly items: T[]; readonly conflicts: StateSet }[] = []
    for (const bundle of bundles) {
      let group = groups.find(({ conflicts }) => !bundle.some((item) => conflicts.has(stateOf(item))))
      if (group === undefined) groups.push((group = { items: [], conflicts: this.coexistence.emptySet() }))
      for (const item of bundle) {
        group.items.push(item)
        this.coexistence.addAll(stateOf(item), group.conflicts)
      }
    }
    return groups.map(({ items }) => items)
  }
}
