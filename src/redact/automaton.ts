import type { NfaState, Nfa } from './nfa.ts'
import { isArrayIndex } from './keys.ts'
import { State, type RedactState, type StateTable } from './state.ts'

// The limits of the states that a redaction caches, of the NFA states in all of them, and of their transitions. Steps over a limit are not
// cached.
export const retainedStates = 4096
const maxCachedNfaStates = 1 << 20
const maxCachedTransitions = 16 * retainedStates

/** Returns the state of the attributes. */
export function startState(nfa: Nfa): RedactState {
  return new RedactAutomaton(nfa).stateOf(nfa.start)
}

/** The deterministic automaton of one redaction. It limits how many states it caches, because `**.a.*.*.*.*` alone can need 2^n of them. */
class RedactAutomaton implements StateTable {
  readonly nfa: Nfa
  readonly names: ReadonlySet<string>
  private readonly states = new Map<string, State>()
  private cachedNfaStates = 0
  private cachedTransitions = 0

  constructor(nfa: Nfa) {
    this.nfa = nfa
    this.names = new Set(nfa.all.flatMap((nfaState) => (nfaState.kind === 'name' ? [nfaState.name] : [])))
  }

  stateOf(nfaStates: readonly number[]): State {
    const set = this.closed(nfaStates)
    const id = set.join()
    const known = this.states.get(id)
    if (known !== undefined) return known
    const kept = this.states.size < retainedStates && this.cachedNfaStates + set.length <= maxCachedNfaStates
    const state = new State(this, set, kept)
    if (!kept) return state
    this.states.set(id, state)
    this.cachedNfaStates += set.length
    return state
  }

  after(nfaStates: readonly number[], key: string | undefined): State {
    const reached: number[] = []
    for (const from of nfaStates) this.advance(from, key, reached)
    return this.stateOf(reached)
  }

  /** Adds the NFA states that are reached from one NFA state with `key`. */
  private advance(from: number, key: string | undefined, reached: number[]): void {
    const nfaState = this.nfa.all[from]!
    if (nfaState.kind === 'redacted' || nfaState.kind === 'union') return
    if (nfaState.kind === 'list') {
      if (key !== undefined && isArrayIndex(key)) reached.push(...nfaState.starts)
      else for (const start of this.closed(nfaState.starts)) this.advance(start, key, reached)
      return
    }
    if (nfaState.kind === 'deep' || nfaState.kind === 'test') reached.push(from)
    if (nfaState.kind === 'any' || (key !== undefined && accepts(nfaState, key))) reached.push(nfaState.next)
  }

  mayKeepTransition(): boolean {
    return this.cachedTransitions++ < maxCachedTransitions
  }

  closed(nfaStates: readonly number[]): readonly number[] {
    const set = new Set(nfaStates)
    // Iterating a set also yields values that are added during the iteration.
    for (const at of set) {
      const nfaState = this.nfa.all[at]!
      if (nfaState.kind === 'deep') set.add(nfaState.next)
      else if (nfaState.kind === 'union') for (const each of nfaState.states) set.add(each)
    }
    const ordered = [...set].toSorted((a, b) => a - b)
    const first = ordered.find((at) => this.nfa.all[at]!.kind === 'redacted')
    return ordered.filter((at) => at === first || this.nfa.all[at]!.kind !== 'redacted')
  }
}

function accepts(nfaState: Exclude<NfaState, { kind: 'redacted' | 'list' | 'union' }>, key: string): boolean {
  return nfaState.kind === 'name' ? nfaState.name === key : nfaState.kind === 'test' && nfaState.test(key)
}
