import type { AnyValue } from '../record/any-value.ts'
import type { Bound, LogRecord, Resource, Scope } from '../record/record.ts'
import { isStandardLevel, severityName, severityOf } from '../record/severity.ts'
import type { SpanContext } from '../record/span.ts'
import { TimeText } from '../record/time.ts'
import type { CoreField, ResolvedLayout } from './layout.ts'
import { plainText } from './plain.ts'
import type { LineLead } from './prefix.ts'
import { flat, quote } from './quote.ts'

/** Neighbouring fields that come from the same source are written in one step. */
type Step = 'head' | 'message' | 'trace' | 'origin' | 'dropped' | 'attributes'

const stepOf: Readonly<Record<CoreField, Step>> = {
  timestamp: 'head',
  level: 'head',
  severityNumber: 'head',
  message: 'message',
  traceId: 'trace',
  spanId: 'trace',
  traceFlags: 'trace',
  scopeName: 'origin',
  scopeVersion: 'origin',
  eventName: 'origin',
  serviceName: 'origin',
  resource: 'origin',
  droppedAttributes: 'dropped',
  attributes: 'attributes',
}

const usualSteps = 'head,message,trace,origin,dropped,attributes'

/** What stands in front of the message, without and with the message's key and opening quote. */
interface Head {
  readonly severity: number
  readonly text: string
  readonly toMessage: string
}

/** One step of a layout. */
interface StepFields {
  readonly step: Step
  readonly fields: CoreField[]
  /** What the scope and resource seen last say in it, where it is an `origin` step. */
  originText: string
}

/**
 * Puts the finished fragments of a record into a line, in the layout's order. What is the same for many records is kept:
 * the head of each level while the millisecond lasts, the ids of a span, what the scope and the resource say. Each
 * fragment begins with its comma, so that any of them may be absent.
 */
export class LineFields {
  private readonly layout: ResolvedLayout
  /** `,"key":` of each field that the layout has. */
  private readonly open: Partial<Record<CoreField, string>> = {}
  private readonly steps: readonly StepFields[]
  private readonly constants: string
  /** Whether the layout has the order that `usualLine` writes. */
  readonly isUsual: boolean
  /** Whether each line begins with a head that is not empty: then the head holds the opening brace. */
  private readonly headFirst: boolean
  private readonly time = new TimeText()
  private headTime = NaN
  private readonly heads = new Map<string, Head>()
  /** The one used last, and whose it is: looking it up takes 8 ns. */
  private lastHead: Head | undefined
  private lastLevel = ''
  private lastSeverity = 0
  private span: SpanContext | undefined
  private spanText = ''
  private scope: Scope | undefined
  private resource: Resource | undefined

  constructor(layout: ResolvedLayout) {
    this.layout = layout
    const steps: StepFields[] = []
    for (const { field, key } of layout.fields) {
      this.open[field] = ',' + quote(key) + ':'
      const step = stepOf[field]
      if (steps.at(-1)?.step === step) steps.at(-1)!.fields.push(field)
      else steps.push({ step, fields: [field], originText: '' })
    }
    // Constants stand in front of everything that users say.
    if (layout.constants.length > 0 && steps[0]?.step !== 'head')
      steps.unshift({ step: 'head', fields: [], originText: '' })
    this.steps = steps
    this.headFirst = steps[0]?.step === 'head' && /level|timestamp/.test(steps[0].fields.join())
    this.isUsual = this.headFirst && steps.map(({ step }) => step).join() === usualSteps
    this.constants = layout.constants.map(([key, value]) => ',' + quote(key) + ':' + JSON.stringify(value)).join('')
  }

  /**
   * The usual line: a message, perhaps a span, and nothing that is out of the ordinary. It says what `line` would say, from
   * fewer and larger pieces, because each concatenation costs some 15 ns. `message` is the inside of a JSON string.
   */
  usualLine(record: LogRecord, message: string, lead: LineLead, attributes: string): string {
    const line = this.head(record, this.steps[0]!.fields).toMessage + message
    if (record.span === undefined) {
      return attributes === '' ? line + lead.quotedAlone : line + lead.quotedOpen + attributes + '}}\n'
    }
    const traced = line + '"' + this.trace(record.span, this.steps[2]!.fields)
    return attributes === '' ? traced + lead.alone : traced + lead.open + attributes + '}}\n'
  }

