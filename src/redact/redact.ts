import { anything, checkOptions, flag, typeName } from '../options/option-checks.ts'
import { foreignRedactOptionNames } from '../options/foreign-redaction-names.ts'
import { copyOptions } from '../options/own-options.ts'
import type { ConfigurationProblem } from '../options/configuration-error.ts'
import { startState } from './automaton.ts'
import { compileCensor, defaultCensor } from './censor.ts'
import { compilePatterns, type RedactPattern } from './patterns/compile-patterns.ts'
import type { TextPattern } from './patterns/text-pattern.ts'
import { TextPatterns } from './patterns/text-patterns.ts'
import type { KeyPreset, KeyPresetName } from './key-presets.ts'
import { compileKeys } from './keys.ts'
import { isPathFault, type RedactSegment } from './path.ts'
import { quotedPath, readRedactPath, type ReadPath } from './path-forms.ts'
import { buildNfa, type RuleLayer } from './nfa.ts'
import type { RedactState } from './state.ts'

export type { Censor } from './censor.ts'
export { withItemsAsAttributes, stateOfReplacement, mergeStates, type RedactState } from './state.ts'

/** Redaction rules. An array of paths is shorthand for `{ paths }`. */
export type Redact = readonly string[] | RedactOptions

/** Redaction rules and the replacement of redacted values. `null` and `undefined` are never redacted. */
export interface RedactOptions {
  /**
   * Paths in the grammar of fast-redact, relative to the attributes: `password` at the top level, `**.password` at any depth.
   *
   * @defaultValue none
   */
  readonly paths?: readonly string[] | undefined
  /**
   * Names of members at any depth. Strings are compared ignoring case, `-`, `_` and spaces at both ends; regular expressions test the first
   * 256 characters of a name. `'secrets'` is a preset of names; in an array, write `{ preset: 'secrets' }`, because `['secrets']` is the
   * key `secrets`.
   *
   * @defaultValue none
   */
  readonly keys?: KeyPresetName | readonly (string | RegExp | KeyPreset)[] | undefined
  /**
   * Patterns that are redacted in all text: messages, attributes and their names, errors and their stacks, URLs, integers with 12 or more
   * digits, and bytes. A pattern is the name of a preset or a regular expression, whose matching time must be bounded.
   *
   * @defaultValue none
   */
  readonly patterns?: readonly RedactPattern[] | undefined
  /**
   * The replacement of a redacted value, or a function that returns it. The function receives the value and a new array of the keys that
   * lead to it from the attributes. If it throws, the default is used.
   *
   * @defaultValue `'[REDACTED]'`
   */
  readonly censor?: string | number | boolean | null | ((value: unknown, path: string[]) => unknown) | undefined
  /**
   * Whether redacted members are omitted, and redacted array items become null. Overrides `censor`.
   *
   * @defaultValue `false`
   */
  readonly remove?: boolean | undefined
  /**
   * Whether the values of credential headers (`authorization`, `cookie`, `x-api-key` and others) are replaced by `'[REDACTED]'`, even
   * without any other rule, below members that contain header or trailer fields: members whose names end in `header`, `headers`, `trailer`
   * or `trailers`, with or without `Distinct`. The same applies to text of header fields in such a member. Use `false` if the output must
   * be identical to that of another library; in the APIs compatible with pino, bunyan and bole, the passwords of URL objects are then
   * written too. A child logger cannot set it to `false`.
   *
   * @defaultValue `true`
   */
  readonly credentialHeaders?: boolean | undefined
}

/** The compiled rules of a logger, including those of its parents. */
export interface Redaction {
  /** The state of the attributes and of a structured body. */
  readonly root: RedactState
  /** The patterns that redact text; undefined if there are none. */
  readonly patterns: TextPatterns | undefined
  /** Whether the values of credential headers are redacted. */
  readonly redactsCredentialHeaders: boolean
}

/**
 * Compiles rules. Unless `credentialHeaders` is false, an additional rule applies: below a member that contains header or trailer fields,
 * at any depth, the values of credential headers (headers.ts) are redacted, also in text (header-text.ts). Never throws.
 *
 * @param where - the option's path, for example `redact`, for error messages
 * @param problems - receives the errors in the options; valid rules are compiled nevertheless
 * @param parent - the redaction of the parent logger. Its rules also apply; if rules of both match, the parent's censor is used
 * @param readPath - reads each path
 */
export function compileRedaction(
  redact: Redact | undefined,
  where: string,
  problems: ConfigurationProblem[],
  parent?: Redaction,
  readPath: ReadPath = readRedactPath,
): Redaction {
  const inheritedLayers = parent instanceof CompiledRedaction ? parent.layers : []
  const layer = layerOf(redact, where, problems, readPath)
  if (parent !== undefined && layer === emptyLayer) return parent
  if (parent !== undefined && layer.credentialHeaders === false) {
    const message = 'a child logger cannot turn this off; set it in the options of the root logger'
    problems.push({ code: 'SLUICE_OPTION_CONFLICT', path: `${where}.credentialHeaders`, message })
  }
  const redactsHeaders = layer.credentialHeaders ?? parent?.redactsCredentialHeaders ?? true
  return new CompiledRedaction([...inheritedLayers, layer], redactsHeaders || parent?.redactsCredentialHeaders === true)
}

