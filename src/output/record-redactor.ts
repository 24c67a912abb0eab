import { ValueWalk } from '../encode/walk/value-walk.ts'
import { plainRules } from '../encode/plain-data.ts'
import type { AnyValue, AnyValueMap } from '../record/any-value.ts'
import { DerivedRecord, noChanges } from '../read/formats/derived-record.ts'
import type { ReadRecord, RecordOrigin } from '../read/record.ts'
import { defaultReplacement } from '../redact/censor.ts'
import { compileRedaction, type Redaction } from '../redact/redact.ts'
import type { PatternPresetName } from '../redact/patterns/presets.ts'
import { PrivateKeyLines } from './private-key-lines.ts'
import { JsonTextRedactor } from './redact-json-text.ts'
import { withoutColors } from './visible-text.ts'

/**
 * Compiles the rules of `--redact`. The rule `credentials` also redacts the values of names such as `password`.
 *
 * @param names - names of pattern presets
 */
export function compileRedactRules(names: readonly PatternPresetName[]): Redaction {
  return compileRedaction(
    { patterns: names, ...(names.includes('credentials') ? { keys: 'secrets' } : {}) },
    'redact',
    [],
  )
}

/** Redacts records and passed-through text by the rules of `--redact`, before anything is cut, colored or escaped. */
export class RecordRedactor {
  private readonly redaction: Redaction
  private readonly walk: ValueWalk
  private readonly jsonText: JsonTextRedactor
  private readonly keyLines = new PrivateKeyLines()
  private readonly redactsPrivateKeys: boolean
  // The result for the last resource, because most records have the same one.
  private lastResource: AnyValueMap | undefined
  private lastRaw: Uint8Array | undefined
  private lastRedactedRaw: Uint8Array | undefined
  private lastRedactedResource: AnyValueMap | undefined

  constructor(rules: readonly PatternPresetName[]) {
    const redaction = compileRedactRules(rules)
    this.redaction = redaction
    this.walk = new ValueWalk({
      ...plainRules,
      redaction,
      limits: { ...plainRules.limits, recordBytes: Infinity },
    })
    this.jsonText = new JsonTextRedactor(redaction)
    this.redactsPrivateKeys = this.line(sampleKey) !== sampleKey
  }

  /** Returns the record without secrets. Its bytes are redacted too. */
  redact(record: ReadRecord): ReadRecord {
    const { message, origin } = record
    if (!this.redactsPrivateKeys || message === undefined) return this.withoutSecrets(record)
    const rest = this.keyLines.textAfter(message, origin, isPlainText(record))
    this.keyLines.findStart(rest ?? message, origin)
    return this.withoutSecrets(rest === undefined ? record : keyLineRecord(record, rest))
  }

  private withoutSecrets(record: ReadRecord): ReadRecord {
    const { body, message, origin } = record
    const redactedMessage = message === undefined ? undefined : this.jsonText.redact(message)
    // The spread syntax would not copy the properties that are getters of a class.
    return {
      format: record.format,
      time: record.time,
      timeUnixNano: record.timeUnixNano,
      severityNumber: record.severityNumber,
      traceId: record.traceId,
      spanId: record.spanId,
      traceFlags: record.traceFlags,
      level: this.line(record.level),
      severityText: this.optionalLine(record.severityText),
      message: redactedMessage,
      body: redactedMessage ?? (body === undefined ? undefined : this.value(body)),
      eventName: this.optionalLine(record.eventName),
      attributes: this.map(record.attributes),
      resource: this.resource(record.resource),
      scope: this.optionalLine(record.scope),
      scopeVersion: this.optionalLine(record.scopeVersion),
      origin: this.origin(origin),
      raw: this.raw(record.raw),
    }
  }

  /** Returns where a record was read, without secrets. */
  origin<T extends ReadRecord['origin']>(origin: T): T {
    const container = this.optionalLine(origin.container)
    return container === origin.container ? origin : { ...origin, container }
  }

  /** Returns passed-through lines without secrets. A private key can extend over several calls. */
  text(bytes: Uint8Array, origin: RecordOrigin): Uint8Array {
    if (!this.redactsPrivateKeys) return this.bytes(bytes)
    const text = withoutColors(latin1(bytes))
    const rest = this.keyLines.textAfter(text, origin, true)
    this.keyLines.findStart(rest ?? text, origin)
    return this.bytes(rest === undefined ? bytes : Buffer.from(rest, 'latin1'))
  }

  /** Returns the same bytes for consecutive records of one line. */
  private raw(raw: Uint8Array): Uint8Array {
    if (raw !== this.lastRaw || this.lastRedactedRaw === undefined) {
      this.lastRaw = raw
      this.lastRedactedRaw = this.bytes(raw)
    }
    return this.lastRedactedRaw
  }

  private bytes(bytes: Uint8Array): Uint8Array {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    const utf8 = buffer.toString()
    // Bytes that are not UTF-8 stay unchanged.
    const encoding = utf8.includes('\ufffd') ? 'latin1' : 'utf8'
    const text = encoding === 'utf8' ? utf8 : buffer.toString('latin1')
    // A color inside a secret would hide it from the patterns.
    const plain = withoutColors(text)
    const redacted = this.jsonText.redact(plain)
    if (redacted === plain) return bytes
    return Buffer.from(withLineEnd(redacted, text), encoding)
  }

  private value(value: AnyValue): AnyValue {
    this.walk.begin()
    return this.walk.value(value, this.redaction.root, 1, '') ?? null
  }

  private map(map: AnyValueMap): AnyValueMap {
    const value = map.size === 0 ? map : this.value(map)
    return value instanceof Map ? (value as AnyValueMap) : emptyMap
  }

  private resource(resource: AnyValueMap): AnyValueMap {
    if (resource !== this.lastResource || this.lastRedactedResource === undefined) {
      this.lastResource = resource
      this.lastRedactedResource = this.map(resource)
    }
    return this.lastRedactedResource
  }

  private line(text: string): string {
    return this.redaction.patterns?.redact(text) ?? text
  }

  private optionalLine(text: string | undefined): string | undefined {
    return text === undefined ? undefined : this.line(text)
  }
}

const emptyMap: AnyValueMap = new Map()
const sampleKey = '-----BEGIN PRIVATE KEY-----'

/** Returns whether a record is only text that a container or a service wrote. */
function isPlainText({ format, severityText }: ReadRecord): boolean {
  return format === 'journald' || format === 'syslog' || (format === 'text' && severityText === undefined)
}

/** Returns a record whose message is a line of a private key, without the line. */
function keyLineRecord(record: ReadRecord, rest: string): ReadRecord {
  const message = rest === '' ? defaultReplacement : `${defaultReplacement} ${rest}`
  return new DerivedRecord(record, { ...noChanges, message, body: message, raw: Buffer.from(`${message}\n`) })
}

/** Returns a redacted text with the line end of the original one, which a match at the end can contain. */
function withLineEnd(redacted: string, original: string): string {
  return original.endsWith('\n') && !redacted.endsWith('\n') ? `${redacted}\n` : redacted
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}
