import type { Censor } from './censor.ts'
import { isArrayIndex } from './array-index.ts'
import type { Nfa, NfaState } from './nfa.ts'

/** A state of the finite automaton of the rules, which determines how a value and everything below it is redacted. */
export interface RedactState {
  /** The replacement of the value, unless the value is null or undefined; undefined if no rule redacts the value. */
  readonly censor: Censor | undefined
  /** Whether no rule can match the value or anything below it. */
  readonly hasNoRules: boolean
  /**
   * Whether the only rule that can match below is the one for credential headers, and no key on the way to the value is the name of a
   * member that contains headers.
   */
  readonly hasOnlyHeaderRule: boolean
  /** Returns the state of the member `key`, or of the array item at the index `key`. Never throws. */
  step(key: string): RedactState
  /** The state of every array item; undefined if it depends on the index, and then `step(String(index))` returns it. */
  readonly itemState: RedactState | undefined
  /** Data that the walk caches for this state. */
  walkCache: unknown
}

/** What states use of their automaton. */
export interface StateTable {
  readonly nfa: Nfa
  /** The names that paths mention. */
  readonly pathNames: ReadonlySet<string>
  /** Returns the state for the closure of these NFA states. */
  stateOf(nfaStates: readonly number[]): AutomatonState
  /**
   * Returns the state of a member. `undefined` represents every key that no path mentions and no test accepts, except the array indexes of
   * an NFA state `list`.
   */
  stateAfter(nfaStates: readonly number[], key: string | undefined): AutomatonState
  /**
   * Returns the NFA states and all those that they lead to without a key, in ascending order and without duplicates. Of the `redacted`
   * ones, only the first is included, because it has precedence.
   */
  closureOf(nfaStates: readonly number[]): readonly number[]
  /** Counts a transition. Returns whether it may be cached, which is false once the limit is exceeded. */
  reserveTransition(): boolean
}

/**
 * Returns the state in which the rules of both states apply, for a value that is reached in two ways. Both states must belong to the same
 * redaction. A state that is not an `AutomatonState` has no rules. The censor is that of the rule with precedence.
 */
export function mergeStates(a: RedactState, b: RedactState): RedactState {
  if (a === b || !(b instanceof AutomatonState)) return a
  if (!(a instanceof AutomatonState)) return b
  const cached = a.unions?.get(b)
  if (cached !== undefined) return cached
  const union = a.automaton.stateOf([...a.nfaStates, ...b.nfaStates])
  if (b.isCached && a.reserveTransitionTo(union)) (a.unions ??= new Map()).set(b, union)
  return union
}

/**
 * Returns the state of a list to whose items the rules apply twice: by their paths, as `state` defines it, and as if each item were the
 * attributes. So the rule `password` redacts the member `password` of an item.
 */
export function withItemsAsAttributes(state: RedactState): RedactState {
  if (!(state instanceof AutomatonState)) return state
  const { automaton, nfaStates } = state
  const { list, start } = automaton.nfa
  return start.length === 0 ? state : automaton.stateOf([...nfaStates, list])
}

/**
 * Returns the state for the replacement that a censor function returned for the value at `state`. Rules apply to the replacement as to
 * other data, so a child's censor cannot relax them. But in it, the default replacement is used instead of another call of a
 * censor function. If the function returned the value itself, `state` remains.
 */
export function stateOfReplacement(state: RedactState, value: unknown, replacement: unknown): RedactState {
  return value === replacement || !(state instanceof AutomatonState) ? state : state.afterCensor()
}

/**
 * A state of the deterministic automaton: a set of NFA states. Equal sets share one cached state, and states are created when they are
 * first reached. Names that no path mentions share transitions, so that keys of user data are never retained.
 */
export class AutomatonState implements RedactState {
  readonly censor: Censor | undefined
  readonly hasNoRules: boolean
  readonly hasOnlyHeaderRule: boolean
  walkCache: unknown = undefined
  readonly automaton: StateTable
  readonly nfaStates: readonly number[]
  /** Whether the automaton caches this state. Only transitions between two cached states are cached. */
  readonly isCached: boolean
  /** Cached results of `mergeStates` with this state as its first argument. */
  unions: Map<AutomatonState, AutomatonState> | undefined
  // Cached transitions: by a name that paths mention; by the tests that another name passes, as the numbers of the NFA states that these
  // lead to; and for all remaining names.
  private readonly byName = new Map<string, AutomatonState>()
  private readonly byTests = new Map<string, AutomatonState>()
  private byOther: AutomatonState | undefined
  private readonly tests: readonly TestState[]
  /** Whether a path continues here with an array index. */
  private readonly hasIndexPath: boolean
  private readonly isList: boolean
  private listItemState: AutomatonState | undefined
  private afterCensorState: AutomatonState | undefined

