import type { FormatName, ReadRecord } from '../record.ts'
import { datadogFormat } from './datadog.ts'
import { detectFormat } from './detect-format.ts'
import { ecsFormat } from './ecs.ts'
import { rolesOf, type RoleTable } from './field-finder.ts'
import { readFlatRecord } from './flat-record.ts'
import { gcpFormat } from './gcp.ts'
import { genericFormat } from './generic.ts'
import type { Field, JsonFormat } from './json-format.ts'
import { parseMembers } from './json-members.ts'
import type { LineContext } from './line-context.ts'
import { logTapeFormat } from './logtape.ts'
import { isOtlpRequest, otherSignals, readOtlpRecords } from './otlp.ts'
import { otelFormat, sluiceFormat } from './own-formats.ts'
import { bunyanFormat, pinoFormat } from './pino.ts'
import { readSluiceLine } from './sluice-line.ts'
import { tslogFormat } from './tslog.ts'
import { winstonFormat } from './winston.ts'

/** The formats whose fields are members of one JSON object. */
const flatFormats: ReadonlyMap<FormatName, JsonFormat> = new Map(
  [
    sluiceFormat,
    otelFormat,
    pinoFormat,
    bunyanFormat,
    winstonFormat,
    tslogFormat,
    logTapeFormat,
    ecsFormat,
    gcpFormat,
    datadogFormat,
    genericFormat,
  ].map((format) => [format.name, format] as const),
)

/**
 * Reads a line that is a JSON object.
 *
 * @param text - the line without its prefix and its line end
 * @returns the record; the records of an OTLP request, which can be none; undefined if the line is not a JSON object, or shows no time, level
 * or message in an object whose format is not given.
 */
export function readJsonRecords(text: string, context: LineContext): ReadRecord | readonly ReadRecord[] | undefined {
  const { input } = context
  if (input !== undefined && input !== 'otlp' && !flatFormats.has(input)) return undefined
  if ((input === undefined || input === 'sluice') && context.fieldNames === undefined) {
    const record = readSluiceLine(text, context)
    if (record !== undefined) return record
  }
  const members = parseMembers(text)
  if (members === undefined) return undefined
  if (input === 'otlp' || (input === undefined && isOtlpRequest(members))) return readOtlpRecords(members, context)
  if (input !== undefined) {
    const format = flatFormats.get(input)!
    return readFlatRecord(text, members, format, rolesFor(format, context.fieldNames), context)
  }
  if (otherSignals.some((name) => Object.hasOwn(members, name))) return undefined
  const detected = detectFormat(members)
  const format = detected ?? genericFormat
  const record = readFlatRecord(text, members, format, rolesFor(format, context.fieldNames), context)
  if (detected !== undefined) return record
  const { time, level, message, severityNumber, eventName } = record
  const isRecord =
    time !== undefined || level !== '' || severityNumber > 0 || message !== undefined || eventName !== undefined
  return isRecord ? record : undefined
}

const rolesByFormat = new Map<JsonFormat, RoleTable>()
const rolesByNames = new WeakMap<ReadonlyMap<string, string>, Map<JsonFormat, RoleTable>>()

function rolesFor(format: JsonFormat, fieldNames: ReadonlyMap<string, string> | undefined): RoleTable {
  const cache = fieldNames === undefined ? rolesByFormat : cacheOf(fieldNames)
  let roles = cache.get(format)
  if (roles === undefined) cache.set(format, (roles = rolesOf(format, [...mappedFields(fieldNames)])))
  return roles
}

function cacheOf(fieldNames: ReadonlyMap<string, string>): Map<JsonFormat, RoleTable> {
  let cache = rolesByNames.get(fieldNames)
  if (cache === undefined) rolesByNames.set(fieldNames, (cache = new Map()))
  return cache
}

/** The names of fields that `fieldNames` can have. */
const fieldsByName: ReadonlyMap<string, Field> = new Map<string, Field>([
  ['time', 'time'],
  ['timestamp', 'time'],
  ['level', 'level'],
  ['severity', 'level'],
  ['severity_number', 'severityNumber'],
  ['message', 'message'],
  ['msg', 'message'],
  ['body', 'message'],
  ['event', 'eventName'],
  ['scope', 'scope'],
  ['logger', 'scope'],
  ['trace_id', 'traceId'],
  ['span_id', 'spanId'],
  ['trace_flags', 'traceFlags'],
  ['exception', 'exception'],
  ['stack', 'exceptionStacktrace'],
  ['attributes', 'attributes'],
  ['resource', 'resource'],
])

/** The names of the fields whose members can be named by the caller. */
export const mappableFields: readonly string[] = [...fieldsByName.keys()]

function* mappedFields(fieldNames: ReadonlyMap<string, string> | undefined): Generator<readonly [Field, string]> {
  for (const [name, member] of fieldNames ?? []) {
    const field = fieldsByName.get(name)
    if (field !== undefined) yield [field, member]
  }
}
