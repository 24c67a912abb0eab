import { member, ownCopy } from '../../options/own-members.ts'
import { typeName } from '../../options/option-checks.ts'
import { ownOptions } from '../../options/own-options.ts'
import { ConfigurationError, type ConfigurationProblem } from '../../options/configuration-error.ts'
import { Destination, destination as openDestination } from '../shared/destination/destination.ts'
import { destination } from './destination.ts'
import { openLineStream } from '../shared/destination/standard-destination.ts'
import { standardStream } from '../../platform/node/standard-streams.ts'
import type { AnyStream } from './instance.ts'
import { rejectWrongOptions } from './option-problems.ts'
import type { GivenOptions } from './options.ts'
import { transport } from './transport.ts'
import { transportProblems } from './transport-problems.ts'
import { optionError } from '../shared/option-error.ts'

/**
 * Returns the options and the stream that the arguments of `pino()` specify.
 *
 * @param callers - the files on the call stack
 * @throws ConfigurationError for invalid options, before anything is opened.
 */
export function normalized(
  first: unknown,
  second: unknown,
  callers: readonly string[],
): { readonly options: GivenOptions; readonly stream: AnyStream } {
  if (typeof first === 'string') return { options: ownCopy({}), stream: destination(first) }
  if (isStream(first)) return { options: ownCopy({}), stream: registered(first) }
  const options = checkedOptions(first ?? {}, second)
  if (options.transport) return { options, stream: transportOf(options, callers) }
  const stream = typeof second === 'string' ? destination(second) : (second as AnyStream | undefined)
  return { options, stream: stream ? registered(stream) : standardOutput() }
}

/** Registers a stream and returns it unchanged, because users can read it from the logger. */
function registered(stream: AnyStream): AnyStream {
  openLineStream(stream)
  return stream
}

/**
 * Opens standard output. As in pino, a replaced `write` is detected only now: a function that replaces it later may log its text with this
 * logger.
 */
function standardOutput(): AnyStream {
  const standard = standardStream(1)
  return standard.isReplaced ? registered(standard.stream) : openDestination(standard.fd)
}

function isStream(given: unknown): given is AnyStream {
  if (given instanceof Destination) return true
  if ((typeof given !== 'object' && typeof given !== 'function') || given === null) return false
  return Boolean(member(given as GivenOptions, 'writable') || member(given as GivenOptions, '_writableState'))
}

function checkedOptions(given: object, stream: unknown): GivenOptions {
  if (typeof given !== 'object' || Array.isArray(given)) {
    const message = `the first argument must be an object with options, a stream, or the path of a file, not ${typeName(given)}`
    throw new ConfigurationError([{ code: 'SLUICE_OPTION_TYPE', path: '', message }], undefined, 'pino')
  }
  const problems: ConfigurationProblem[] = []
  const options = ownOptions(given as GivenOptions, '', problems)
  const { transport } = options
  if (transport && typeof stream === 'string') problems.push(transportConflict)
  if (stream && typeof stream !== 'string' && typeof member(stream as { write?: unknown }, 'write') !== 'function') {
    problems.push(invalidStream)
  }
  if (transport && !isStream(transport)) problems.push(...transportProblems(transport, 'transport', levelsOf(options)))
  rejectWrongOptions(options, problems)
  return options
}

const invalidStream: ConfigurationProblem = {
  code: 'SLUICE_OPTION_TYPE',
  path: 'stream',
  message: 'must be a stream with the method write, or the path of a file',
}

const transportConflict: ConfigurationProblem = {
  code: 'SLUICE_OPTION_CONFLICT',
  path: 'transport',
  message: 'only one of option.transport or stream can be specified',
}

function transportOf(given: GivenOptions, callers: readonly string[]): AnyStream {
  if (isStream(given.transport)) {
    throw optionError(
      'transport',
      'option.transport do not allow stream, please pass to option directly. e.g. pino(transport)',
    )
  }
  const options = ownCopy(given.transport) as Parameters<typeof transport>[0] & GivenOptions
  const formatters = given.formatters as { level?: unknown } | undefined
  const level = formatters && member(formatters, 'level')
  if ((options.targets as unknown[] | undefined)?.length && typeof level === 'function') {
    throw optionError('formatters.level', 'option.transport.targets do not allow custom level formatters')
  }
  return transport({ caller: callers, ...options, levels: levelsOf(given) })
}

/** Returns the custom levels for targets. */
function levelsOf(given: GivenOptions): Record<string, number> | undefined {
  const { levels } = ownCopy(Object(given.transport ?? {})) as { levels?: Record<string, number> }
  const customLevels = given.customLevels as Record<string, number> | undefined
  const own = given.useOnlyCustomLevels ? {} : { ...(given.levels as object) }
  return { ...levels, ...own, ...customLevels }
}
