import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { ConfigurationError } from '../../options/configuration-error.ts'
import type { BoundState } from '../../record/bound.ts'
import type { LogRecord } from '../../record/record.ts'
import type { Rules } from '../../values/record-rules.ts'
import type { EncodedRecord, Encoding, RecordTarget } from '../encoding.ts'
import { boundAttributesFor, clashes } from '../bound-attributes.ts'
import { fitLine } from './fit-line.ts'
import type { LayoutName } from './layout-bases.ts'
import { resolveLayout, type Layout, type ResolvedLayout } from './layout.ts'
import { LineFields } from './line-fields.ts'
import { LongStrings, type LongLine } from './long-line.ts'
import { segmentsOf, memberOf, type CachedSegments } from './prefix.ts'
import { escape } from './quote.ts'
import { TextWalk } from '../walk/text-walk.ts'
import { walkFormat } from '../walk-encoder.ts'
import type { WalkedRecord } from '../walk/walked-record.ts'

/**
 * Creates an encoding that writes JSON Lines: one JSON object (RFC 8259) per line, in the given layout.
 *
 * @param layout - the name of a layout, or a layout with its adjustments
 * @throws ConfigurationError if the layout is invalid.
 */
export function jsonLines(layout: LayoutName | Layout = 'sluice'): Encoding {
  const problems: ConfigurationProblem[] = []
  const resolved = resolveLayout(layout, 'layout', problems)
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, 'jsonLines')
  return walkFormat({ key: 'json:' + keyOf(resolved) }, (rules) => new LineTarget(resolved, rules))
}

/**
 * Returns a key that is the same for layouts that write the same text. It is not the JSON of the whole layout, because a `toJSON` on
 * Object.prototype could change that.
 */
function keyOf(layout: ResolvedLayout): string {
  const { fields, omitted, level, time, trace, attributes, reserved, constants, severityNumber, project } = layout
  const members = [...fields.map(({ field, key }) => [field, key] as const), ...constants]
  return [
    level,
    time,
    severityNumber,
    trace,
    JSON.stringify(project),
    attributes,
    // Reserved names have no effect if attributes are nested.
    ...(attributes === 'flat' ? reserved : []),
    ...omitted,
    ...members.map((pair) => pair.map((part) => JSON.stringify(part)).join(':')),
  ].join()
}

class LineTarget implements RecordTarget<string> {
  readonly walk: TextWalk
  private readonly rules: Rules
  private readonly later: LongStrings
  private readonly fields: LineFields

  constructor(layout: ResolvedLayout, rules: Rules) {
    this.rules = rules
    this.later = new LongStrings(rules.limits.recordBytes)
    this.walk = new TextWalk(rules.limits, this.later, rules.redaction.patterns)
    this.fields = new LineFields(layout)
  }

  write(record: LogRecord, walked: WalkedRecord<string>): EncodedRecord {
    return this.line(record, walked) as EncodedRecord
  }

  release(): void {
    if (!this.later.isEmpty) this.later.clear()
  }

  /** Creates the fixed text around the bound attributes. It is cached on the bound state. */
  leadOf(bound: BoundState, members: string): CachedSegments {
    return this.fields.lead(this, bound, members)
  }

  private line(record: LogRecord, walked: WalkedRecord<string>): string | LongLine {
    const { attributes, message } = walked
    const { bound } = record
    const dropped = attributes.dropped + record.droppedAttributes
    const lead = segmentsOf(bound, this)
    const { recordBytes } = this.rules.limits
    const isComplete = attributes.omitted === undefined && (lead.members === '' || !clashes(bound, attributes.leaf))
    const isOrdinary = this.fields.places === undefined || this.isOrdinary(walked, lead)
    const isUsual = isComplete && isOrdinary && dropped === 0 && record.eventName === undefined && this.fields.isUsual
    if (isUsual && message !== undefined && message.length <= this.later.usual && this.later.isEmpty) {
      const line = this.fields.usualLine(record, message, lead, attributes.object)
      // A UTF-16 unit takes at most three bytes.
      if (line.length * 3 <= recordBytes) return line
    }
    const before = isComplete
      ? lead.members
      : boundAttributesFor(bound, attributes)
          .map(([name, value]) => memberOf(name, value))
          .join()
    return this.anyLine(record, walked, joined(before, attributes.object), dropped, isOrdinary)
  }

  private anyLine(
    record: LogRecord,
    { exceptionParts, message }: WalkedRecord<string>,
    all: string,
    dropped: number,
    isOrdinary: boolean,
  ): string | LongLine {
    const text = message === undefined ? undefined : '"' + this.escaped(message) + '"'
    const make = (cut: string | undefined, members: string) =>
      this.fields.line(record, cut, members, dropped, exceptionParts, isOrdinary)
    const line = make(text, all)
    if (!this.later.isEmpty) return this.longLine(line, text, all, make)
    return line.length * 3 <= this.rules.limits.recordBytes ? line : this.fitted(line, text, all, make)
  }

  private fitted(line: string, text: string | undefined, all: string, make: MakeLine): string {
    const { recordBytes, truncated } = this.rules.limits
    const fitted = fitLine(line, recordBytes, text, all, make, this.fields.places?.slack)
    if (fitted !== line) truncated?.()
    return fitted
  }

  /** Returns whether all members of the record belong where the layout places attributes. */
  private isOrdinary({ attributes, exceptionParts }: WalkedRecord<string>, lead: CachedSegments): boolean {
    if (exceptionParts !== undefined || lead.clashes) return false
    return !this.fields.places!.clashes(attributes.leaf)
  }

  private escaped(message: string): string {
    return message.length > this.later.usual ? this.later.keep(message) : escape(message)
  }

  /** Returns the line for text in which placeholders represent long strings. */
  private longLine(line: string, text: string | undefined, all: string, make: MakeLine): string | LongLine {
    const { later } = this
    return (
      later.line(line, this.rules.limits.recordBytes) ??
      this.fitted(later.expand(line), text && later.expand(text), later.expand(all), make)
    )
  }
}

type MakeLine = (message: string | undefined, members: string) => string

function joined(before: string, own: string): string {
  return own === '' || before === '' ? before + own : before + ',' + own
}
