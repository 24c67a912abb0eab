import type { ConfigurationProblem } from '../record/problems.ts'
import { ConfigurationError } from '../record/problems.ts'
import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../rules/rules.ts'
import type { EncodedRecord, Format, RecordEncoder } from './encoding.ts'
import { fitLine } from './fit-line.ts'
import { resolveLayout, type Layout, type LayoutName, type ResolvedLayout } from './layout.ts'
import { LineFields } from './line-fields.ts'
import { clashes, prefixOf, prefixWithout } from './prefix.ts'
import { quote } from './quote.ts'
import { RecordWalk } from './record-walk.ts'
import { TextWalk } from './text-walk.ts'

/** JSON lines (RFC 8259, one object a line) in a layout. Throws a `ConfigurationError` for a layout that cannot be. */
export function jsonLines(layout: LayoutName | Layout = 'sluice'): Format {
  const problems: ConfigurationProblem[] = []
  const resolved = resolveLayout(layout, 'layout', problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
  return { key: 'json:' + JSON.stringify(resolved), encoder: (rules) => new LineEncoder(resolved, rules) }
}

class LineEncoder implements RecordEncoder {
  private readonly layout: ResolvedLayout
  private readonly rules: Rules
  private readonly walk: TextWalk
  private readonly record: RecordWalk<string, string, string>
  private readonly fields: LineFields
  private busy = false

  constructor(layout: ResolvedLayout, rules: Rules) {
    this.layout = layout
    this.rules = rules
    this.walk = new TextWalk(rules.limits)
    this.record = new RecordWalk(this.walk, rules)
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
    }
  }

  private line(record: LogRecord): string {
    const { attributes, message } = this.record
    const own = attributes.object
    const { bound } = record
    let before = ''
    if (bound.attributes.size > 0) {
      const prefix = prefixOf(bound, this, this.walk)
      const alone = attributes.omitted === undefined && !clashes(bound, attributes.leaf)
      before = alone ? prefix.text : prefixWithout(prefix, (key) => attributes.has(key))
    }
    const all = own === '' ? before : before === '' ? own : before + ',' + own
    const text = message === undefined ? undefined : quote(message)
    const dropped = attributes.dropped + record.droppedAttributes
    const line = this.fields.line(record, text, all, dropped)
    // A character takes three bytes at most.
    if (line.length * 3 <= this.rules.limits.recordBytes) return line
    return fitLine(line, this.rules.limits.recordBytes, text, all, (cut, rest) =>
      this.fields.line(record, cut, rest, dropped),
    )
  }
}
