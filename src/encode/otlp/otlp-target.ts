import type { AnyValue } from '../../record/any-value.ts'
import { CachedValue, type BoundState } from '../../record/bound.ts'
import type { LogRecord } from '../../record/record.ts'
import type { Rules } from '../../values/record-rules.ts'
import type { EncodedRecord, RecordTarget } from '../encoding.ts'
import { boundAttributesFor, clashes } from '../bound-attributes.ts'
import { flat } from '../json/quote.ts'
import { wellFormedMembers } from '../well-formed-members.ts'
import type { Walk } from '../walk/walk.ts'
import type { WalkedRecord } from '../walk/walked-record.ts'

/** The body and the attributes of a record, as finished fragments of a format. */
export interface OtlpParts {
  /** The body if it is text; undefined if it is another value or missing. */
  readonly message: string | undefined
  /** The AnyValue of a body that is not text. */
  readonly body: string | undefined
  /** KeyValues, joined. */
  readonly attributes: string
  readonly droppedAttributes: number
}

/** Writer of OTLP records in JSON or protobuf. It caches rendered text, so it belongs to one encoder. */
export interface OtlpWriter {
  /** Creates the walk that builds values in this format. */
  walk(rules: Rules): Walk<string, string, string>
  /** Returns the KeyValue of an attribute that rules were already applied to. */
  member(key: string, value: AnyValue): string
  /** The text between two KeyValues. */
  readonly comma: string
  /** Returns the record with its frame. */
  write(record: LogRecord, parts: OtlpParts): string
  /** Returns a finished record, cut to at most `maxBytes`. */
  fit(text: string, maxBytes: number): string
}

/** Writes records in a format of OTLP, in which attributes and body are typed values. A message does not contain values in this format. */
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
    // keeps no state for a record
  }

  private textOf(record: LogRecord, walked: WalkedRecord<string>): string {
    const { writer } = this
    const { attributes, message, structured } = walked
    const { bound } = record
    const isComplete =
      bound.names.size === 0 ||
      (attributes.omitted === undefined && bound.names.areWellFormed && !clashes(bound, attributes.leaf))
    const before = isComplete ? this.boundText(bound) : this.textOfMembers(boundAttributesFor(bound, attributes, true))
    const own = attributes.object
    return writer.write(record, {
      message: structured === undefined ? message : undefined,
      body: structured,
      attributes: own === '' || before === '' ? before + own : before + writer.comma + own,
      droppedAttributes: Math.min(attributes.dropped + record.droppedAttributes, maxDropped),
    })
  }

  /** Returns the bound attributes as KeyValues. They are rendered once, and the text of the parent is reused. */
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

/** The largest count of dropped attributes, an unsigned 32-bit integer. */
const maxDropped = 4_294_967_295
