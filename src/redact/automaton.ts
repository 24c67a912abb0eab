import type { Place, Places } from './places.ts'
import { isArrayIndex } from './keys.ts'
import { State, type RedactState } from './state.ts'

// The limits of the states that a redaction caches, of the NFA states in all of them, and of their transitions. Steps over a limit are not
// cached.
export const retainedStates = 4096
const keptPlaces = 1 << 20
const keptTransitions = 16 * retainedStates

/** Returns the state of the attributes. */
export function startState(places: Places): RedactState {
  return new RedactAutomaton(places).stateOf(places.start)
}

/** The deterministic automaton of one redaction. It limits how many states it caches, because `**.a.*.*.*.*` alone can need 2^n of them. */
export class RedactAutomaton {
  readonly places: Places
  /** The names that rules mention. */
  readonly names: ReadonlySet<string>
  private readonly states = new Map<string, State>()
  private cachedPlaces = 0
  private cachedTransitions = 0

  constructor(places: Places) {
    this.places = places
    this.names = new Set(places.all.flatMap((place) => (place.kind === 'name' ? [place.name] : [])))
  }

  /** Returns the state for a set of NFA states and those that are reached from them without a name. */
  stateOf(places: readonly number[]): State {
    const set = this.closed(places)
    const id = set.join()
    const known = this.states.get(id)
    if (known !== undefined) return known
    const kept = this.states.size < retainedStates && this.cachedPlaces + set.length <= keptPlaces
    const state = new State(this, set, kept)
    if (!kept) return state
    this.states.set(id, state)
    this.cachedPlaces += set.length
    return state
  }

  /** Returns the state after a member. With `undefined`, no rule mentions the member's name and no test accepts it. */
  after(places: readonly number[], key: string | undefined): State {
    const reached: number[] = []
    for (const from of places) this.advance(from, key, reached)
    return this.stateOf(reached)
  }

  /** Adds the NFA states that are reached from one NFA state with `key`. */
  private advance(from: number, key: string | undefined, reached: number[]): void {
    const place = this.places.all[from]!
    if (place.kind === 'covered' || place.kind === 'several') return
    if (place.kind === 'list') {
      if (key !== undefined && isArrayIndex(key)) reached.push(...place.starts)
      else for (const start of this.closed(place.starts)) this.advance(start, key, reached)
      return
    }
    if (place.kind === 'deep' || place.kind === 'test') reached.push(from)
    if (place.kind === 'any' || (key !== undefined && accepts(place, key))) reached.push(place.next)
  }

  /** Counts a transition. Returns whether it may be cached. */
  mayKeepTransition(): boolean {
    return this.cachedTransitions++ < keptTransitions
  }

  /** Returns the closure in ascending order, without duplicates, and with only the first `covered` NFA state, which has precedence. */
  closed(places: readonly number[]): readonly number[] {
    const set = new Set(places)
    // Iterating a set also yields values that are added during the iteration.
    for (const at of set) {
      const place = this.places.all[at]!
      if (place.kind === 'deep') set.add(place.next)
      else if (place.kind === 'several') for (const each of place.places) set.add(each)
    }
    const ordered = [...set].toSorted((a, b) => a - b)
    const first = ordered.find((at) => this.places.all[at]!.kind === 'covered')
    return ordered.filter((at) => at === first || this.places.all[at]!.kind !== 'covered')
  }
}

function accepts(place: Exclude<Place, { kind: 'covered' | 'list' | 'several' }>, key: string): boolean {
  return place.kind === 'name' ? place.name === key : place.kind === 'test' && place.test(key)
}
