import { member, ownCopy } from '../../options/own-members.ts'
import { ownOptions } from '../../options/own-options.ts'
import { ConfigurationError, type ConfigurationProblem } from '../../options/configuration-error.ts'
import { Destination, destination as openDestination } from '../shared/destination/destination.ts'
import { destination } from './destination.ts'
import { openLineStream } from '../shared/destination/standard-destination.ts'
import { standardStream } from '../../platform/node/standard-streams.ts'
import type { AnyStream } from './instance.ts'
import { refuseWrongOptions } from './option-problems.ts'
import type { GivenOptions } from './options.ts'
import { transport } from './transport.ts'
import { transportProblems } from './transport-problems.ts'
import { wrong } from '../shared/wrong-option.ts'

/**
 * The arguments of `pino()` as options and a stream. `callers`: the files that the call came through.
 *
 * @throws ConfigurationError for options that cannot be, before anything is opened.
 */
export function normalized(
  first: unknown,
  second: unknown,
  callers: readonly string[],
): { readonly options: GivenOptions; readonly stream: AnyStream } {
  if (typeof first === 'string') return { options: ownCopy({}), stream: destination(first) }
  if (isStream(first)) return { options: ownCopy({}), stream: opened(first) }
  const options = checked(first ?? {}, second)
  if (options.transport) return { options, stream: transportOf(options, callers) }
  const stream = typeof second === 'string' ? destination(second) : (second as AnyStream | undefined)
  return { options, stream: stream ? opened(stream) : standardOutput() }
}

/** The stream itself, which users find in the logger. */
function opened(stream: AnyStream): AnyStream {
  openLineStream(stream)
  return stream
}

/** As pino does: whether `write` has been replaced is checked now. A function that replaces it later may log its text with this logger. */
function standardOutput(): AnyStream {
  const standard = standardStream(1)
  return standard.isReplaced ? opened(standard.stream) : openDestination(standard.fd)
}

function isStream(given: unknown): given is AnyStream {
  if (given instanceof Destination) return true
  if ((typeof given !== 'object' && typeof given !== 'function') || given === null) return false
  return Boolean(member(given as GivenOptions, 'writable') || member(given as GivenOptions, '_writableState'))
}

function checked(given: object, stream: unknown): GivenOptions {
  if (typeof given !== 'object' || Array.isArray(given)) {
    const message = 'pino() takes an object with options, a stream, or the path of a file'
    throw new ConfigurationError([{ code: 'SLUICE_OPTION_TYPE', path: '', message }])
  }
  const problems: ConfigurationProblem[] = []
  const options = ownOptions(given as GivenOptions, '', problems)
  const { transport } = options
  if (transport && typeof stream === 'string') problems.push(oneOfTwo)
  if (stream && typeof stream !== 'string' && typeof member(stream as { write?: unknown }, 'write') !== 'function') {
    problems.push(noStream)
  }
  if (transport && !isStream(transport)) problems.push(...transportProblems(transport, 'transport', levelsOf(options)))
  refuseWrongOptions(options, problems)
  return options
}

const noStream: ConfigurationProblem = {
  code: 'SLUICE_OPTION_TYPE',
  path: 'stream',
  message: 'must be a stream with a method write, or the path of a file',
}

const oneOfTwo: ConfigurationProblem = {
  code: 'SLUICE_OPTION_CONFLICT',
  path: 'transport',
  message: 'only one of option.transport or stream can be specified',
}

function transportOf(given: GivenOptions, callers: readonly string[]): AnyStream {
  if (isStream(given.transport)) {
    throw wrong(
      'transport',
      'option.transport do not allow stream, please pass to option directly. e.g. pino(transport)',
    )
  }
  const options = ownCopy(given.transport) as Parameters<typeof transport>[0] & GivenOptions
  const formatters = given.formatters as { level?: unknown } | undefined
  const level = formatters && member(formatters, 'level')
  if ((options.targets as unknown[] | undefined)?.length && typeof level === 'function') {
    throw wrong('formatters.level', 'option.transport.targets do not allow custom level formatters')
  }
  return transport({ caller: callers, ...options, levels: levelsOf(given) })
}

/** The levels that targets know beside the standard ones. */
function levelsOf(given: GivenOptions): Record<string, number> | undefined {
  const { levels } = ownCopy(Object(given.transport ?? {})) as { levels?: Record<string, number> }
  const customLevels = given.customLevels as Record<string, number> | undefined
  const own = given.useOnlyCustomLevels ? {} : { ...(given.levels as object) }
  return { ...levels, ...own, ...customLevels }
}
