import { member, withoutPrototype } from '../../options/own-members.ts'
import { typeName } from '../../options/option-checks.ts'
import { copyOptions } from '../../options/own-options.ts'
import { ConfigurationError, type ConfigurationProblem } from '../../options/configuration-error.ts'
import { Destination, destination as openDestination } from '../shared/destination/destination.ts'
import { destination } from './destination.ts'
import { openStandardDestinationOrSelf } from '../shared/destination/standard-destination.ts'
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
 * @param callerFiles - the files on the call stack, from which targets of transports are resolved
 * @throws ConfigurationError for invalid options, before anything is opened.
 */
export function normalizeArguments(
  optionsOrStream: unknown,
  givenStream: unknown,
  callerFiles: readonly string[],
): { readonly options: GivenOptions; readonly stream: AnyStream } {
  if (typeof optionsOrStream === 'string')
    return { options: withoutPrototype({}), stream: destination(optionsOrStream) }
  if (isStream(optionsOrStream)) return { options: withoutPrototype({}), stream: openIfStandard(optionsOrStream) }
  const options = checkedOptions(optionsOrStream ?? {}, givenStream)
  if (options.transport) return { options, stream: openTransport(options, callerFiles) }
  const stream = typeof givenStream === 'string' ? destination(givenStream) : (givenStream as AnyStream | undefined)
  return { options, stream: stream ? openIfStandard(stream) : standardOutput() }
}

/**
 * If the stream is `process.stdout` or `process.stderr`, opens its standard destination, so that lines are written through a queue. Returns
 * the stream itself, because users can read it from the logger.
 */
function openIfStandard(stream: AnyStream): AnyStream {
  openStandardDestinationOrSelf(stream)
  return stream
}

/**
 * Opens standard output. As in pino, a replaced `process.stdout.write` is called only if it is replaced before the logger is created: a
 * function that replaces it later may log its text with this logger, which would be an endless recursion.
 */
function standardOutput(): AnyStream {
  const standard = standardStream(1)
  return standard.isWriteReplaced ? openIfStandard(standard.stream) : openDestination(standard.fd)
}

function isStream(value: unknown): value is AnyStream {
  if (value instanceof Destination) return true
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  return Boolean(member(value as GivenOptions, 'writable') || member(value as GivenOptions, '_writableState'))
}

/** Returns a copy of the options, or throws one error with all problems. */
function checkedOptions(givenOptions: object, stream: unknown): GivenOptions {
  if (typeof givenOptions !== 'object' || Array.isArray(givenOptions)) {
    const message = `the first argument must be an object with options, a stream, or the path of a file, not ${typeName(givenOptions)}`
    throw new ConfigurationError([{ code: 'SLUICE_OPTION_TYPE', path: '', message }], undefined, 'pino')
  }
  const problems: ConfigurationProblem[] = []
  const options = copyOptions(givenOptions as GivenOptions, '', problems)
  const { transport } = options
  if (transport && typeof stream === 'string') problems.push(transportConflict)
  if (stream && typeof stream !== 'string' && typeof member(stream as { write?: unknown }, 'write') !== 'function') {
    problems.push(invalidStream)
  }
  if (transport && !isStream(transport))
    problems.push(...transportProblems(transport, 'transport', targetLevels(options)))
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

function openTransport(loggerOptions: GivenOptions, callerFiles: readonly string[]): AnyStream {
  if (isStream(loggerOptions.transport)) {
    throw optionError(
      'transport',
      'option.transport do not allow stream, please pass to option directly. e.g. pino(transport)',
    )
  }
  const transportOptions = withoutPrototype(loggerOptions.transport) as Parameters<typeof transport>[0] & GivenOptions
  const formatters = loggerOptions.formatters as { level?: unknown } | undefined
  const level = formatters && member(formatters, 'level')
  if ((transportOptions.targets as unknown[] | undefined)?.length && typeof level === 'function') {
    throw optionError('formatters.level', 'option.transport.targets do not allow custom level formatters')
  }
  return transport({ caller: callerFiles, ...transportOptions, levels: targetLevels(loggerOptions) })
}

/** Returns the numbers, by name, of the custom levels that the targets of a transport can use. */
function targetLevels(loggerOptions: GivenOptions): Record<string, number> | undefined {
  const { levels } = withoutPrototype(Object(loggerOptions.transport ?? {})) as { levels?: Record<string, number> }
  const customLevels = loggerOptions.customLevels as Record<string, number> | undefined
  const loggerLevels = loggerOptions.useOnlyCustomLevels ? {} : { ...(loggerOptions.levels as object) }
  return { ...levels, ...loggerLevels, ...customLevels }
}
