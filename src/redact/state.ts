import type { RedactAutomaton } from './automaton.ts'
import type { Censor } from './censor.ts'
import { isArrayIndex } from './keys.ts'
import type { Place } from './places.ts'

/** A state of the finite automaton of the rules, which determines how a value and everything below it is redacted. */
export interface RedactState {
  /** Set if the value is redacted, unless it is null or undefined. */
  readonly censor: Censor | undefined
  /** Whether no rule can match here or below. */
  readonly inert: boolean
  /** Whether only the rule for credential headers can match here or below, below a member that contains headers. */
  readonly findsHeadersOnly: boolean
  /** Returns the state of the member `key`. Never throws. */
  step(key: string): RedactState
  /** The state of every array item; undefined if it depends on the index, and then `step(String(index))` returns it. */
  readonly item: RedactState | undefined
  /** Data that the walk caches for this state. */
  cache: unknown
}

/**
 * Returns the state in which the rules of both states apply, for a value that is reached in two ways. Both states must belong to one
 * redaction. The censor is that of the rule with precedence.
 */
export function unionState(a: RedactState, b: RedactState): RedactState {
  if (a === b || !(b instanceof State)) return a
  if (!(a instanceof State)) return b
  const known = a.unions?.get(b)
  if (known !== undefined) return known
  const union = a.automaton.stateOf([...a.places, ...b.places])
  if (b.kept && a.mayRemember(union)) (a.unions ??= new Map()).set(b, union)
  return union
}

/**
 * Returns the state of a list with the rules of `state` whose items are also redacted like the attributes. So the member `password` of an
 * item is redacted by the rule `password`, and also by a rule that includes the path of the item.
 */
export function listState(state: RedactState): RedactState {
  if (!(state instanceof State)) return state
  const { automaton, places } = state
  const { list, start } = automaton.places
  return start.length === 0 ? state : automaton.stateOf([...places, list])
}

/**
 * Returns the state for the replacement that a censor returned for the value at `state`. Rules apply to it as to other data, so the
 * function of a child cannot relax them. But functions are not called for their own results, which are replaced by `[REDACTED]`. If a
 * function returns the value itself, nothing changes for the values below.
 */
export function replacedState(state: RedactState, value: unknown, replacement: unknown): RedactState {
  return value === replacement || !(state instanceof State) ? state : state.afterCensor()
}

/**
 * A state of the deterministic automaton: a set of NFA states. Equal sets share one state (and its cache), and states are created when they
 * are first reached. Names that no rule mentions share transitions, so that keys of user data are never retained.
 */
export class State implements RedactState {
  readonly censor: Censor | undefined
  readonly inert: boolean
  readonly findsHeadersOnly: boolean
  cache: unknown = undefined
  readonly automaton: RedactAutomaton
  readonly places: readonly number[]
  /** Whether the automaton caches this state. Only cached states have cached transitions and are the targets of such. */
  readonly kept: boolean
  unions: Map<State, State> | undefined
  // Transitions by the names that rules mention, by the tests that a name passed, and by any other name.
  private readonly byName = new Map<string, State>()
  private readonly byTests = new Map<string, State>()
  private byOther: State | undefined
  private readonly tests: readonly TestPlace[]
  private readonly namesIndex: boolean
  private readonly isList: boolean
  private ofItems: State | undefined
  private replaced: State | undefined

  constructor(automaton: RedactAutomaton, places: readonly number[], kept: boolean) {
    const own = places.map((place) => automaton.places.all[place]!)
    this.censor = own.find((place) => place.kind === 'covered')?.censor
    this.inert = own.length === 0
    this.findsHeadersOnly = !this.inert && own.every((place) => place.kind === 'test' && place.findsHeaders)
    this.automaton = automaton
    this.places = places
    this.kept = kept
    this.isList = own.some((place) => place.kind === 'list')
    this.tests = (this.isList ? this.withStarts(own) : own).filter((place) => place.kind === 'test')
    this.namesIndex = own.some((place) => place.kind === 'name' && isArrayIndex(place.name))
  }

  step(key: string): RedactState {
    const known = this.byName.get(key)
    if (known !== undefined) return known
    if (!this.automaton.names.has(key)) return this.stepUnnamed(key)
    const next = this.automaton.after(this.places, key)
    if (this.mayRemember(next)) this.byName.set(key, next)
    return next
  }

  get item(): RedactState | undefined {
    if (this.namesIndex) return undefined
    // No test accepts an index.
    return this.isList ? this.listItem('0') : this.other()
  }

  /** Returns the state for the result of a censor function. */
  afterCensor(): RedactState {
    if (this.replaced !== undefined) return this.replaced
    const { all, afterCensor } = this.automaton.places
    const below = this.places.filter((place) => all[place]!.kind !== 'covered')
    const next = this.automaton.stateOf(below.map((place) => afterCensor[place]!))
    if (this.mayRemember(next)) this.replaced = next
    return next
  }

  private withStarts(own: readonly Place[]): readonly Place[] {
    const { all } = this.automaton.places
    const starts = own.flatMap((place) => (place.kind === 'list' ? this.automaton.closed(place.starts) : []))
    return [...own, ...starts.map((start) => all[start]!)]
  }

  /** Returns the state of an item of a list, at an index that no rule names here. */
  private listItem(index: string): State {
    if (this.ofItems !== undefined) return this.ofItems
    const next = this.automaton.after(this.places, index)
    if (this.mayRemember(next)) this.ofItems = next
    return next
  }

  private stepUnnamed(key: string): State {
    if (this.isList && isArrayIndex(key)) return this.listItem(key)
    let passed = ''
    for (const place of this.tests) if (place.test(key)) passed += place.next + ','
    if (passed === '') return this.other()
    const known = this.byTests.get(passed)
    if (known !== undefined) return known
    const next = this.automaton.after(this.places, key)
    if (this.mayRemember(next)) this.byTests.set(passed, next)
    return next
  }

  private other(): State {
    if (this.byOther !== undefined) return this.byOther
    const next = this.automaton.after(this.places, undefined)
    if (this.mayRemember(next)) this.byOther = next
    return next
  }

  /** Returns whether a transition to `next` may be cached. */
  mayRemember(next: State): boolean {
    return this.kept && next.kept && this.automaton.mayKeepTransition()
  }
}

type TestPlace = Extract<Place, { kind: 'test' }>
