import { headerTextCensor } from './header-text.ts'
import { defaultCensor, type Censor } from './censor.ts'
import { isCredentialAttribute, isCredentialHeader, isHeaders, isRawMessage } from './headers.ts'
import type { KeyTest } from './key-test.ts'
import type { RedactSegment } from './path.ts'

/** The rules of one `redact` option, which share a censor. */
export interface RuleLayer {
  readonly paths: readonly (readonly RedactSegment[])[]
  readonly keys: KeyTest | undefined
  readonly censor: Censor
}

/**
 * A state of the nondeterministic automaton (NFA): a position between the segments of a rule, and the transition from it. NFA states are
 * identified by numbers; a set of them is one state of the deterministic automaton in state.ts.
 *
 *     a.**.x    0 ─a→ 1 ─x→ redacted        1 is `deep`: it also applies to every member below
 */
export type NfaState =
  | { readonly kind: 'name'; readonly name: string; readonly next: number }
  | { readonly kind: 'any'; readonly next: number }
  | { readonly kind: 'deep'; readonly next: number }
  /** Represents several NFA states that apply to the same value. */
  | { readonly kind: 'union'; readonly states: readonly number[] }
  /** Applies to this value and everything below it. A member whose name passes the test leads to `next`. */
  | { readonly kind: 'test'; readonly test: KeyTest; readonly next: number; readonly findsHeaders: boolean }
  /** A list whose items are redacted like the attributes: an index leads to the start states, a name to where it leads from these. */
  | { readonly kind: 'list'; readonly starts: readonly number[] }
  | { readonly kind: 'redacted'; readonly censor: Censor }

/** All NFA states of a redaction. Of two `redacted` states the lower number wins, because layers are numbered in order of precedence. */
export interface Nfa {
  readonly all: readonly NfaState[]
  /** The NFA states of the attributes. */
  readonly start: readonly number[]
  /** The NFA state of kind `list`. */
  readonly list: number
  /**
   * For each NFA state, the corresponding state for the result of a censor function. In it the replacement is `[REDACTED]` instead of a
   * call of the function for its own result, which might never terminate.
   */
  readonly afterCensor: readonly number[]
}

/**
 * Creates the NFA states of rules.
 *
 * @param layers - the root's rules first, then those of children; if several rules match, the first censor wins. The rule for credential
 *   headers follows the root's rules, which may override it, and precedes those of children
 * @param headers - whether to add the rule for credential headers
 */
export function buildNfa(layers: readonly RuleLayer[], headers = true): Nfa {
  const all: NfaState[] = []
  const start: number[] = []
  const afterCensor: number[] = []
  const [root, ...children] = layers
  if (root !== undefined) addLayer(root)
  const credential = headers ? addOwn({ kind: 'redacted', censor: defaultCensor }) : undefined
  for (const child of children) addLayer(child)
  if (credential !== undefined) addHeaders(credential)
  const list = add(all, { kind: 'list', starts: start })
  const listAfterCensor = add(all, { kind: 'list', starts: start.map((state) => afterCensor[state]!) })
  afterCensor.push(listAfterCensor, listAfterCensor)
  return { all, start, list, afterCensor }

  function addLayer(layer: RuleLayer): void {
    const first = all.length
    start.push(...addRules(layer, layer.censor, all))
    const length = all.length - first
    if (!layer.censor.constant) addRules(layer, defaultCensor, all)
    const distance = all.length - first - length
    for (let state = first; state < all.length; state++)
      afterCensor.push(state < first + length ? state + distance : state)
  }

  /**
   * Adds the rule for credential headers. The censor of header text comes last, because any other rule redacts the whole text.
   *
   * @param credential - the NFA state of a redacted value
   */
  function addHeaders(credential: number): void {
    const text = addOwn({ kind: 'redacted', censor: headerTextCensor })
    const inside = addOwn({ kind: 'test', test: isCredentialHeader, next: credential, findsHeaders: false })
    const lines = addOwn({ kind: 'list', starts: [text] })
    const fields = addOwn({ kind: 'union', states: [inside, text, lines] })
    const chunks = addOwn({ kind: 'list', starts: [addOwn({ kind: 'name', name: 'data', next: text })] })
    const messages = addOwn({ kind: 'union', states: [text, chunks] })
    const findsHeaders = true
    start.push(
      addOwn({ kind: 'test', test: isHeaders, next: fields, findsHeaders }),
      addOwn({ kind: 'test', test: isCredentialAttribute, next: credential, findsHeaders }),
      addOwn({ kind: 'test', test: isRawMessage, next: messages, findsHeaders }),
    )
  }

  /** Adds an NFA state that is the same for the result of a censor function. */
  function addOwn(state: NfaState): number {
    const index = add(all, state)
    afterCensor.push(index)
    return index
  }
}

/** Adds the NFA states of one layer and returns its start states. Paths with a common suffix share the states of that suffix. */
function addRules(layer: RuleLayer, censor: Censor, all: NfaState[]): Iterable<number> {
  const redacted = add(all, { kind: 'redacted', censor })
  const known = new Map<string, number>()
  const starts = layer.paths.map((path) => addPath(path, redacted, known, all))
  if (layer.keys !== undefined)
    starts.push(add(all, { kind: 'test', test: layer.keys, next: redacted, findsHeaders: false }))
  return starts
}

function addPath(
  path: readonly RedactSegment[],
  redacted: number,
  known: Map<string, number>,
  all: NfaState[],
): number {
  return path.reduceRight((next, segment) => {
    const id = `${next} ${segment.kind} ${segment.kind === 'name' ? segment.name : ''}`
    const state = known.get(id) ?? add(all, { ...segment, next })
    known.set(id, state)
    return state
  }, redacted)
}

function add(all: NfaState[], state: NfaState): number {
  return all.push(state) - 1
}
