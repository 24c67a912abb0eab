import type { AnyValue } from '../../record/any-value.ts'
import { syslogLevel } from '../formats/syslog.ts'
import { exactTime, type TextTime } from '../formats/text-time.ts'
import { noTextParts } from '../formats/text-record.ts'
import { emptyEnvelope, type Envelope } from './envelope.ts'

/** The fields of an entry of the journal. A field that occurs several times is an array. */
export type JournalFields = ReadonlyMap<string, AnyValue>

/**
 * Returns the envelope of an entry of the journal, with the fields that systemd.journal-fields(7) documents. Fields of the program are
 * attributes; of the trusted fields, those with a name in OpenTelemetry's conventions are in the resource.
 */
export function journalEnvelope(fields: JournalFields): Envelope {
  const text = (name: string) => textOf(fields.get(name))
  const time = timeOfMicros(text('_SOURCE_REALTIME_TIMESTAMP') ?? text('__REALTIME_TIMESTAMP'))
  const identifier = text('SYSLOG_IDENTIFIER')
  const unit = text('_SYSTEMD_UNIT') ?? text('_SYSTEMD_USER_UNIT') ?? text('UNIT')
  const transport = text('_TRANSPORT')
  return {
    ...emptyEnvelope,
    inner: withoutLineEnd(text('MESSAGE') ?? ''),
    container: text('CONTAINER_NAME') ?? unit ?? identifier,
    stream: transport === 'stdout' ? transport : undefined,
    // journald splits long lines of a stream (`LineMax`).
    ...(transport === 'stdout' ? { isPart: text('_LINE_BREAK') === 'line-max' } : undefined),
    time,
    textRecord: {
      ...noTextParts,
      format: 'journald',
      time: time?.time,
      timeUnixNano: time?.timeUnixNano,
      ...syslogLevel(Number(text('PRIORITY') ?? Number.NaN)),
      attributes: attributesOf(fields),
      resource: resourceOf(fields, identifier, unit),
    },
  }
}

const attributeNames: ReadonlyMap<string, string> = new Map([
  ['CODE_FILE', 'code.file.path'],
  ['CODE_LINE', 'code.line.number'],
  ['CODE_FUNC', 'code.function.name'],
])
const numericNames: ReadonlySet<string> = new Set(['CODE_LINE', 'ERRNO', '_PID'])
const hiddenNames: ReadonlySet<string> = new Set([
  'MESSAGE',
  'PRIORITY',
  'SYSLOG_IDENTIFIER',
  'SYSLOG_FACILITY',
  'SYSLOG_PID',
  'SYSLOG_TIMESTAMP',
  'SYSLOG_RAW',
])

function attributesOf(fields: JournalFields): Map<string, AnyValue> {
  const attributes = new Map<string, AnyValue>()
  for (const [name, value] of fields) {
    if (name.startsWith('_') || hiddenNames.has(name)) continue
    attributes.set(attributeNames.get(name) ?? name, numericNames.has(name) ? numberOf(value) : value)
  }
  return attributes
}

const resourceNames: readonly (readonly [field: string, attribute: string])[] = [
  ['_HOSTNAME', 'host.name'],
  ['_PID', 'process.pid'],
  ['_EXE', 'process.executable.path'],
  ['_CMDLINE', 'process.command_line'],
  ['CONTAINER_NAME', 'container.name'],
  ['CONTAINER_ID_FULL', 'container.id'],
]

function resourceOf(
  fields: JournalFields,
  identifier: string | undefined,
  unit: string | undefined,
): Map<string, AnyValue> {
  const resource = new Map<string, AnyValue>()
  if (identifier !== undefined) resource.set('service.name', identifier)
  if (unit !== undefined) resource.set('systemd.unit', unit)
  for (const [field, attribute] of resourceNames) {
    const value = fields.get(field)
    if (value !== undefined) resource.set(attribute, numericNames.has(field) ? numberOf(value) : value)
  }
  return resource
}

/** Returns a value as a text: the first of several values, or bytes as UTF-8. */
function textOf(value: AnyValue | undefined): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.length).toString('utf8')
  return Array.isArray(value) ? textOf(value[0] as AnyValue | undefined) : undefined
}

function numberOf(value: AnyValue): AnyValue {
  const number = typeof value === 'string' && value !== '' ? Number(value) : Number.NaN
  return Number.isSafeInteger(number) ? number : value
}

function timeOfMicros(text: string | undefined): TextTime | undefined {
  if (text === undefined || !/^\d{1,18}$/.test(text)) return undefined
  const micros = BigInt(text)
  return exactTime(Number(micros / 1000n), Number(micros % 1000n) * 1000)
}

function withoutLineEnd(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text
}
