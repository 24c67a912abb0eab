import { anyStart, textStart, type Automaton, type State } from './automaton.ts'
import { Coexistence, type StateSet } from './coexistence.ts'

/** Counts above this limit are considered exponential. */
export const maxPaths = 1e9
/** Counts that still grow after this many rounds are assumed to grow without a limit. */
const maxRounds = 64

/** For states with more incoming edges, neighbors are not determined. */
const maxEdgesWithNeighbors = 32

/** An edge to a state. */
interface Edge {
  readonly from: number
  /** In how many ways the engine gets from `from` to the state without matching a character, as in `State.next`. */
  readonly ways: number
}

/** Where matches may start: at each character, or only at the first one. */
export type MatchStarts = 'everywhere' | 'once'

/**
 * Upper bounds, over all texts, of the number of paths that lead to each state of an automaton, for successive characters of a text.
 *
 * The bound of a state is the sum of the bounds of its predecessors, but only of those that some text reaches at the same time
 * (`Coexistence`). Once the engine has reached a state that is certain to match, it never returns to an earlier one, and the next search
 * begins after the match. So at each character there is at most one visit of such states.
 */
export class PathCounts {
  private readonly states: readonly State[]
  private readonly starts: MatchStarts
  private readonly coexistence: Coexistence
  private counts: Float64Array
  private largestCount = 0
  /** For each state, groups of its incoming edges. At most one edge of each group is used at a time. */
  private readonly incoming: readonly (readonly (readonly Edge[])[])[]
  /**
   * For each state and each of its incoming edges, those that can be used together with this edge, itself included. Empty for a state with
   * too many edges, or with fewer than three, for which groups suffice.
   */
  private readonly neighbors: readonly (readonly (readonly Edge[])[])[]
  /** Groups of the states without `lookaroundSteps`. At most one state of each group is reached at a time. */
  private readonly groups: readonly (readonly number[])[]
  /** For each state, the number of steps of one visit. */
  private readonly costs: readonly number[]

