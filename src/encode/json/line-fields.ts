import type { BoundNames } from '../../record/bound-names.ts'
import type { BoundState } from '../../record/bound.ts'
import type { LogRecord } from '../../record/record.ts'
import type { Resource, Scope } from '../../record/instrumentation-source.ts'
import type { SpanContext } from '../../record/span.ts'
import type { ExceptionParts } from '../walk/exception-parts.ts'
import { HeadFields } from './head-fields.ts'
import type { CoreField } from './layout-bases.ts'
import type { ResolvedLayout } from './layout.ts'
import { MemberPlaces } from '../walk/member-places.ts'
import { originValue } from './origin-fields.ts'
import { CachedSegments, type SegmentFrame } from './prefix.ts'
import { escape, flat, quote } from './quote.ts'
import { RecurringMessages } from './recurring-messages.ts'
import { traceValue } from './trace-fields.ts'

/** A group of adjacent fields that come from the same source and are written together. */
type Step = 'head' | 'message' | 'trace' | 'origin' | 'dropped' | 'exception' | 'attributes'

const stepOf: Readonly<Record<CoreField, Step>> = {
  timestamp: 'head',
  level: 'head',
  severityNumber: 'head',
  message: 'message',
  traceId: 'trace',
  spanId: 'trace',
  traceFlags: 'trace',
  ecsVersion: 'origin',
  scopeName: 'origin',
  scopeVersion: 'origin',
  eventName: 'origin',
  serviceName: 'origin',
  serviceVersion: 'origin',
  serviceContext: 'origin',
  resource: 'origin',
  droppedAttributes: 'dropped',
  exceptionType: 'exception',
  exceptionMessage: 'exception',
  exceptionStacktrace: 'exception',
  exception: 'exception',
  attributes: 'attributes',
}

/** The steps of a record without an exception, in the usual order. */
const usualSteps = 'head,message,trace,origin,dropped,attributes'

/** The text before the message, without and with the message's key and opening quote. */
interface Head {
  readonly severity: number
  readonly text: string
  readonly toMessage: string
}

/** One step of a layout. */
interface StepFields {
  readonly step: Step
  readonly fields: CoreField[]
  /** The cached text of the last scope and resource, if the step is `origin`. */
  originText: string
}

/**
 * Writer of lines from the finished fragments of a record, in the layout's order. It caches text that is the same for many records: the
 * head of each level for one millisecond, the ids of a span, and the fields of the scope and the resource. Each fragment begins with a
 * comma, so that any fragment may be absent.
 */
export class LineFields {
  /** The places of members; undefined if all of them are in one object. */
  readonly places: MemberPlaces | undefined
  private readonly layout: ResolvedLayout
  /** `,"key":` for each field of the layout; '' for other fields. */
  private readonly open: Record<CoreField, string>
  private readonly steps: readonly StepFields[]
  private readonly constants: string
  /** Whether the layout has the field order that `usualLine` writes. */
  readonly isUsual: boolean
  /** Whether each line begins with a head that is not empty. If so, the head includes the opening brace. */
  private readonly headFirst: boolean
  // The text before and after the attributes.
  private readonly attributesOpen: string
  private readonly attributesEnd: string
  private readonly headFields: HeadFields
  /** Whether heads can differ within a millisecond. If so, none is cached. */
  private readonly isFine: boolean
  private headTime = NaN
  private readonly heads = new Map<string, Head>()
  // The last head, with its level and severity: a lookup in `heads` takes 8 ns.
  private lastHead: Head | undefined
  private lastLevel = ''
  private lastSeverity = 0
  private readonly messages = new RecurringMessages(escape)
  private span: SpanContext | undefined
  private spanText = ''
  private scope: Scope | undefined
  private resource: Resource | undefined
  private leadFrame: SegmentFrame | undefined
  private leadScope: Scope | undefined
  private leadResource: Resource | undefined
  private leadNames: BoundNames | undefined
  private leadClashes = false

  constructor(layout: ResolvedLayout) {
    this.layout = layout
    this.places = MemberPlaces.of(layout)
    this.headFields = new HeadFields(layout)
    this.isFine = layout.time === 'isoMicros' || layout.time === 'epochNanos'
    this.open = openings(layout)
    const steps: StepFields[] = []
    for (const { field } of layout.fields) {
      const step = stepOf[field]
      if (steps.at(-1)?.step === step) steps.at(-1)!.fields.push(field)
      else steps.push({ step, fields: [field], originText: '' })
    }
    // Constants come before everything that users log.
    if (layout.constants.length > 0 && steps[0]?.step !== 'head')
      steps.unshift({ step: 'head', fields: [], originText: '' })
    this.steps = steps
    this.headFirst = steps[0]?.step === 'head' && /level|timestamp/.test(steps[0].fields.join())
    const without = steps.filter(({ step }) => step !== 'exception').map(({ step }) => step)
    this.isUsual = this.headFirst && without.join() === usualSteps
    this.constants = layout.constants.map(([key, value]) => ',' + quote(key) + ':' + JSON.stringify(value)).join('')
    const isFlat = layout.attributes === 'flat'
    this.attributesOpen = isFlat ? ',' : this.open.attributes + '{'
    this.attributesEnd = isFlat ? '}\n' : '}}\n'
  }

