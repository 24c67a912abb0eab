import { ValueWalk } from '../../encode/walk/value-walk.ts'
import { plainRules } from '../../encode/plain-data.ts'
import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import type { ReadRecord } from '../../read/record.ts'
import { compileRedaction, type Redaction } from '../../redact/redact.ts'
import type { PatternPresetName } from '../../redact/patterns/presets.ts'
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
  /** The maximum number of further bytes of a private key that was begun; 0 outside of a key. */
  private remainingKeyBytes = 0
  private readonly redactsPrivateKeys: boolean
  // The result for the last resource, because most records have the same one.
  private lastResource: AnyValueMap | undefined
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
    this.remainingKeyBytes = 0
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
      raw: this.bytes(record.raw),
    }
  }

  /** Returns where a record was read, without secrets. */
  origin<T extends ReadRecord['origin']>(origin: T): T {
    const container = this.optionalLine(origin.container)
    return container === origin.container ? origin : { ...origin, container }
  }

  /** Returns passed-through lines without secrets. A private key can extend over several calls. */
  text(bytes: Uint8Array): Uint8Array {
    if (this.remainingKeyBytes <= 0) {
      const redacted = this.bytes(bytes)
      if (this.redactsPrivateKeys && redacted !== bytes) this.findOpenKey(latin1(bytes))
      return redacted
    }
    const text = latin1(bytes)
    const end = keyEnd.exec(text)
    this.remainingKeyBytes -= bytes.length
    if (end === null) return noBytes
    const rest = text.slice(end.index + end[0].length).replace(/^\r?\n/, '')
    this.findOpenKey(rest)
    return this.bytes(Buffer.from(rest, 'latin1'))
  }

  /** Remembers whether a private key begins in a text and does not end in it. */
  private findOpenKey(text: string): void {
    const last = Array.from(text.matchAll(keyStart)).at(-1)
    const isOpen = last !== undefined && !keyEnd.test(text.slice(last.index))
    this.remainingKeyBytes = isOpen ? maxKeyBytes : 0
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
/** The size of a private key in text, at most; otherwise a key without an end would redact all text after it. */
const maxKeyBytes = 16_384
const noBytes = new Uint8Array()
const sampleKey = '-----BEGIN PRIVATE KEY-----'
const keyStart = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g
const keyEnd = /-----END (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/

/** Returns a redacted text with the line end of the original one, which a match at the end can contain. */
function withLineEnd(redacted: string, original: string): string {
  return original.endsWith('\n') && !redacted.endsWith('\n') ? `${redacted}\n` : redacted
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}
