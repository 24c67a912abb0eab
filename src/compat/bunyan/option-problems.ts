import { unknownLevel } from '../../record/level-names.ts'
import { callback } from '../../options/option-checks.ts'
import { member, withoutPrototype } from '../../options/own-members.ts'
import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { levelFromName } from './levels.ts'
import { streamTypeOf } from './open-stream.ts'
import { parsePeriod } from './period.ts'
import type { Stream } from './types.ts'

const streamTypes = ['stream', 'file', 'rotating-file', 'raw']
/** Options of other packages that add file rotation to bunyan. They are not supported here. */
const unsupportedOptions = [
  'rotateExisting',
  'threshold',
  'totalSize',
  'totalFiles',
  'gzip',
  'template',
  'fieldOrder',
  'noCyclesCheck',
]

type UnknownOptions = Readonly<Record<string, unknown>>

/** Returns everything that is invalid in the options of a logger or a child. */
export function optionProblems(options: unknown, isChild: boolean): ConfigurationProblem[] {
  if (!options || typeof options !== 'object') return [wrongType('', 'options (object) is required')]
  const loggerOptions = options as UnknownOptions
  const problems: ConfigurationProblem[] = []
  if (isChild) addChildProblems(loggerOptions, problems)
  else if (!loggerOptions['name']) problems.push(wrongType('name', 'options.name (string) is required'))
  const { stream, streams, serializers, onDiagnostic } = loggerOptions
  if (stream && streams) problems.push(wrongType('streams', 'cannot mix "streams" and "stream" options'))
  addLevelProblem(loggerOptions['level'], 'level', problems)
  if (stream) addStreamProblems(withoutPrototype({ type: 'stream', stream } as Stream), 'stream', problems)
  if (streams && !Array.isArray(streams)) {
    problems.push(wrongType('streams', 'invalid options.streams: must be an array'))
  } else {
    for (const [index, each] of ((streams as Stream[] | undefined) ?? []).entries()) {
      addStreamProblems(each, `streams[${index}]`, problems)
    }
  }
  addSerializerProblems(serializers, problems)
  // For a child, `onDiagnostic` is an ordinary field.
  if (!isChild && onDiagnostic !== undefined) callback(onDiagnostic, 'onDiagnostic', problems)
  return problems
}

function addChildProblems({ name, redact }: UnknownOptions, problems: ConfigurationProblem[]): void {
  if (name) problems.push(wrongType('name', 'invalid options.name: child cannot set logger name'))
  if (typeof redact === 'object' && redact !== null) {
    problems.push(
      wrongType('redact', 'cannot be set on a child, which has the rules of its parent: set redact in createLogger()'),
    )
  }
}

function addSerializerProblems(serializers: unknown, problems: ConfigurationProblem[]): void {
  if (!serializers) return
  if (typeof serializers !== 'object' || Array.isArray(serializers)) {
    problems.push(wrongType('serializers', 'invalid options.serializers: must be an object'))
    return
  }
  for (const [field, serializer] of Object.entries(serializers)) {
    if (typeof serializer === 'function') continue
    const message = `invalid serializer for "${field}" field: must be a function`
    problems.push(wrongType(`serializers.${field}`, message))
  }
}

/** Adds everything that is invalid in the options of a stream to `problems`. */
export function addStreamProblems(streamOptions: Stream, where: string, problems: ConfigurationProblem[]): void {
  if (typeof streamOptions !== 'object' || streamOptions === null) {
    problems.push(wrongType(where, 'must be an object'))
    return
  }
  addLevelProblem(streamOptions.level, `${where}.level`, problems)
  const type = streamTypeOf(streamOptions)
  if (type === undefined || !streamTypes.includes(type)) {
    problems.push(
      outOfRange(`${where}.type`, `unknown stream type "${type}"; valid types are ${streamTypes.join(', ')}`),
    )
    return
  }
  const { stream, path } = streamOptions
  if (type === 'rotating-file') addRotationProblems(streamOptions, where, problems)
  else if (type === 'file' && stream === undefined) {
    if (typeof path !== 'string' || path === '') problems.push(wrongType(`${where}.path`, 'must be the path of a file'))
  } else if (typeof member(Object(stream) as { write?: unknown }, 'write') !== 'function') {
    problems.push(wrongType(where === 'stream' ? where : `${where}.stream`, `"${type}" stream is not writable`))
  }
}

function addRotationProblems(streamOptions: Stream, where: string, problems: ConfigurationProblem[]): void {
  const { stream, path, period, count } = streamOptions
  if (stream) problems.push(wrongType(`${where}.stream`, '"rotating-file" stream should not give a "stream"'))
  if (typeof path !== 'string' || path === '') problems.push(wrongType(`${where}.path`, 'must be the path of a file'))
  if (period !== undefined && (typeof period !== 'string' || parsePeriod(period) === undefined)) {
    problems.push(
      outOfRange(`${where}.period`, 'invalid period: it must be a number and h, d, w, m or y, such as "1d"'),
    )
  }
  if (count !== undefined && !(Number.isInteger(count) && count >= 0)) {
    problems.push(outOfRange(`${where}.count`, '"count" must be an integer of 0 or more'))
  }
  for (const name of unsupportedOptions.filter((each) => Object.hasOwn(streamOptions, each))) {
    const message = 'is not supported: set exporter to fileExporter({ path, rotate: { size, keep, compress } })'
    problems.push({ code: 'SLUICE_OPTION_UNKNOWN', path: `${where}.${name}`, message })
  }
}

function addLevelProblem(level: unknown, where: string, problems: ConfigurationProblem[]): void {
  const isValid =
    level === undefined ||
    level === null ||
    (typeof level === 'number' && level >= 0 && Number.isInteger(level)) ||
    (typeof level === 'string' && Object.hasOwn(levelFromName, level.toLowerCase()))
  if (!isValid) problems.push(outOfRange(where, levelMessage(level)))
}

function levelMessage(level: unknown): string {
  const names = Object.keys(levelFromName)
  if (typeof level === 'string') return unknownLevel(level, names)
  return `must be one of ${names.join(', ')}, or an integer of 0 or more`
}

function wrongType(path: string, message: string): ConfigurationProblem {
  return { code: 'SLUICE_OPTION_TYPE', path, message }
}

function outOfRange(path: string, message: string): ConfigurationProblem {
  return { code: 'SLUICE_OPTION_RANGE', path, message }
}
