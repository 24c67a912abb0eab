import type { Place, Places } from './places.ts'
import { isArrayIndex } from './keys.ts'
import { State, type RedactState } from './state.ts'

/** How many states a redaction keeps, of how many places in all, and how many transitions; a step beyond is not kept. */
export const retainedStates = 4096
const keptPlaces = 1 << 20
const keptTransitions = 16 * retainedStates

/** The state in which the attributes stand. */
export function startState(places: Places): RedactState {
  return new RedactAutomaton(places).stateOf(places.start)
}

/** Makes the states of one redaction, and bounds how many it keeps: `**.a.*.*.*.*` alone can need 2^n of them. */
export class RedactAutomaton {
  readonly places: Places
  /** The names that rules mention. */
  readonly names: ReadonlySet<string>
  private readonly states = new Map<string, State>()
  private placesKept = 0
  private transitionsKept = 0

  constructor(places: Places) {
    this.places = places
    this.names = new Set(places.all.flatMap((place) => (place.kind === 'name' ? [place.name] : [])))
  }

  /** The state of these places and of those that they lead to without a name. */
  stateOf(places: readonly number[]): State {
    const set = this.closed(places)
    const id = set.join()
    const known = this.states.get(id)
    if (known !== undefined) return known
    const kept = this.states.size < retainedStates && this.placesKept + set.length <= keptPlaces
    const state = new State(this, set, kept)
    if (!kept) return state
    this.states.set(id, state)
    this.placesKept += set.length
    return state
  }

  /** The state one member further; `undefined` is a name that no rule mentions and no test lets pass. */
  after(places: readonly number[], key: string | undefined): State {
    const reached: number[] = []
    for (const from of places) this.lead(from, key, reached)
    return this.stateOf(reached)
  }

  /** Adds the places that `key` leads to from one place. */
  private lead(from: number, key: string | undefined, reached: number[]): void {
    const place = this.places.all[from]!
    if (place.kind === 'covered' || place.kind === 'several') return
    if (place.kind === 'list') {
      if (key !== undefined && isArrayIndex(key)) reached.push(...place.starts)
      else for (const start of this.closed(place.starts)) this.lead(start, key, reached)
      return
    }
    if (place.kind === 'deep' || place.kind === 'test') reached.push(from)
    if (place.kind === 'any' || (key !== undefined && leadsOn(place, key))) reached.push(place.next)
  }

  mayKeepTransition(): boolean {
    return this.transitionsKept++ < keptTransitions
  }

  /** In ascending order, each once, with the `covered` place of precedence only. */
  closed(places: readonly number[]): readonly number[] {
    const set = new Set(places)
    // A set yields what is added to it while it is read, too.
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

function leadsOn(place: Exclude<Place, { kind: 'covered' | 'list' | 'several' }>, key: string): boolean {
  return place.kind === 'name' ? place.name === key : place.kind === 'test' && place.test(key)
}
