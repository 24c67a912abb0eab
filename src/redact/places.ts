import { headerTextCensor } from './header-text.ts'
import { defaultCensor, type Censor } from './censor.ts'
import { isCredentialAttribute, isCredentialHeader, isHeaders, isRawMessage } from './headers.ts'
import type { KeyTest } from './keys.ts'
import type { RedactSegment } from './path.ts'

/** Rules that share a censor: those of one `redact` option. */
export interface RuleLayer {
  readonly paths: readonly (readonly RedactSegment[])[]
  readonly keys: KeyTest | undefined
  readonly censor: Censor
}

/**
 * A place between the segments of a rule, and what leads on from it: a state of the nondeterministic automaton. Places
 * are numbers; a set of them is one state of the deterministic automaton in redact-state.ts.
 *
 *     a.**.x    0 ─a→ 1 ─x→ covered        1 is `deep`: it holds at every member below, too
 */
export type Place =
  | { readonly kind: 'name'; readonly name: string; readonly next: number }
  | { readonly kind: 'any'; readonly next: number }
  | { readonly kind: 'deep'; readonly next: number }
  /** Holds nowhere itself: its value is at each of these places. */
  | { readonly kind: 'several'; readonly places: readonly number[] }
  /** Holds here and everywhere below; a member whose name passes the test leads on. */
  | { readonly kind: 'test'; readonly test: KeyTest; readonly next: number; readonly findsHeaders: boolean }
  /** A list whose items are redacted as the attributes are: an index leads to the starts, a name where it leads from them. */
  | { readonly kind: 'list'; readonly starts: readonly number[] }
  | { readonly kind: 'covered'; readonly censor: Censor }

/** All places of a redaction. The lower of two `covered` places wins: layers are numbered in order of precedence. */
export interface Places {
  readonly all: readonly Place[]
  /** Where the attributes stand. */
  readonly start: readonly number[]
  /** The place of kind `list`. */
  readonly list: number
  /**
   * For each place, the same place for what a censor function returned: there the function is not asked again about its
   * own output, which could go on for ever, and `[REDACTED]` stands.
   */
  readonly afterCensor: readonly number[]
}

/**
 * Numbers the places of rules.
 *
 * @param layers - the root's rules first, then those of children: the first censor wins where several match. The
 *   credential headers come after the root's own rules, which may treat them otherwise, and before a child's
 * @param headers - whether there is a rule for them
 */
export function placesOf(layers: readonly RuleLayer[], headers = true): Places {
  const all: Place[] = []
  const start: number[] = []
  const afterCensor: number[] = []
  const [root, ...children] = layers
  if (root !== undefined) addLayer(root)
  const credential = headers ? addOwn({ kind: 'covered', censor: defaultCensor }) : undefined
  for (const child of children) addLayer(child)
  if (credential !== undefined) addHeaders(credential)
  const list = add(all, { kind: 'list', starts: start })
  const listAfterCensor = add(all, { kind: 'list', starts: start.map((place) => afterCensor[place]!) })
  afterCensor.push(listAfterCensor, listAfterCensor)
  return { all, start, list, afterCensor }

  function addLayer(layer: RuleLayer): void {
    const first = all.length
    start.push(...addRules(layer, layer.censor, all))
    const length = all.length - first
    if (!layer.censor.constant) addRules(layer, defaultCensor, all)
    const distance = all.length - first - length
    for (let place = first; place < all.length; place++)
      afterCensor.push(place < first + length ? place + distance : place)
  }

  /** `credential`: the place of a value that is redacted. Text of header fields comes last, since any other rule covers it whole. */
  function addHeaders(credential: number): void {
    const text = addOwn({ kind: 'covered', censor: headerTextCensor })
    const inside = addOwn({ kind: 'test', test: isCredentialHeader, next: credential, findsHeaders: false })
    const lines = addOwn({ kind: 'list', starts: [text] })
    const fields = addOwn({ kind: 'several', places: [inside, text, lines] })
    const chunks = addOwn({ kind: 'list', starts: [addOwn({ kind: 'name', name: 'data', next: text })] })
    const messages = addOwn({ kind: 'several', places: [text, chunks] })
    const findsHeaders = true
    start.push(
      addOwn({ kind: 'test', test: isHeaders, next: fields, findsHeaders }),
      addOwn({ kind: 'test', test: isCredentialAttribute, next: credential, findsHeaders }),
      addOwn({ kind: 'test', test: isRawMessage, next: messages, findsHeaders }),
    )
  }

  /** Adds a place that is the same for what a censor function returned. */
  function addOwn(place: Place): number {
    const index = add(all, place)
    afterCensor.push(index)
    return index
  }
}

/** Adds the places of one layer; returns those it starts from. Paths that end alike share their last places. */
function addRules(layer: RuleLayer, censor: Censor, all: Place[]): Iterable<number> {
  const covered = add(all, { kind: 'covered', censor })
  const known = new Map<string, number>()
  const starts = layer.paths.map((path) => addPath(path, covered, known, all))
  if (layer.keys !== undefined)
    starts.push(add(all, { kind: 'test', test: layer.keys, next: covered, findsHeaders: false }))
  return starts
}

function addPath(path: readonly RedactSegment[], covered: number, known: Map<string, number>, all: Place[]): number {
  return path.reduceRight((next, segment) => {
    const id = `${next} ${segment.kind} ${segment.kind === 'name' ? segment.name : ''}`
    const place = known.get(id) ?? add(all, { ...segment, next })
    known.set(id, place)
    return place
  }, covered)
}

function add(all: Place[], place: Place): number {
  return all.push(place) - 1
}
