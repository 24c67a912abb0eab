import type { ConfigurationProblem } from '../record/problems.ts'
import { ConfigurationError } from '../record/problems.ts'
import type { BoundState } from '../record/bound.ts'
import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../rules/rules.ts'
import type { EncodedRecord, Encoding, Format, RecordEncoder } from './encoding.ts'
import { fitLine } from './fit-line.ts'
import type { LayoutName } from './layout-bases.ts'
import { resolveLayout, type Layout, type ResolvedLayout } from './layout.ts'
import { LineFields } from './line-fields.ts'
import { LongStrings, type LongLine } from './long-line.ts'
import { clashes, leadOf, membersWithout, type LineLead } from './prefix.ts'
import { escape } from './quote.ts'
import { RecordWalk } from './record-walk.ts'
import { TextWalk } from './text-walk.ts'

/** JSON lines (RFC 8259, one object a line) in a layout. Throws a `ConfigurationError` for a layout that cannot be. */
export function jsonLines(layout: LayoutName | Layout = 'sluice'): Encoding {
  const problems: ConfigurationProblem[] = []
  const resolved = resolveLayout(layout, 'layout', problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
  const format: Format = {
    key: 'json:' + keyOf(resolved),
    encoder: (rules) => new LineEncoder(resolved, rules),
  }
  return format
}

/** Layouts that write the same have the same key. Not the JSON of the whole: a `toJSON` on Object.prototype would decide. */
function keyOf(layout: ResolvedLayout): string {
  const { fields, leftOut, level, time, trace, attributes, reserved, constants, severityNumber, project } = layout
  const members = [...fields.map(({ field, key }) => [field, key] as const), ...constants]
  return [
    level,
    time,
    severityNumber,
    trace,
    JSON.stringify(project),
    attributes,
    // It decides nothing where attributes do not stand at the top level.
    ...(attributes === 'flat' ? reserved : []),
    ...leftOut,
    ...members.map((pair) => pair.map((part) => JSON.stringify(part)).join(':')),
  ].join()
}

class LineEncoder implements RecordEncoder {
  private readonly layout: ResolvedLayout
  private readonly rules: Rules
  private readonly later: LongStrings
  private readonly record: RecordWalk<string, string, string>
  private readonly fields: LineFields
  private busy = false

  constructor(layout: ResolvedLayout, rules: Rules) {
    this.layout = layout
    this.rules = rules
    this.later = new LongStrings(rules.limits.recordBytes)
    this.record = new RecordWalk(new TextWalk(rules.limits, this.later, rules.redaction.patterns), rules)
    this.fields = new LineFields(layout)
  }

  encode(record: LogRecord): EncodedRecord {
    // User code that runs inside this walk may log: that record is encoded by another encoder of the same kind.
    if (this.busy) return new LineEncoder(this.layout, this.rules).encode(record)
    this.busy = true
    try {
      this.record.read(record)
      return this.line(record) as EncodedRecord
    } finally {
      this.busy = false
      if (!this.later.isEmpty) this.later.clear()
    }
  }

  /** What leads to the attributes of a call; kept on the bound snapshot. */
  leadOf(bound: BoundState, members: string): LineLead {
    return this.fields.lead(this, bound, members)
  }

  private line(record: LogRecord): string | LongLine {
    const { attributes, message } = this.record
    const { bound } = record
    const dropped = attributes.dropped + record.droppedAttributes
    const lead = leadOf(bound, this)
    const { recordBytes } = this.rules.limits
    const alone = attributes.omitted === undefined && (lead.members === '' || !clashes(bound, attributes.leaf))
    const isOrdinary = this.fields.places === undefined || this.isOrdinary(lead)
    const isUsual = alone && isOrdinary && dropped === 0 && record.eventName === undefined && this.fields.isUsual
    if (isUsual && message !== undefined && message.length <= this.later.usual && this.later.isEmpty) {
      const line = this.fields.usualLine(record, message, lead, attributes.object)
      // A character takes three bytes at most.
      if (line.length * 3 <= recordBytes) return line
    }
    const before = alone ? lead.members : membersWithout(bound, (key) => attributes.says(key))
    return this.anyLine(record, joined(before, attributes.object), dropped, isOrdinary)
  }

  private anyLine(record: LogRecord, all: string, dropped: number, isOrdinary: boolean): string | LongLine {
    const { exceptionParts, message } = this.record
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

  /** Whether all members of the record stand where attributes stand. */
  private isOrdinary(lead: LineLead): boolean {
    if (this.record.exceptionParts !== undefined || lead.clashes) return false
    return !this.fields.places!.clashes(this.record.attributes.leaf)
  }

  private escaped(message: string): string {
    return message.length > this.later.usual ? this.later.keep(message) : escape(message)
  }

  /** A line in which marks stand for long strings. */
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
