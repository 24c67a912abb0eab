import type { AnyValue } from '../../record/any-value.ts'
import { CachedValue, type BoundState } from '../../record/bound.ts'
import type { LogRecord } from '../../record/record.ts'
import type { Rules } from '../../values/record-rules.ts'
import type { EncodedRecord, RecordTarget } from '../encoding.ts'
import { boundAttributesFor, clashes } from '../bound-beside.ts'
import { flat } from '../json/quote.ts'
import { wellFormedMembers } from '../well-formed-members.ts'
import type { Walk } from '../walk/walk.ts'
import type { WalkedRecord } from '../walk/walked-record.ts'

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

/** Writes records in a form of OTLP: attributes and body are values there, of which a message shows nothing. */
export class OtlpTarget implements RecordTarget<string> {
  readonly walk: Walk<string, string, string>
  private readonly rules: Rules
  private readonly writer: OtlpWriter

  constructor(rules: Rules, writer: OtlpWriter) {
    this.rules = rules
    this.writer = writer
    this.walk = writer.walk(rules)
  }

  write(record: LogRecord, walked: WalkedRecord<string>): EncodedRecord {
    const text = this.textOf(record, walked)
    const { recordBytes, truncated } = this.rules.limits
    const fitted = this.writer.fit(text, recordBytes)
    if (fitted !== text) truncated?.()
    return fitted as EncodedRecord
  }

  release(): void {
    // nothing is kept
  }

  private textOf(record: LogRecord, walked: WalkedRecord<string>): string {
    const { writer } = this
    const { attributes, message, structured } = walked
    const { bound } = record
    const alone =
      bound.names.size === 0 ||
      (attributes.omitted === undefined && bound.names.areWellFormed && !clashes(bound, attributes.leaf))
    const before = alone ? this.boundText(bound) : this.textOfMembers(boundAttributesFor(bound, attributes, true))
    const own = attributes.object
    return writer.write(record, {
      message: structured === undefined ? message : undefined,
      body: structured,
      attributes: own === '' || before === '' ? before + own : before + writer.comma + own,
      droppedAttributes: Math.min(attributes.dropped + record.droppedAttributes, mostDropped),
    })
  }

  /** The bound attributes as KeyValues, rendered once; the text of the parent's is reused. */
  private boundText(bound: BoundState): string {
    const known = bound.cached(this)
    if (known !== undefined) return (known as CachedValue<string>).value
    const { parent, names, values } = bound
    const { comma } = this.writer
    let text = ''
    if (names.overrides || !names.areWellFormed) text = this.textOfMembers(wellFormedMembers(bound.attributes))
    else {
      if (parent !== undefined) text = this.boundText(parent)
      for (const [index, name] of names.own.entries()) {
        const member = this.writer.member(name, values[index]!)
        text = text === '' ? member : text + comma + member
      }
    }
    return bound.keep(new CachedValue(this, flat(text))).value
  }

  private textOfMembers(members: Iterable<readonly [string, AnyValue]>): string {
    return Array.from(members, ([name, value]) => this.writer.member(name, value)).join(this.writer.comma)
  }
}

/** The count has 32 bits. */
const mostDropped = 4_294_967_295