  constructor(automaton: StateTable, nfaStates: readonly number[], isCached: boolean) {
    const resolvedStates = nfaStates.map((nfaState) => automaton.nfa.states[nfaState]!)
    this.censor = resolvedStates.find((nfaState) => nfaState.kind === 'redacted')?.censor
    this.hasNoRules = resolvedStates.length === 0
    this.hasOnlyHeaderRule =
      !this.hasNoRules && resolvedStates.every((nfaState) => nfaState.kind === 'test' && nfaState.startsHeaderRule)
    this.automaton = automaton
    this.nfaStates = nfaStates
    this.isCached = isCached
    this.isList = resolvedStates.some((nfaState) => nfaState.kind === 'list')
    this.tests = (this.isList ? this.withListStarts(resolvedStates) : resolvedStates).filter(
      (nfaState) => nfaState.kind === 'test',
    )
    this.hasIndexPath = resolvedStates.some((nfaState) => nfaState.kind === 'name' && isArrayIndex(nfaState.name))
  }

  step(key: string): RedactState {
    const cached = this.byName.get(key)
    if (cached !== undefined) return cached
    if (!this.automaton.pathNames.has(key)) return this.stepUnmentioned(key)
    const next = this.automaton.stateAfter(this.nfaStates, key)
    if (this.reserveTransitionTo(next)) this.byName.set(key, next)
    return next
  }

  get itemState(): RedactState | undefined {
    if (this.hasIndexPath) return undefined
    // All items have the same state, since no test accepts an index.
    return this.isList ? this.listItem('0') : this.stepOther()
  }

  /** Returns the state for the result of a censor function. */
  afterCensor(): RedactState {
    if (this.afterCensorState !== undefined) return this.afterCensorState
    const { states, afterCensor } = this.automaton.nfa
    const remaining = this.nfaStates.filter((nfaState) => states[nfaState]!.kind !== 'redacted')
    const next = this.automaton.stateOf(remaining.map((nfaState) => afterCensor[nfaState]!))
    if (this.reserveTransitionTo(next)) this.afterCensorState = next
    return next
  }

  /**
   * Returns NFA states together with the `starts` of the lists among them: a key that is not an array index leads to the same states as it
   * does from these.
   */
  private withListStarts(resolvedStates: readonly NfaState[]): readonly NfaState[] {
    const { states } = this.automaton.nfa
    const starts = resolvedStates.flatMap((nfaState) =>
      nfaState.kind === 'list' ? this.automaton.closureOf(nfaState.starts) : [],
    )
    return [...resolvedStates, ...starts.map((start) => states[start]!)]
  }

  /** Returns the state of the items of a list. `index` is any index with which no path continues here. */
  private listItem(index: string): AutomatonState {
    if (this.listItemState !== undefined) return this.listItemState
    const next = this.automaton.stateAfter(this.nfaStates, index)
    if (this.reserveTransitionTo(next)) this.listItemState = next
    return next
  }

  /** Returns the state of a member whose name no path mentions. */
  private stepUnmentioned(key: string): AutomatonState {
    if (this.isList && isArrayIndex(key)) return this.listItem(key)
    let passedTests = ''
    for (const nfaState of this.tests) if (nfaState.test(key)) passedTests += nfaState.next + ','
    if (passedTests === '') return this.stepOther()
    const cached = this.byTests.get(passedTests)
    if (cached !== undefined) return cached
    const next = this.automaton.stateAfter(this.nfaStates, key)
    if (this.reserveTransitionTo(next)) this.byTests.set(passedTests, next)
    return next
  }

  /** Returns the state of members whose names no path mentions and no test accepts. */
  private stepOther(): AutomatonState {
    if (this.byOther !== undefined) return this.byOther
    const next = this.automaton.stateAfter(this.nfaStates, undefined)
    if (this.reserveTransitionTo(next)) this.byOther = next
    return next
  }

  /** Returns whether a transition to `next` may be cached, and counts it if both states are cached. */
  reserveTransitionTo(next: AutomatonState): boolean {
    return this.isCached && next.isCached && this.automaton.reserveTransition()
  }
}

type TestState = Extract<NfaState, { kind: 'test' }>