  /**
   * Returns the line of a common record: a message, optionally a span, and no exception, event name or dropped attributes. The result is
   * the same as that of `line`, but is built from fewer and larger pieces, because each concatenation costs about 15 ns.
   */
  usualLine(record: LogRecord, message: string, lead: CachedSegments, attributes: string): string {
    const { attributesEnd } = this
    if (record.span === undefined) {
      if (attributes === '') return this.start(record, message, lead.quotedAlone, lead.recurs())
      return this.start(record, message, lead.quotedOpen, lead.recurs()) + attributes + attributesEnd
    }
    const traced = this.start(record, message, '"', true) + this.trace(record.span, this.steps[2]!.fields)
    return attributes === '' ? traced + lead.alone : traced + lead.open + attributes + attributesEnd
  }

  /** Returns the head, the message and the text that follows it. */
  private start(record: LogRecord, message: string, following: string, recurs: boolean): string {
    const { toMessage } = this.head(record, this.steps[0]!.fields)
    const recurring = this.messages.get(message)
    if (recurring === undefined) return toMessage + escape(message) + following
    return recurs ? recurring.between(toMessage, following) : recurring.after(toMessage) + following
  }

  /** Creates the fixed text between the message and the attributes of a call, for `usualLine`. */
  lead(owner: object, bound: BoundState, members: string): CachedSegments {
    const { names } = bound
    if (this.places !== undefined && names !== this.leadNames) {
      this.leadNames = names
      this.leadClashes = this.places.clashesWith(names.written())
    }
    if (this.leadFrame === undefined || bound.scope !== this.leadScope || bound.resource !== this.leadResource) {
      this.leadFrame = this.newLeadFrame(bound)
      this.leadScope = bound.scope
      this.leadResource = bound.resource
    }
    return new CachedSegments(owner, this.leadFrame, members, this.leadClashes)
  }

  private newLeadFrame(bound: BoundState): SegmentFrame {
    const origin = this.isUsual ? this.originFields(bound, undefined, this.steps[3]!.fields) : ''
    return {
      quotedOpen: flat('"' + origin + this.attributesOpen),
      quotedNone: flat('"' + origin + '}\n'),
      end: this.attributesEnd,
    }
  }

  /**
   * Returns the line with its line end.
   *
   * @param message - a JSON value
   * @param members - JSON members without braces
   * @param parts - which members came from the exception
   * @param isOrdinary - whether all members belong where the layout places attributes
   */
  line(
    record: LogRecord,
    message: string | undefined,
    members: string,
    dropped: number,
    parts: ExceptionParts | undefined,
    isOrdinary: boolean,
  ): string {
    const placed = isOrdinary ? undefined : this.places?.place(members, parts)
    let line = ''
    for (const part of this.steps) {
      const { fields } = part
      switch (part.step) {
        case 'head':
          line += this.head(record, fields).text
          break
        case 'message':
          if (message !== undefined) line += this.open.message + message
          break
        case 'trace':
          if (record.span !== undefined) line += this.trace(record.span, fields)
          break
        case 'origin':
          line += this.origin(record, part)
          break
        case 'dropped':
          if (dropped > 0) line += this.open.droppedAttributes + dropped
          break
        case 'exception':
          if (placed !== undefined) line += placed.exception
          break
        case 'attributes':
          line += this.attributes(placed?.attributes ?? members, placed?.clashing ?? '')
      }
    }
    return (this.headFirst ? line : '{' + line.slice(1)) + '}\n'
  }

  private attributes(attributes: string, clashing: string): string {
    const inObject = this.layout.attributes === 'nested' ? attributes : clashing
    const object = inObject === '' ? '' : this.open.attributes + '{' + inObject + '}'
    return this.layout.attributes === 'nested' || attributes === '' ? object : object + ',' + attributes
  }

  private head(record: LogRecord, fields: readonly CoreField[]): Head {
    if (record.time !== this.headTime) {
      this.heads.clear()
      this.headTime = record.time
      this.lastHead = undefined
    }
    // Within a logger the name of a level determines its number. Records from other sources may use one name, or none, for several numbers.
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
      if (value !== undefined) text += this.open[field] + value
    }
    text += this.constants
    if (this.headFirst) text = '{' + text.slice(1)
    const head = { severity: record.severity, text: flat(text), toMessage: flat(text + this.open.message + '"') }
    this.heads.set(record.level, head)
    if (this.isFine) this.headTime = NaN
    return head
  }

  private headField(record: LogRecord, field: CoreField): string | undefined {
    if (field === 'timestamp') return this.headFields.time(record)
    return field === 'level' ? this.headFields.level(record) : this.headFields.severityNumber(record)
  }

  private trace(span: SpanContext, fields: readonly CoreField[]): string {
    if (span === this.span) return this.spanText
    const text = flat(fields.map((field) => this.open[field] + traceValue(field, span, this.layout)).join(''))
    this.span = span
    return (this.spanText = text)
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

  private originFields(bound: BoundState, eventName: string | undefined, fields: readonly CoreField[]): string {
    let text = ''
    for (const field of fields) {
      const value = stepOf[field] === 'origin' ? originValue(field, bound, eventName) : undefined
      if (value !== undefined) text += this.open[field] + value
    }
    return text
  }
}

function openings(layout: ResolvedLayout): Record<CoreField, string> {
  const none = (Object.keys(stepOf) as CoreField[]).map((field) => [field, ''] as const)
  const named = layout.fields.map(({ field, key }) => [field, ',' + quote(key) + ':'] as const)
  return Object.fromEntries([...none, ...named]) as Record<CoreField, string>
}
