import type { NfaState, Nfa } from './nfa.ts'
import { isArrayIndex } from './array-index.ts'
import { AutomatonState, type RedactState, type StateTable } from './state.ts'

// The limits of the cache of one redaction. States and transitions over a limit are not cached, but computed each time.
export const maxCachedStates = 4096
/** The maximum number of NFA states in all cached states together. */
const maxCachedNfaStates = 1 << 20
const maxCachedTransitions = 16 * maxCachedStates

/** Returns the state of the attributes, from which `step` leads to the states of their members. */
export function startState(nfa: Nfa): RedactState {
  return new RedactAutomaton(nfa).stateOf(nfa.start)
}

/**
 * The deterministic automaton of one redaction. It limits how many states it caches, because their number can double with each `*` of a
 * rule such as `**.a.*.*.*.*`.
 */
class RedactAutomaton implements StateTable {
  readonly nfa: Nfa
  readonly pathNames: ReadonlySet<string>
  private readonly states = new Map<string, AutomatonState>()
  private cachedNfaStates = 0
  private cachedTransitions = 0

  constructor(nfa: Nfa) {
    this.nfa = nfa
    this.pathNames = new Set(nfa.states.flatMap((nfaState) => (nfaState.kind === 'name' ? [nfaState.name] : [])))
  }

  stateOf(nfaStates: readonly number[]): AutomatonState {
    const closure = this.closureOf(nfaStates)
    const id = closure.join()
    const cached = this.states.get(id)
    if (cached !== undefined) return cached
    const isCached = this.states.size < maxCachedStates && this.cachedNfaStates + closure.length <= maxCachedNfaStates
    const state = new AutomatonState(this, closure, isCached)
    if (!isCached) return state
    this.states.set(id, state)
    this.cachedNfaStates += closure.length
    return state
  }

  stateAfter(nfaStates: readonly number[], key: string | undefined): AutomatonState {
    const reached: number[] = []
    for (const from of nfaStates) this.advance(from, key, reached)
    return this.stateOf(reached)
  }

  /** Adds to `reached` the NFA states that `key`, a key or undefined as for `stateAfter`, leads to from one NFA state. */
  private advance(from: number, key: string | undefined, reached: number[]): void {
    const nfaState = this.nfa.states[from]!
    if (nfaState.kind === 'redacted' || nfaState.kind === 'union') return
    if (nfaState.kind === 'list') {
      if (key !== undefined && isArrayIndex(key)) reached.push(...nfaState.starts)
      else for (const start of this.closureOf(nfaState.starts)) this.advance(start, key, reached)
      return
    }
    if (nfaState.kind === 'deep' || nfaState.kind === 'test') reached.push(from)
    if (nfaState.kind === 'any' || (key !== undefined && matchesNameOrTest(nfaState, key))) reached.push(nfaState.next)
  }

  reserveTransition(): boolean {
    return this.cachedTransitions++ < maxCachedTransitions
  }

  closureOf(nfaStates: readonly number[]): readonly number[] {
    const set = new Set(nfaStates)
    // The iteration of a set also yields values that are added during the iteration.
    for (const index of set) {
      const nfaState = this.nfa.states[index]!
      if (nfaState.kind === 'deep') set.add(nfaState.next)
      else if (nfaState.kind === 'union') for (const next of nfaState.states) set.add(next)
    }
    const ordered = [...set].toSorted((a, b) => a - b)
    const firstRedacted = ordered.find((index) => this.nfa.states[index]!.kind === 'redacted')
    return ordered.filter((index) => index === firstRedacted || this.nfa.states[index]!.kind !== 'redacted')
  }
}

/** Returns whether an NFA state of kind `name` or `test` matches a key; false for the other kinds. */
function matchesNameOrTest(nfaState: Exclude<NfaState, { kind: 'redacted' | 'list' | 'union' }>, key: string): boolean {
  return nfaState.kind === 'name' ? nfaState.name === key : nfaState.kind === 'test' && nfaState.test(key)
}
