import { anything, checkOptions, flag } from '../options/option-checks.ts'
import { ownOptions } from '../options/own-options.ts'
import type { ConfigurationProblem } from '../options/configuration-error.ts'
import { startState } from './automaton.ts'
import { compileCensor, defaultCensor } from './censor.ts'
import { compilePatterns, type RedactPattern } from './patterns/compile-patterns.ts'
import type { TextPattern } from './patterns/text-pattern.ts'
import { TextPatterns } from './patterns/text-patterns.ts'
import type { KeyPreset, KeyPresetName } from './key-presets.ts'
import { compileKeys } from './keys.ts'
import { isFault, parseRedactPath, type RedactSegment } from './path.ts'
import { placesOf, type RuleLayer } from './places.ts'
import type { RedactState } from './state.ts'

export type { Censor } from './censor.ts'
export { listState, replacedState, unionState, type RedactState } from './state.ts'

/** What must not leave: paths alone, or rules of each kind with what stands in place of what they cover. */
export type Redact = readonly string[] | RedactOptions

/** Rules of redaction; `null` and `undefined` are never covered. */
export interface RedactOptions {
  /** In fast-redact's grammar, from the attributes: `password` is the top level, `**.password` any depth. */
  readonly paths?: readonly string[] | undefined
  /**
   * Names of members at any depth. In strings, case, `-` and `_` are ignored; regular expressions see 256 characters of a name.
   * `'secrets'` is a preset of names, in an array `{ preset: 'secrets' }`; `['secrets']` is the key `secrets`.
   */
  readonly keys?: KeyPresetName | readonly (string | RegExp | KeyPreset)[] | undefined
  /**
   * What must not stand in any text: messages, attributes and their names, errors and their stacks, URLs, integers of 12 digits
   * and more, bytes. Names of presets, or regular expressions, whose time must be bounded. Default none.
   */
  readonly patterns?: readonly RedactPattern[] | undefined
  /**
   * What stands in place of a covered value, or a function that returns it: it gets the value and the keys that lead to
   * it from the attributes, in an array of its own. Default `'[REDACTED]'`, also where the function throws.
   */
  readonly censor?: string | number | boolean | null | ((value: unknown, path: string[]) => unknown) | undefined
  /** Leave covered members out (covered array items become null), whatever `censor` says. Default false. */
  readonly remove?: boolean | undefined
  /**
   * Whether the values of credential headers (`authorization`, `cookie`, `x-api-key` and others) are `'[REDACTED]'` below members
   * that hold header or trailer fields, without any other rule: their names end in `header`, `headers`, `trailer` or `trailers`, with or
   * without `Distinct`. The same holds for text of header fields in such a member. `false` is for output that must equal another
   * library's in every byte: in the APIs of pino, bunyan and bole it also writes the passwords of URL objects. A child logger cannot
   * set it. Default true.
   */
  readonly credentialHeaders?: boolean | undefined
}

/** The rules of a logger, ready for the walk. */
export interface Redaction {
  /** The state in which the attributes and a structured body stand. */
  readonly root: RedactState
  /** What no text may hold; undefined where there are no patterns. */
  readonly patterns: TextPatterns | undefined
  /** Whether the values of credential headers are redacted. */
  readonly credentialHeaders: boolean
}

/**
 * Compiles rules. Unless `credentialHeaders` is false, one more rule holds: below a member that holds header or trailer
 * fields, at any depth, the values of credential headers (redact-headers.ts) are redacted, also in text (header-text.ts). Never throws.
 *
 * @param where - the option's path, for example `redact`, for problems
 * @param problems - what is wrong is added here; the rules that are right are compiled nevertheless
 * @param parent - the redaction of the parent logger: its rules hold as well, and where both match its censor wins
 */
export function compileRedaction(
  redact: Redact | undefined,
  where: string,
  problems: ConfigurationProblem[],
  parent?: Redaction,
): Redaction {
  const inherited = parent instanceof CompiledRedaction ? parent.layers : []
  const layer = layerOf(redact, where, problems)
  if (parent !== undefined && layer === noRules) return parent
  if (parent !== undefined && layer.credentialHeaders === false) {
    const message = 'a child adds rules and removes none: set it in the options of the root logger'
    problems.push({ code: 'SLUICE_OPTION_CONFLICT', path: `${where}.credentialHeaders`, message })
  }
  const headers = layer.credentialHeaders ?? parent?.credentialHeaders ?? true
  return new CompiledRedaction([...inherited, layer], headers || parent?.credentialHeaders === true)
}