  constructor(automaton: Automaton, starts: MatchStarts) {
    const { states } = automaton
    this.states = states
    this.starts = starts
    this.coexistence = new Coexistence(automaton)
    this.counts = new Float64Array(states.length)
    this.counts[anyStart] = 1
    this.counts[textStart] = 1
    const edges = states.map((): Edge[] => [])
    for (const [from, { next }] of states.entries()) for (const [to, ways] of next) edges[to]!.push({ from, ways })
    this.incoming = edges.map((all) => this.groupExclusive(all, ({ from }) => from))
    this.neighbors = edges.map((all) =>
      all.length > 2 && all.length <= maxEdgesWithNeighbors ? this.neighborsOf(all) : [],
    )
    const statesWithoutLookaround = [...states.keys()].filter((state) => states[state]!.lookaroundSteps === 0)
    this.groups = this.groupExclusive(statesWithoutLookaround, (state) => state)
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
   * Advances until the counts no longer change, so that they are valid for every character of any text. Counts are updated in place, and
   * most edges lead to a later state, so few rounds suffice unless a loop makes counts grow.
   *
   * @returns undefined, or the position of the first state whose count still grew in the last round, and so is assumed to grow without a
   *   limit
   */
  advanceUntilStable(): number | undefined {
    let growingPosition: number | undefined
    for (let round = 0; round < maxRounds; round++) {
      const before = this.counts.slice()
      this.update(this.counts, this.counts)
      const state = before.findIndex((count, state) => this.counts[state]! > count)
      if (state < 0) return undefined
      growingPosition = this.states[state]!.quantifierOffset
      if (this.largestCount > maxPaths) break
    }
    return growingPosition
  }

  /** Computes the counts after one more character from those `before`, and stores them in `counts` where they are larger. */
  private update(before: Float64Array, counts: Float64Array): Float64Array {
    for (let state = textStart + 1; state < counts.length; state++) {
      let sum = 0
      for (const group of this.incoming[state]!) {
        let largestInGroup = 0
        for (const { from, ways } of group) largestInGroup = Math.max(largestInGroup, ways * before[from]!)
        sum += largestInGroup
      }
      // Edges that are used at the same time are all neighbors of each other, so the largest sum of neighbors is a bound too.
      const neighbors = this.neighbors[state]!
      if (neighbors.length > 0) {
        const sums = neighbors.map((all) => all.reduce((total, { from, ways }) => total + ways * before[from]!, 0))
        sum = Math.min(sum, Math.max(...sums))
      }
      if (this.starts === 'everywhere' && this.states[state]!.isAccepting) sum = Math.min(sum, 1)
      if (sum > counts[state]!) counts[state] = sum
      if (sum > this.largestCount) this.largestCount = sum
    }
    return counts
  }

  /** Returns the maximum number of steps at one character. */
  peakSteps(): number {
    const { counts, costs } = this
    return this.groups.reduce(
      (sum, group) => sum + group.reduce((largest, state) => Math.max(largest, counts[state]! * costs[state]!), 0),
      this.lookaroundSteps(),
    )
  }

  /**
   * Returns the maximum number of steps for each character, on average over a text. A state is reached at most once in
   * `Coexistence.minGap` characters, and the other states of its group at the remaining ones.
   */
  averageSteps(textLength: number): number {
    let sum = this.lookaroundSteps()
    for (const group of this.groups) {
      let remainingShare = 1
      for (const state of group.toSorted((one, other) => this.stepsOf(other) - this.stepsOf(one))) {
        const steps = this.stepsOf(state)
        if (remainingShare <= 0 || steps === 0) break
        const share = Math.min(remainingShare, 1 / this.coexistence.minGap(state) + 1 / textLength)
        sum += share * steps
        remainingShare -= share
      }
    }
    return sum
  }

  /**
   * Returns the position of the first state with which the steps exceed a limit. If lookarounds cause more than half of the steps, returns
   * that of the first lookaround.
   *
   * @param average - the steps for each character, on average over a text, which must exceed the limit
   */
  excessPosition(limit: number, average: number): number {
    const { states, groups } = this
    if (this.lookaroundSteps() > average / 2) return states.find((state) => state.lookaroundSteps > 0)!.quantifierOffset
    const groupOf = new Map(groups.flatMap((group) => group.map((state) => [state, group])))
    const stepsOfGroup = new Map<readonly number[], number>()
    // The loop adds up peak steps, so the limit, which applies to average steps, is scaled by the ratio of peak to average.
    const peakLimit = (limit * this.peakSteps()) / average
    let sum = 0
    for (const state of states.keys()) {
      const group = groupOf.get(state)
      if (group === undefined) continue
      const before = stepsOfGroup.get(group) ?? 0
      const steps = Math.max(before, this.stepsOf(state))
      stepsOfGroup.set(group, steps)
      sum += steps - before
      if (sum >= peakLimit) return states[state]!.quantifierOffset
    }
    return states.at(-1)!.quantifierOffset
  }

  /** Returns the position of the first state that is reached at the current character. */
  firstReachedPosition(): number {
    return (this.states.find((_, state) => state > textStart && this.counts[state]! > 0) ?? this.states.at(-1)!)
      .quantifierOffset
  }

  /** Returns the steps of the lookarounds that are counted for each character, once for each path that evaluates them. */
  private lookaroundSteps(): number {
    return this.states.reduce((sum, { lookaroundSteps }, state) => sum + lookaroundSteps * this.counts[state]!, 0)
  }

  /** Returns for each edge those that can be used at the same time. */
  private neighborsOf(all: readonly Edge[]): Edge[][] {
    return all.map((edge) => all.filter((other) => this.coexistence.has(edge.from, other.from)))
  }

  /** Returns the maximum number of steps in a state at one character. */
  private stepsOf(state: number): number {
    return this.counts[state]! * this.costs[state]!
  }

  /**
   * Forms groups of items of which no two can coexist. First, the copies of each atom, from an expanded repetition, are grouped among
   * themselves; then these groups are merged. In one pass, an atom whose copies all coexist would open a group for each of them, and the
   * copies of another atom, which exclude each other, would be spread over these groups instead of sharing one.
   */
  private groupExclusive<T>(all: readonly T[], stateOf: (item: T) => number): T[][] {
    if (all.length < 2) return [[...all]]
    if (all.length === 2) {
      const [one, other] = all as readonly [T, T]
      return this.coexistence.has(stateOf(one), stateOf(other)) ? [[one], [other]] : [[one, other]]
    }
    const copiesByAtom = [...Map.groupBy(all, (item) => this.states[stateOf(item)]!.atomOffset).values()]
    const groups = copiesByAtom.map((items) =>
      this.pack(
        items.map((item) => [item]),
        stateOf,
      ),
    )
    return this.pack(groups.flat(), stateOf)
  }

  /** Adds each bundle to the first group with which it does not coexist, or else to a new one. */
  private pack<T>(bundles: readonly T[][], stateOf: (item: T) => number): T[][] {
    const groups: { readonly items: T[]; readonly conflicts: StateSet }[] = []
    for (const bundle of bundles) {
      let group = groups.find(({ conflicts }) => !bundle.some((item) => conflicts.has(stateOf(item))))
      if (group === undefined) groups.push((group = { items: [], conflicts: this.coexistence.emptySet() }))
      for (const item of bundle) {
        group.items.push(item)
        this.coexistence.addCoexisting(stateOf(item), group.conflicts)
      }
    }
    return groups.map(({ items }) => items)
  }
}