/** Returns whether the only rule of a logger is the one for credential headers. */
export function hasOnlyHeaderRule({ root, patterns }: Redaction): boolean {
  return root.hasOnlyHeaderRule && patterns === undefined
}

/** A redaction with the layers from which that of a child logger is compiled. */
class CompiledRedaction implements Redaction {
  readonly root: RedactState
  readonly patterns: TextPatterns | undefined
  readonly layers: readonly Layer[]

  readonly redactsCredentialHeaders: boolean

  constructor(layers: readonly Layer[], redactsCredentialHeaders: boolean) {
    this.root = startState(buildNfa(layers, redactsCredentialHeaders))
    this.redactsCredentialHeaders = redactsCredentialHeaders
    const patterns = layers.flatMap((layer) => layer.patterns)
    this.patterns = patterns.length === 0 ? undefined : new TextPatterns(patterns)
    this.layers = layers
  }
}

/** The compiled rules of one logger, without those of its parents. */
interface Layer extends RuleLayer {
  readonly patterns: readonly TextPattern[]
  /** The option `credentialHeaders`; undefined to inherit it from the parent. */
  readonly credentialHeaders: boolean | undefined
}

const emptyLayer: Layer = {
  paths: [],
  keys: undefined,
  patterns: [],
  censor: defaultCensor,
  credentialHeaders: undefined,
}

function layerOf(option: unknown, where: string, problems: ConfigurationProblem[], readPath: ReadPath): Layer {
  const redact = copyOptions(option, where, problems)
  if (redact === undefined) return emptyLayer
  if (Array.isArray(redact)) return { ...emptyLayer, paths: compilePaths(redact, where, problems, readPath) }
  if (typeof redact !== 'object' || redact === null) {
    const message =
      'must be an array of paths, or an object with paths, keys, patterns, censor, remove and credentialHeaders'
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: message + arrayAdvice(redact) })
    return emptyLayer
  }
  checkOptions(redact, schema, where, problems, foreignRedactOptionNames)
  const { paths, keys, patterns, censor, remove, credentialHeaders } = redact as Record<string, unknown>
  return {
    paths: compilePaths(paths === undefined ? [] : paths, `${where}.paths`, problems, readPath),
    keys: compileKeys(keys, `${where}.keys`, problems),
    patterns: compilePatterns(patterns, censor, `${where}.patterns`, problems),
    censor: compileCensor(censor, remove === true, `${where}.censor`, problems),
    credentialHeaders: typeof credentialHeaders === 'boolean' ? credentialHeaders : undefined,
  }
}

function compilePaths(
  paths: unknown,
  where: string,
  problems: ConfigurationProblem[],
  readPath: ReadPath,
): (readonly RedactSegment[])[] {
  if (!Array.isArray(paths)) {
    problems.push({
      code: 'SLUICE_OPTION_TYPE',
      path: where,
      message: `must be an array of paths${arrayAdvice(paths)}`,
    })
    return []
  }
  const compiled = new Map<string, readonly RedactSegment[]>()
  for (const [i, path] of (paths as unknown[]).entries()) {
    const itemPath = `${where}[${i}]`
    const parsed = typeof path === 'string' ? readPath(path) : undefined
    if (parsed === undefined)
      problems.push({ code: 'SLUICE_OPTION_TYPE', path: itemPath, message: notAPathMessage(path) })
    else if (isPathFault(parsed)) problems.push({ ...parsed, path: itemPath })
    else compiled.set(path as string, parsed)
  }
  return [...compiled.values()]
}

function notAPathMessage(path: unknown): string {
  if (path instanceof RegExp) return 'must be a string; use keys for regular expressions'
  const joined = Array.isArray(path) && path.every((name) => typeof name === 'string') ? path.join('.') : ''
  const isPath = joined !== '' && !isPathFault(readRedactPath(joined))
  return `must be a string, not ${typeName(path)}${isPath ? `; write ${quotedPath(joined)}` : ''}`
}

/** Returns the advice to put a path in an array; an empty string if the value is not a path. */
function arrayAdvice(path: unknown): string {
  const isPath = typeof path === 'string' && /^[\w.*-]{1,60}$/.test(path) && !isPathFault(readRedactPath(path))
  return isPath ? `; write ['${path}']` : ''
}

const schema = {
  paths: anything,
  keys: anything,
  patterns: anything,
  censor: anything,
  remove: flag,
  credentialHeaders: flag,
}
