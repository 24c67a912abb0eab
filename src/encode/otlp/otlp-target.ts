import type { AnyValue } from '../../record/any-value.ts'
import { CachedValue, type BoundState } from '../../record/bound.ts'
import type { LogRecord } from '../../record/record.ts'
import type { Rules } from '../../values/record-rules.ts'
import type { EncodedRecord, RecordTarget } from '../encoding.ts'
import { boundAttributesFor, clashesWithBound } from '../bound-attributes.ts'
import { flattenString } from '../json/quote.ts'
import { wellFormedMembers } from '../well-formed-members.ts'
import type { Walk } from '../walk/walk.ts'
import type { WalkedRecord } from '../walk/walked-record.ts'

/** The body and the attributes of a record, as finished fragments of a format. */
export interface OtlpFragments {
  /** The body if it is text; undefined if it is another value or missing. */
  readonly message: string | undefined
  /** The AnyValue of a body that is not text. */
  readonly body: string | undefined
  /** The KeyValues of all attributes, with separators. */
  readonly attributes: string
  readonly droppedAttributes: number
}

/** Writes OTLP records in JSON or protobuf. A writer caches rendered text, so it belongs to one encoder. */
export interface OtlpWriter {
  /** Creates the walk that builds values in this format. */
  createWalk(rules: Rules): Walk<string, string, string>
  /** Returns the KeyValue of an attribute to which rules were already applied. */
  keyValue(key: string, value: AnyValue): string
  /** The text between two KeyValues. */
  readonly separator: string
  /** Returns the finished record, with the text that the format has around it. */
  write(record: LogRecord, parts: OtlpFragments): string
  /**
   * Returns a finished record, with the body and attributes cut so that it has at most `maxBytes` if the other fields leave room for that.
   */
  fit(text: string, maxBytes: number): string
}

/** Writes walked records in a format of OTLP, in which attributes and the body are typed values. */
export class OtlpTarget implements RecordTarget<string> {
  readonly walk: Walk<string, string, string>
  private readonly rules: Rules
  private readonly writer: OtlpWriter

  constructor(rules: Rules, writer: OtlpWriter) {
    this.rules = rules
    this.writer = writer
    this.walk = writer.createWalk(rules)
  }

  write(record: LogRecord, walked: WalkedRecord<string>): EncodedRecord {
    const text = this.textOf(record, walked)
    const { recordBytes, onTruncated } = this.rules.limits
    const fitted = this.writer.fit(text, recordBytes)
    if (fitted !== text) onTruncated?.()
    return fitted as EncodedRecord
  }

  release(): void {
    // No state is kept for a record.
  }

  private textOf(record: LogRecord, walked: WalkedRecord<string>): string {
    const { writer } = this
    const { attributes, message, structuredBody } = walked
    const { bound } = record
    const canReuseBoundText =
      bound.names.size === 0 ||
      (attributes.omittedKeys === undefined &&
        bound.names.areWellFormed &&
        !clashesWithBound(bound, attributes.shapeLeaf))
    const boundText = canReuseBoundText
      ? this.boundText(bound)
      : this.keyValuesText(boundAttributesFor(bound, attributes, true))
    const callText = attributes.builtObject
    return writer.write(record, {
      message: structuredBody === undefined ? message : undefined,
      body: structuredBody,
      attributes: callText === '' || boundText === '' ? boundText + callText : boundText + writer.separator + callText,
      droppedAttributes: Math.min(attributes.droppedCount + record.droppedAttributes, maxDroppedCount),
    })
  }

  /**
   * Returns the bound attributes as KeyValues. They are rendered once. The text of the parent is reused if no name overrides one of the
   * parent's and all names are well-formed.
   */
  private boundText(bound: BoundState): string {
    const known = bound.cacheEntryOf(this)
    if (known !== undefined) return (known as CachedValue<string>).value
    const { parent, names, values } = bound
    const { separator } = this.writer
    let text = ''
    if (names.overridesParent || !names.areWellFormed) text = this.keyValuesText(wellFormedMembers(bound.attributes))
    else {
      if (parent !== undefined) text = this.boundText(parent)
      for (const [index, name] of names.ownNames.entries()) {
        const member = this.writer.keyValue(name, values[index]!)
        text = text === '' ? member : text + separator + member
      }
    }
    return bound.addCacheEntry(new CachedValue(this, flattenString(text))).value
  }

  private keyValuesText(members: Iterable<readonly [string, AnyValue]>): string {
    return Array.from(members, ([name, value]) => this.writer.keyValue(name, value)).join(this.writer.separator)
  }
}

/** The largest count of dropped attributes, an unsigned 32-bit integer. */
const maxDroppedCount = 4_294_967_295
