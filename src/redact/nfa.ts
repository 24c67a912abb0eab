import { headerTextCensor } from './header-text.ts'
import { defaultCensor, type Censor } from './censor.ts'
import { isCredentialAttribute, isCredentialHeader, isHeadersName, isRawMessageName } from './headers.ts'
import type { KeyTest } from './key-test.ts'
import type { RedactSegment } from './path.ts'

/** The rules of one `redact` option, which share a censor. */
export interface RuleLayer {
  readonly paths: readonly (readonly RedactSegment[])[]
  readonly keys: KeyTest | undefined
  readonly censor: Censor
}

/**
 * A state of the nondeterministic automaton (NFA): a position before a segment of a rule, and the transition from it. NFA states are
 * identified by numbers; a set of them is one state of the deterministic automaton in state.ts.
 *
 *     a.**.x    name a ─a→ deep → name x ─x→ redacted        `deep` leads to `name x` without a key, and to itself with any key
 */
export type NfaState =
  | { readonly kind: 'name'; readonly name: string; readonly next: number }
  /** Leads to `next` with any key. */
  | { readonly kind: 'any'; readonly next: number }
  | { readonly kind: 'deep'; readonly next: number }
  /** Leads to several NFA states without a key. */
  | { readonly kind: 'union'; readonly states: readonly number[] }
  /**
   * Applies to this value and everything below it. A member whose name passes the test leads to `next`. `startsHeaderRule`: whether this
   * is one of the states with which the rule for credential headers starts; they apply to the attributes and everything below.
   */
  | { readonly kind: 'test'; readonly test: KeyTest; readonly next: number; readonly startsHeaderRule: boolean }
  /** A list. An array index leads to `starts`. Any other key leads to the same states as it does from `starts`. */
  | { readonly kind: 'list'; readonly starts: readonly number[] }
  | { readonly kind: 'redacted'; readonly censor: Censor }

/** All NFA states of a redaction. Of two `redacted` states the lower number wins, because layers are numbered in order of precedence. */
export interface Nfa {
  readonly states: readonly NfaState[]
  /** The NFA states of the attributes. */
  readonly start: readonly number[]
  /** The NFA state of a list whose items are redacted like the attributes. */
  readonly list: number
  /**
   * For each NFA state, the corresponding one for the result of a censor function. It leads to the default censor instead of the function,
   * because calling the function for its own result might never terminate.
   */
  readonly afterCensor: readonly number[]
}

/**
 * Creates the NFA states of rules.
 *
 * @param layers - the root's rules first, then those of children; if several rules match, the first censor wins. The rule for credential
 *   headers comes after the root's rules, which can override it, and before those of children
 * @param redactsHeaders - whether to add the rule for credential headers
 */
export function buildNfa(layers: readonly RuleLayer[], redactsHeaders = true): Nfa {
  const states: NfaState[] = []
  const start: number[] = []
  const afterCensor: number[] = []
  const [root, ...children] = layers
  if (root !== undefined) addLayer(root)
  const credential = redactsHeaders ? addInvariant({ kind: 'redacted', censor: defaultCensor }) : undefined
  for (const child of children) addLayer(child)
  if (credential !== undefined) addHeaders(credential)
  const list = add(states, { kind: 'list', starts: start })
  const listAfterCensor = add(states, { kind: 'list', starts: start.map((state) => afterCensor[state]!) })
  afterCensor.push(listAfterCensor, listAfterCensor)
  return { states, start, list, afterCensor }

  /** Adds the rules of a layer, and if its censor is a function, a second time with the default censor, for `afterCensor`. */
  function addLayer(layer: RuleLayer): void {
    const first = states.length
    start.push(...addRules(layer, layer.censor, states))
    const firstAfterCensor = states.length
    if (!layer.censor.isConstant) addRules(layer, defaultCensor, states)
    const distance = states.length - firstAfterCensor
    for (let state = first; state < states.length; state++)
      afterCensor.push(state < firstAfterCensor ? state + distance : state)
  }

  /**
   * Adds the rule for credential headers. Its censor of header text has the lowest precedence, because any other rule redacts the whole
   * text.
   *
   * @param credential - the NFA state `redacted` of credential headers
   */
  function addHeaders(credential: number): void {
    const headerText = addInvariant({ kind: 'redacted', censor: headerTextCensor })
    const credentialFields = addInvariant({
      kind: 'test',
      test: isCredentialHeader,
      next: credential,
      startsHeaderRule: false,
    })
    const headerTextList = addInvariant({ kind: 'list', starts: [headerText] })
    const fields = addInvariant({ kind: 'union', states: [credentialFields, headerText, headerTextList] })
    // `outputData` is a list of objects whose member `data` is text.
    const chunks = addInvariant({
      kind: 'list',
      starts: [addInvariant({ kind: 'name', name: 'data', next: headerText })],
    })
    const messages = addInvariant({ kind: 'union', states: [headerText, chunks] })
    const startsHeaderRule = true
    start.push(
      addInvariant({ kind: 'test', test: isHeadersName, next: fields, startsHeaderRule }),
      addInvariant({ kind: 'test', test: isCredentialAttribute, next: credential, startsHeaderRule }),
      addInvariant({ kind: 'test', test: isRawMessageName, next: messages, startsHeaderRule }),
    )
  }

  /** Adds an NFA state that is also its own `afterCensor`. */
  function addInvariant(state: NfaState): number {
    const index = add(states, state)
    afterCensor.push(index)
    return index
  }
}

/** Adds the NFA states of one layer and returns its start states. Paths that end with the same segments share the states of these. */
function addRules(layer: RuleLayer, censor: Censor, states: NfaState[]): Iterable<number> {
  const redacted = add(states, { kind: 'redacted', censor })
  const stateById = new Map<string, number>()
  const starts = layer.paths.map((path) => addPath(path, redacted, stateById, states))
  if (layer.keys !== undefined)
    starts.push(add(states, { kind: 'test', test: layer.keys, next: redacted, startsHeaderRule: false }))
  return starts
}

function addPath(
  path: readonly RedactSegment[],
  redacted: number,
  stateById: Map<string, number>,
  states: NfaState[],
): number {
  return path.reduceRight((next, segment) => {
    const id = `${next} ${segment.kind} ${segment.kind === 'name' ? segment.name : ''}`
    const state = stateById.get(id) ?? add(states, { ...segment, next })
    stateById.set(id, state)
    return state
  }, redacted)
}

function add(states: NfaState[], state: NfaState): number {
  return states.push(state) - 1
}
