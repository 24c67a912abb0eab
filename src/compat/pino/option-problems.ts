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

/** Treats falsy values as not set, as pino does, so that `logMethod: isTraced && trace` is valid. */
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

/**
 * Checks of options that pino does not check itself. `findPinoProblems` checks those for which pino has an error message. Others are
 * checked on use, or are only tested for truthiness.
 */
const optionChecks: Readonly<Record<string, Check>> = {
  base: unlessFalsy(object),
  customLevels: unlessFalsy(table(level)),
  depthLimit: limit,
  edgeLimit: limit,
  errorKey: key,
  formatters: unlessFalsy(knownMembers({ bindings: hook, level: hook, log: hook })),
  hooks: unlessFalsy(knownMembers({ logMethod: hook, streamWrite: hook })),
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
function knownMembers(schema: Readonly<Record<string, Check>>): Check {
  return (value, where, problems) => {
    const problemCount = problems.length
    object(value, where, problems)
    if (problems.length > problemCount) return
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
 * Throws one error that lists everything that is invalid, including `otherProblems`. If the only problem is one that pino also rejects,
 * the error has pino's message.
 */
export function rejectWrongOptions(givenOptions: GivenOptions, otherProblems: readonly ConfigurationProblem[]): void {
  const pinoProblems = findPinoProblems(givenOptions)
  const problems = [...otherProblems, ...pinoProblems]
  for (const [name, replacement] of Object.entries(removedOptions)) {
    if (!givenOptions[name]) continue
    const message = `is an option of earlier versions of pino; use ${replacement}`
    problems.push({ code: 'SLUICE_OPTION_UNSUPPORTED', path: name, message })
  }
  // Options that are not in `optionChecks` are not rejected: fastify and pino-http pass objects that also contain their own options.
  const known = Object.entries(givenOptions).filter(([name]) => Object.hasOwn(optionChecks, name))
  options(optionChecks)(Object.fromEntries(known), '', problems)
  const [only] = pinoProblems
  if (only !== undefined && problems.length === 1) throw optionError(only.path, only.message)
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, 'pino')
}

const prettyPrintRemoved =
  'prettyPrint option is no longer supported, see the pino-pretty package (https://github.com/pinojs/pino-pretty)'

/** Returns the problems that pino also rejects, with its messages. */
function findPinoProblems({
  prettyPrint,
  useOnlyCustomLevels,
  customLevels,
  mixin,
  msgPrefix,
}: GivenOptions): ConfigurationProblem[] {
  const problems: ConfigurationProblem[] = []
  const add = (path: string, message: string): void =>
    void problems.push({ code: 'SLUICE_OPTION_RANGE', path, message })
  if (prettyPrint) add('prettyPrint', prettyPrintRemoved)
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
