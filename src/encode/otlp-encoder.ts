import type { AnyValue } from '../record/any-value.ts'
import { CachedValue, type BoundState } from '../record/bound.ts'
import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../rules/rules.ts'
import type { EncodedRecord, RecordEncoder } from './encoding.ts'
import { plainRules } from './plain.ts'
import { clashes } from './prefix.ts'
import { flat } from './quote.ts'
import { RecordWalk, showsValues } from './record-walk.ts'
import { resolveRecord } from './resolve.ts'
import { wellFormedMembers } from './unique-names.ts'
import type { Walk } from './walk.ts'

/** What a record says beside its own fields, as finished fragments of a format. */
export interface OtlpParts {
  /** The body where it is text; undefined where it is not, or nothing was said. */
  readonly message: string | undefined
  /** The AnyValue of a body that is no text. */
  readonly body: string | undefined
  /** KeyValues, joined. */
  readonly attributes: string
  readonly droppedAttributes: number
}

/** One of the forms of OTLP. It keeps what it has rendered, so it belongs to one encoder. */
export interface OtlpWriter {
  /** The walk that makes values of this form. */
  walk(rules: Rules): Walk<string, string, string>
  /** The KeyValue of an attribute that went through rules before. */
  member(key: string, value: AnyValue): string
  /** What stands between two KeyValues. */
  readonly comma: string
  /** The record with its frame. */
  write(record: LogRecord, parts: OtlpParts): string
  /** A finished record, cut until it has no more than so many bytes. */
  fit(text: string, maxBytes: number): string
}

/** Reads records for a form of OTLP: attributes and body are values there, of which a message shows nothing. */
export class OtlpEncoder implements RecordEncoder {
  private readonly rules: Rules
  private readonly makeWriter: () => OtlpWriter
  private readonly writer: OtlpWriter
  private readonly record: RecordWalk<string, string, string>
  private plain: OtlpEncoder | undefined
  private busy = false

  constructor(rules: Rules, makeWriter: () => OtlpWriter) {
    this.rules = rules
    this.makeWriter = makeWriter
    this.writer = makeWriter()
    this.record = new RecordWalk(this.writer.walk(rules), rules)
  }

  encode(record: LogRecord): EncodedRecord {
    // User code that runs inside this walk may log: that record is encoded by another encoder of the same kind.
    if (this.busy) return new OtlpEncoder(this.rules, this.makeWriter).encode(record)
    this.busy = true
    try {
      const text = showsValues(record) ? this.textOfData(resolveRecord(record, this.rules)) : this.textOf(record)
      const { recordBytes, truncated } = this.rules.limits
      const fitted = this.writer.fit(text, recordBytes)
      if (fitted !== text) truncated?.()
      return fitted as EncodedRecord
    } finally {
      this.busy = false
    }
  }

  private textOf(record: LogRecord): string {
    this.record.read(record)
    const { writer } = this
    const { attributes, message, structured } = this.record
    const { bound } = record
    const alone =
      bound.names.size === 0 ||
      (attributes.omitted === undefined && bound.names.areWellFormed && !clashes(bound, attributes.leaf))
    const before = alone ? this.boundText(bound) : this.without(bound, (key) => attributes.says(key))
    const own = attributes.object
    return writer.write(record, {
      message: structured === undefined ? message : undefined,
      body: structured,
      attributes: own === '' || before === '' ? before + own : before + writer.comma + own,
      droppedAttributes: Math.min(attributes.dropped + record.droppedAttributes, mostDropped),
    })
  }

  /** The text of a record that holds data only. */
  private textOfData(record: LogRecord): string {
    this.plain ??= new OtlpEncoder(
      { ...plainRules, limits: { ...plainRules.limits, recordBytes: Infinity } },
      this.makeWriter,
    )
    return this.plain.textOf(record)
  }

  /** The bound attributes as KeyValues, rendered once; the text of the parent's is reused. */
  private boundText(bound: BoundState): string {
    const known = bound.cached(this)
    if (known !== undefined) return (known as CachedValue<string>).value
    const { parent, names, values } = bound
    const { comma } = this.writer
    let text = ''
    if (names.overrides || !names.areWellFormed) text = this.without(bound, () => false)
    else {
      if (parent !== undefined) text = this.boundText(parent)
      for (const [index, name] of names.own.entries()) {
        const member = this.writer.member(name, values[index]!)
        text = text === '' ? member : text + comma + member
      }
    }
    return bound.keep(new CachedValue(this, flat(text))).value
  }

  private without(bound: BoundState, isSet: (key: string) => boolean): string {
    return Array.from(wellFormedMembers(bound.attributes))
      .filter(([key]) => !isSet(key))
      .map(([key, value]) => this.writer.member(key, value))
      .join(this.writer.comma)
  }
}

/** The count has 32 bits. */
const mostDropped = 4_294_967_295