/** Whether the only rule is the one for credential headers. */
export function isHeadersOnly({ root, patterns }: Redaction): boolean {
  return root.findsHeadersOnly && patterns === undefined
}

class CompiledRedaction implements Redaction {
  readonly root: RedactState
  readonly patterns: TextPatterns | undefined
  readonly layers: readonly Layer[]

  readonly credentialHeaders: boolean

  constructor(layers: readonly Layer[], credentialHeaders: boolean) {
    this.root = startState(placesOf(layers, credentialHeaders))
    this.credentialHeaders = credentialHeaders
    const patterns = layers.flatMap((layer) => layer.patterns)
    this.patterns = patterns.length === 0 ? undefined : new TextPatterns(patterns)
    this.layers = layers
  }
}

/** The rules of one logger, without those of its parents. */
interface Layer extends RuleLayer {
  readonly patterns: readonly TextPattern[]
  /** undefined: as the parent has it. */
  readonly credentialHeaders: boolean | undefined
}

const noRules: Layer = {
  paths: [],
  keys: undefined,
  patterns: [],
  censor: defaultCensor,
  credentialHeaders: undefined,
}

function layerOf(given: unknown, where: string, problems: ConfigurationProblem[]): Layer {
  const redact = ownOptions(given, where, problems)
  if (redact === undefined) return noRules
  if (Array.isArray(redact)) return { ...noRules, paths: compilePaths(redact, where, problems) }
  if (typeof redact !== 'object' || redact === null) {
    const message =
      'must be an array of paths, or an object with paths, keys, patterns, censor, remove and credentialHeaders'
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message })
    return noRules
  }
  checkNames(redact, where, problems)
  const { paths, keys, patterns, censor, remove, credentialHeaders } = redact as Record<string, unknown>
  return {
    paths: compilePaths(paths === undefined ? [] : paths, `${where}.paths`, problems),
    keys: compileKeys(keys, `${where}.keys`, problems),
    patterns: compilePatterns(patterns, censor, `${where}.patterns`, problems),
    censor: compileCensor(censor, remove === true, `${where}.censor`, problems),
    credentialHeaders: typeof credentialHeaders === 'boolean' ? credentialHeaders : undefined,
  }
}

function compilePaths(paths: unknown, where: string, problems: ConfigurationProblem[]): (readonly RedactSegment[])[] {
  if (!Array.isArray(paths)) {
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: 'must be an array of paths' })
    return []
  }
  const compiled = new Map<string, readonly RedactSegment[]>()
  for (const [i, path] of (paths as unknown[]).entries()) {
    const at = `${where}[${i}]`
    const parsed = typeof path === 'string' ? parseRedactPath(path) : undefined
    if (parsed === undefined) problems.push({ code: 'SLUICE_OPTION_TYPE', path: at, message: notAPath(path) })
    else if (isFault(parsed)) problems.push({ ...parsed, path: at })
    else compiled.set(path as string, parsed)
  }
  return [...compiled.values()]
}

function notAPath(path: unknown): string {
  return path instanceof RegExp ? 'must be a string; give regular expressions as keys' : 'must be a string'
}

const schema = {
  paths: anything,
  keys: anything,
  patterns: anything,
  censor: anything,
  remove: flag,
  credentialHeaders: flag,
}

/** Options of fast-redact that have no meaning here, and what to do instead. */
const meaningless: ReadonlyMap<string, string> = new Map([
  ['serialize', 'has no meaning here: the walk that redacts also writes, and never changes your objects; leave it out'],
  ['strict', 'has no meaning here: a value that is not an object has no members to cover; leave it out'],
])

function checkNames(redact: object, where: string, problems: ConfigurationProblem[]): void {
  const others: [string, unknown][] = []
  for (const [name, value] of Object.entries(redact)) {
    const message = meaningless.get(name)
    if (message === undefined) others.push([name, value])
    else problems.push({ code: 'SLUICE_OPTION_UNKNOWN', path: `${where}.${name}`, message })
  }
  checkOptions(Object.fromEntries(others), schema, where, problems)
}