  /** What stands in usual lines between the message and the attributes of the call, for `usualLine`. */
  lead(bound: Bound, prefix: string): LineLead {
    const origin = this.isUsual ? this.originFields(bound, undefined, this.steps[3]!.fields) : ''
    const attributes = origin + this.open.attributes + '{'
    const open = flat(prefix === '' ? attributes : attributes + prefix + ',')
    const alone = flat(prefix === '' ? origin + '}\n' : attributes + prefix + '}}\n')
    return { open, alone, quotedOpen: flat('"' + open), quotedAlone: flat('"' + alone) }
  }

  /** The line with its end. `message` is a JSON value; `attributes` are JSON members without braces. */
  line(record: LogRecord, message: string | undefined, attributes: string, dropped: number): string {
    let line = ''
    for (const part of this.steps) {
      const { fields } = part
      switch (part.step) {
        case 'head':
          line += this.head(record, fields).text
          break
        case 'message':
          if (message !== undefined) line += this.open.message! + message
          break
        case 'trace':
          if (record.span !== undefined) line += this.trace(record.span, fields)
          break
        case 'origin':
          line += this.origin(record, part)
          break
        case 'dropped':
          if (dropped > 0) line += this.open.droppedAttributes! + dropped
          break
        case 'attributes':
          if (attributes !== '') line += this.open.attributes! + '{' + attributes + '}'
      }
    }
    return (this.headFirst ? line : '{' + line.slice(1)) + '}\n'
  }

  private head(record: LogRecord, fields: readonly CoreField[]): Head {
    if (record.time !== this.headTime) {
      this.heads.clear()
      this.headTime = record.time
      this.lastHead = undefined
    }
    // In a logger family a name tells its number; what others emit may have one name for many numbers, or none.
    const { level, severity } = record
    if (level === this.lastLevel && severity === this.lastSeverity && this.lastHead !== undefined) return this.lastHead
    this.lastLevel = level
    this.lastSeverity = severity
    const known = this.heads.get(level)
    return (this.lastHead = known?.severity === severity ? known : this.newHead(record, fields))
  }

  private newHead(record: LogRecord, fields: readonly CoreField[]): Head {
    let text = ''
    for (const field of fields) {
      const value = this.headField(record, field)
      if (value !== undefined) text += this.open[field]! + value
    }
    text += this.constants
    if (this.headFirst) text = '{' + text.slice(1)
    const head = { severity: record.severity, text: flat(text), toMessage: flat(text + this.open.message + '"') }
    this.heads.set(record.level, head)
    return head
  }

  private headField(record: LogRecord, field: CoreField): string | undefined {
    if (field === 'timestamp') {
      return this.layout.time === 'isoMillis' ? '"' + this.time.render(record.time) + '"' : '' + Math.floor(record.time)
    }
    const name = record.level === '' ? severityName(record.severity) : record.level
    if (field === 'level') {
      const { level } = this.layout
      if (level === 'severityNumber') return '' + record.severity
      return quote(level === 'NAME' ? name.toUpperCase() : name)
    }
    // The name of a standard level says its number already.
    const told =
      this.layout.severityNumber === 'custom' && isStandardLevel(name) && severityOf[name] === record.severity
    return told ? undefined : '' + record.severity
  }

  private trace(span: SpanContext, fields: readonly CoreField[]): string {
    if (span === this.span) return this.spanText
    const { traceId, spanId, traceFlags } = span
    let text = ''
    for (const field of fields) {
      const value =
        field === 'traceId' ? traceId : field === 'spanId' ? spanId : (traceFlags & 0xff).toString(16).padStart(2, '0')
      text += this.open[field]! + quote(value)
    }
    this.span = span
    this.spanText = flat(text)
    return text
  }

  private origin(record: LogRecord, part: StepFields): string {
    const { scope, resource } = record.bound
    if (record.eventName !== undefined) return this.originFields(record.bound, record.eventName, part.fields)
    if (scope !== this.scope || resource !== this.resource) {
      for (const step of this.steps) step.originText = flat(this.originFields(record.bound, undefined, step.fields))
      this.scope = scope
      this.resource = resource
    }
    return part.originText
  }

  private originFields(
    { scope, resource }: Bound,
    eventName: string | undefined,
    fields: readonly CoreField[],
  ): string {
    const values: Partial<Record<CoreField, AnyValue | undefined>> = {
      scopeName: scope.name,
      scopeVersion: scope.version,
      eventName,
      serviceName: resource.serviceName,
      resource: resource.attributes.size === 0 ? undefined : resource.attributes,
    }
    let text = ''
    for (const field of fields) {
      const value = values[field]
      if (value !== undefined) text += this.open[field]! + plainText(value, true)
    }
    return text
  }
}
