import type { Censor } from './censor.ts'
import { isArrayIndex } from './keys.ts'
import type { Nfa, NfaState } from './nfa.ts'

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

/** The automaton as its states use it. */
export interface StateTable {
  readonly nfa: Nfa
  /** The names that rules mention. */
  readonly names: ReadonlySet<string>
  /** Returns the state for a set of NFA states and those that are reached from them without a name. */
  stateOf(nfaStates: readonly number[]): State
  /** Returns the state after a member. With `undefined`, no rule mentions the member's name and no test accepts it. */
  after(nfaStates: readonly number[], key: string | undefined): State
  /** Returns the closure in ascending order, without duplicates, and with only the first `redacted` NFA state, which has precedence. */
  closed(nfaStates: readonly number[]): readonly number[]
  /** Counts a transition. Returns whether it may be cached. */
  mayKeepTransition(): boolean
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
  const union = a.automaton.stateOf([...a.nfaStates, ...b.nfaStates])
  if (b.kept && a.mayRemember(union)) (a.unions ??= new Map()).set(b, union)
  return union
}

/**
 * Returns the state of a list with the rules of `state` whose items are also redacted like the attributes. So the member `password` of an
 * item is redacted by the rule `password`, and also by a rule that includes the path of the item.
 */
export function listState(state: RedactState): RedactState {
  if (!(state instanceof State)) return state
  const { automaton, nfaStates } = state
  const { list, start } = automaton.nfa
  return start.length === 0 ? state : automaton.stateOf([...nfaStates, list])
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
  readonly automaton: StateTable
  readonly nfaStates: readonly number[]
  /** Whether the automaton caches this state. Only cached states have cached transitions and are the targets of such. */
  readonly kept: boolean
  unions: Map<State, State> | undefined
  // Transitions by the names that rules mention, by the tests that a name passed, and by any other name.
  private readonly byName = new Map<string, State>()
  private readonly byTests = new Map<string, State>()
  private byOther: State | undefined
  private readonly tests: readonly TestState[]
  private readonly namesIndex: boolean
  private readonly isList: boolean
  private ofItems: State | undefined
  private replaced: State | undefined

  constructor(automaton: StateTable, nfaStates: readonly number[], kept: boolean) {
    const own = nfaStates.map((nfaState) => automaton.nfa.all[nfaState]!)
    this.censor = own.find((nfaState) => nfaState.kind === 'redacted')?.censor
    this.inert = own.length === 0
    this.findsHeadersOnly = !this.inert && own.every((nfaState) => nfaState.kind === 'test' && nfaState.findsHeaders)
    this.automaton = automaton
    this.nfaStates = nfaStates
    this.kept = kept
    this.isList = own.some((nfaState) => nfaState.kind === 'list')
    this.tests = (this.isList ? this.withStarts(own) : own).filter((nfaState) => nfaState.kind === 'test')
    this.namesIndex = own.some((nfaState) => nfaState.kind === 'name' && isArrayIndex(nfaState.name))
  }

  step(key: string): RedactState {
    const known = this.byName.get(key)
    if (known !== undefined) return known
    if (!this.automaton.names.has(key)) return this.stepUnnamed(key)
    const next = this.automaton.after(this.nfaStates, key)
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
    const { all, afterCensor } = this.automaton.nfa
    const below = this.nfaStates.filter((nfaState) => all[nfaState]!.kind !== 'redacted')
    const next = this.automaton.stateOf(below.map((nfaState) => afterCensor[nfaState]!))
    if (this.mayRemember(next)) this.replaced = next
    return next
  }

  private withStarts(own: readonly NfaState[]): readonly NfaState[] {
    const { all } = this.automaton.nfa
    const starts = own.flatMap((nfaState) => (nfaState.kind === 'list' ? this.automaton.closed(nfaState.starts) : []))
    return [...own, ...starts.map((start) => all[start]!)]
  }

  /** Returns the state of an item of a list, at an index that no rule names here. */
  private listItem(index: string): State {
    if (this.ofItems !== undefined) return this.ofItems
    const next = this.automaton.after(this.nfaStates, index)
    if (this.mayRemember(next)) this.ofItems = next
    return next
  }

  private stepUnnamed(key: string): State {
    if (this.isList && isArrayIndex(key)) return this.listItem(key)
    let passed = ''
    for (const nfaState of this.tests) if (nfaState.test(key)) passed += nfaState.next + ','
    if (passed === '') return this.other()
    const known = this.byTests.get(passed)
    if (known !== undefined) return known
    const next = this.automaton.after(this.nfaStates, key)
    if (this.mayRemember(next)) this.byTests.set(passed, next)
    return next
  }

  private other(): State {
    if (this.byOther !== undefined) return this.byOther
    const next = this.automaton.after(this.nfaStates, undefined)
    if (this.mayRemember(next)) this.byOther = next
    return next
  }

  /** Returns whether a transition to `next` may be cached. */
  mayRemember(next: State): boolean {
    return this.kept && next.kept && this.automaton.mayKeepTransition()
  }
}

type TestState = Extract<NfaState, { kind: 'test' }>
