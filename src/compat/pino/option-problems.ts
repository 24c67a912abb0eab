import {
  callback,
  either,
  flag,
  integer,
  object,
  options,
  table,
  text,
  typeName,
  type Check,
} from '../../options/option-checks.ts'
import { ConfigurationError, type ConfigurationProblem } from '../../options/configuration-error.ts'
import { optionError } from '../shared/option-error.ts'
import type { GivenOptions } from './options.ts'

/** Treats falsy values as not set, as pino does: `logMethod: isTraced && trace`. */
function unlessFalsy(check: Check): Check {
  return (value, where, problems) => {
    if (value) check(value, where, problems)
  }
}

function unlessNull(check: Check): Check {
  return (value, where, problems) => {
    if (value !== null) check(value, where, problems)
  }
}

const hook = unlessFalsy(callback)
const key = unlessNull(text())
const limit = unlessNull(integer(1))

const level: Check = (value, where, problems) => {
  if (typeof value === 'number' && !Number.isNaN(value)) return
  problems.push({
    code: 'SLUICE_OPTION_TYPE',
    path: where,
    message: `must be the number of the level, not ${typeName(value)}`,
  })
}

/** Options whose values are checked here. Others are checked on use, or are only tested for truthiness. */
const checks: Readonly<Record<string, Check>> = {
  base: unlessFalsy(object),
  customLevels: unlessFalsy(table(level)),
  depthLimit: limit,
  edgeLimit: limit,
  errorKey: key,
  formatters: unlessFalsy(members({ bindings: hook, level: hook, log: hook })),
  hooks: unlessFalsy(members({ logMethod: hook, streamWrite: hook })),
  messageKey: key,
  mixinMergeStrategy: hook,
  nestedKey: unlessFalsy(text()),
  onChild: hook,
  onDiagnostic: callback,
  serializers: unlessFalsy(table(hook)),
  timestamp: unlessFalsy(
    either('true, false, or a function that returns a member of the line, such as \',"time":0\'', flag, callback),
  ),
}

/** Checks known members of an object. Other members are ignored, as in pino. */
function members(schema: Readonly<Record<string, Check>>): Check {
  return (value, where, problems) => {
    const before = problems.length
    object(value, where, problems)
    if (problems.length > before) return
    const known = Object.entries(value as object).filter(([name]) => Object.hasOwn(schema, name))
    options(schema)(Object.fromEntries(known), where, problems)
  }
}

/**
 * Options of earlier versions of pino with their replacements. `useLevelLabels` is not included: pino's tests set it, so it is reported
 * rather than rejected.
 */
const removedOptions: Readonly<Record<string, string>> = {
  changeLevelName: 'formatters: { level: (label, number) => ({ severity: number }) }',
  levelKey: 'formatters: { level: (label, number) => ({ severity: number }) }',
  slowtime: 'timestamp: pino.stdTimeFunctions.isoTime, or another function',
  extreme: 'pino(options, pino.destination({ sync: false }))',
  prettifier: "transport: { target: 'pino-pretty' }, or pino-pretty as the stream",
}

/**
 * Throws one error that lists everything that is invalid, including the problems in `found`. A problem that pino rejects too has pino's
 * message if it is the only one.
 */
export function rejectWrongOptions(given: GivenOptions, found: readonly ConfigurationProblem[]): void {
  const pinoErrors = pinoProblems(given)
  const problems = [...found, ...pinoErrors]
  for (const [name, instead] of Object.entries(removedOptions)) {
    if (!given[name]) continue
    const message = `is an option of earlier versions of pino; use ${instead}`
    problems.push({ code: 'SLUICE_OPTION_UNSUPPORTED', path: name, message })
  }
  // Other options are ignored: fastify and pino-http pass objects that also contain their own options.
  const known = Object.entries(given).filter(([name]) => Object.hasOwn(checks, name))
  options(checks)(Object.fromEntries(known), '', problems)
  const [only] = pinoErrors
  if (only !== undefined && problems.length === 1) throw optionError(only.path, only.message)
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, 'pino')
}

const noPretty =
  'prettyPrint option is no longer supported, see the pino-pretty package (https://github.com/pinojs/pino-pretty)'

function pinoProblems({
  prettyPrint,
  useOnlyCustomLevels,
  customLevels,
  mixin,
  msgPrefix,
}: GivenOptions): ConfigurationProblem[] {
  const problems: ConfigurationProblem[] = []
  const add = (path: string, message: string): void =>
    void problems.push({ code: 'SLUICE_OPTION_RANGE', path, message })
  if (prettyPrint) add('prettyPrint', noPretty)
  if (useOnlyCustomLevels && !customLevels) {
    add('useOnlyCustomLevels', 'customLevels is required if useOnlyCustomLevels is set true')
  }
  if (mixin && typeof mixin !== 'function') {
    add('mixin', `Unknown mixin type "${typeof mixin}" - expected "function"`)
  }
  if (msgPrefix && typeof msgPrefix !== 'string') {
    add('msgPrefix', `Unknown msgPrefix type "${typeof msgPrefix}" - expected "string"`)
  }
  return problems
}
