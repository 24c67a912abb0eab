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
import { CachedSegments, type SegmentFrame } from './cached-segments.ts'
import { escape, flattenString, quote } from './quote.ts'
import { RecurringMessages } from './recurring-messages.ts'
import { traceValue } from './trace-fields.ts'

/**
 * A step of a line: a group of fields that have the same source. Adjacent fields of one group are written together. The fields of `origin`
 * describe the scope, the resource and the event.
 */
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

/** The first fields of a line: those before the message, and the constants. */
interface Head {
  readonly severity: number
  readonly withoutMessage: string
  /** The same text, with the key of the message and the opening quote of its value. */
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
 * Writes lines from the finished message and members of a record, in the order of the layout. It caches text that is the same for many
 * records: the head of each level for one millisecond, the ids of a span, and the fields of the scope and the resource. The text of each
 * field begins with a comma, so that any field may be absent; `line` replaces the first comma by the opening brace, unless the head
 * includes that.
 */
export class LineFields {
  /** The places of members; undefined if all of them are in one object. */
  readonly places: MemberPlaces | undefined
  private readonly layout: ResolvedLayout
  /** `,"key":` for each field of the layout; '' for other fields. */
  private readonly prefixes: Record<CoreField, string>
  private readonly steps: readonly StepFields[]
  private readonly constants: string
  /** Whether the layout has the field order that `fastPathLine` writes. */
  readonly hasUsualOrder: boolean
  /** Whether each line begins with a head that contains the level or the time. If so, the head includes the opening brace. */
  private readonly beginsWithLevelOrTime: boolean
  // The text before and after the attributes.
  private readonly beforeAttributes: string
  private readonly afterAttributes: string
  private readonly headFields: HeadFields
  /** Whether heads can differ within a millisecond. If so, none is cached. */
  private readonly isFinerThanMillis: boolean
  /** The time of the cached heads. */
  private headTime = NaN
  private readonly heads = new Map<string, Head>()
  // The last head, with its level and severity, which avoids a lookup in `heads` (8 ns).
  private lastHead: Head | undefined
  private lastLevel = ''
  private lastSeverity = 0
  private readonly messages = new RecurringMessages(escape)
  // The last span, and its fields.
  private span: SpanContext | undefined
  private spanText = ''
  // The scope and the resource for which the steps have `originText`.
  private scope: Scope | undefined
  private resource: Resource | undefined
  // The text after a message as far as it depends only on the scope and the resource, and these two.
  private segmentFrame: SegmentFrame | undefined
  private frameScope: Scope | undefined
  private frameResource: Resource | undefined
  // The last bound names, and whether they contain a name that the layout reserves.
  private checkedNames: BoundNames | undefined
  private isAnyCheckedNameReserved = false

  constructor(layout: ResolvedLayout) {
    this.layout = layout
    this.places = MemberPlaces.of(layout)
    this.headFields = new HeadFields(layout)
    this.isFinerThanMillis = layout.time === 'isoMicros' || layout.time === 'epochNanos'
    this.prefixes = fieldPrefixes(layout)
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
    this.beginsWithLevelOrTime = steps[0]?.step === 'head' && /level|timestamp/.test(steps[0].fields.join())
    const stepsWithoutException = steps.filter(({ step }) => step !== 'exception').map(({ step }) => step)
    this.hasUsualOrder = this.beginsWithLevelOrTime && stepsWithoutException.join() === usualSteps
    this.constants = layout.constants.map(([key, value]) => ',' + quote(key) + ':' + JSON.stringify(value)).join('')
    const isFlat = layout.attributes === 'flat'
    this.beforeAttributes = isFlat ? ',' : this.prefixes.attributes + '{'
    this.afterAttributes = isFlat ? '}\n' : '}}\n'
  }

  /**
   * Returns the line of a record with a message, optionally a span, and no event name or dropped attributes, if the layout has the usual
   * order, all members are where the layout writes attributes, and no bound attribute is overridden. The result is the same as that of
   * `line`, but is built from fewer and larger pieces, because each concatenation costs about 15 ns.
   *
   * @param attributes - the attributes that are not bound, as JSON members
   */
  fastPathLine(record: LogRecord, message: string, segments: CachedSegments, attributes: string): string {
    const { afterAttributes } = this
    if (record.span === undefined) {
      if (attributes === '')
        return this.startOfLine(record, message, segments.fromQuoteToEnd, segments.countUseAndTestRecurrence())
      return (
        this.startOfLine(record, message, segments.fromQuoteToAttributes, segments.countUseAndTestRecurrence()) +
        attributes +
        afterAttributes
      )
    }
    // In `usualSteps`, the fields of the trace are at position 2.
    const traced = this.startOfLine(record, message, '"', true) + this.trace(record.span, this.steps[2]!.fields)
    return attributes === ''
      ? traced + segments.afterQuoteToEnd
      : traced + segments.afterQuoteToAttributes + attributes + afterAttributes
  }

  /**
   * Returns the head, the message and the text that follows it.
   *
   * @param isFollowingRecurring - whether `following` occurs in many lines, so that its text together with the message is worth caching
   */
  private startOfLine(record: LogRecord, message: string, following: string, isFollowingRecurring: boolean): string {
    const { toMessage } = this.head(record, this.steps[0]!.fields)
    const recurring = this.messages.get(message)
    if (recurring === undefined) return toMessage + escape(message) + following
    return isFollowingRecurring
      ? recurring.surroundedBy(toMessage, following)
      : recurring.withPrefix(toMessage) + following
  }

  /**
   * Creates the cached text that follows the message in lines with these bound attributes, for `fastPathLine`.
   *
   * @param cacheKey - the encoder that uses them
   * @param members - the bound attributes as JSON members
   */
  createSegments(cacheKey: object, bound: BoundState, members: string): CachedSegments {
    const { names } = bound
    if (this.places !== undefined && names !== this.checkedNames) {
      this.isAnyCheckedNameReserved = this.places.includesReservedName(names.allNames())
      this.checkedNames = names
    }
    if (this.segmentFrame === undefined || bound.scope !== this.frameScope || bound.resource !== this.frameResource) {
      this.segmentFrame = this.newSegmentFrame(bound)
      this.frameScope = bound.scope
      this.frameResource = bound.resource
    }
    return new CachedSegments(cacheKey, this.segmentFrame, members, this.isAnyCheckedNameReserved)
  }

  /** Creates the text of the segments that depends only on the scope and the resource. */
  private newSegmentFrame(bound: BoundState): SegmentFrame {
    // In `usualSteps`, the fields of the scope and the resource are at position 3.
    const origin = this.hasUsualOrder ? this.originFields(bound, undefined, this.steps[3]!.fields) : ''
    return {
      fromQuoteToAttributes: flattenString('"' + origin + this.beforeAttributes),
      fromQuoteToEnd: flattenString('"' + origin + '}\n'),
      fromAttributesToEnd: this.afterAttributes,
    }
  }

  /**
   * Returns the line with its line end.
   *
   * @param message - a JSON value
   * @param members - JSON members without braces
   * @param parts - which members came from the exception
   * @param areMembersInPlace - whether all members belong where the layout places attributes
   */
  line(
    record: LogRecord,
    message: string | undefined,
    members: string,
    droppedCount: number,
    parts: ExceptionParts | undefined,
    areMembersInPlace: boolean,
  ): string {
    const placed = areMembersInPlace ? undefined : this.places?.place(members, parts)
    let line = ''
    for (const stepFields of this.steps) {
      const { fields } = stepFields
      switch (stepFields.step) {
        case 'head':
          line += this.head(record, fields).withoutMessage
          break
        case 'message':
          if (message !== undefined) line += this.prefixes.message + message
          break
        case 'trace':
          if (record.span !== undefined) line += this.trace(record.span, fields)
          break
        case 'origin':
          line += this.origin(record, stepFields)
          break
        case 'dropped':
          if (droppedCount > 0) line += this.prefixes.droppedAttributes + droppedCount
          break
        case 'exception':
          if (placed !== undefined) line += placed.exception
          break
        case 'attributes':
          line += this.attributes(placed?.attributes ?? members, placed?.clashing ?? '')
      }
    }
    return (this.beginsWithLevelOrTime ? line : '{' + line.slice(1)) + '}\n'
  }

  private attributes(attributes: string, clashing: string): string {
    const inObject = this.layout.attributes === 'nested' ? attributes : clashing
    const object = inObject === '' ? '' : this.prefixes.attributes + '{' + inObject + '}'
    return this.layout.attributes === 'nested' || attributes === '' ? object : object + ',' + attributes
  }

  private head(record: LogRecord, fields: readonly CoreField[]): Head {
    if (record.time !== this.headTime) {
      this.heads.clear()
      this.headTime = record.time
      this.lastHead = undefined
    }
    // Within a logger, the name of a level determines its number. Records from other sources may use one name, or an empty one, for several
    // numbers.
    const { level, severity } = record
    if (level === this.lastLevel && severity === this.lastSeverity && this.lastHead !== undefined) return this.lastHead
    const known = this.heads.get(level)
    this.lastHead = known?.severity === severity ? known : this.newHead(record, fields)
    this.lastLevel = level
    this.lastSeverity = severity
    return this.lastHead
  }

  private newHead(record: LogRecord, fields: readonly CoreField[]): Head {
    let text = ''
    for (const field of fields) {
      const value = this.headField(record, field)
      if (value !== undefined) text += this.prefixes[field] + value
    }
    text += this.constants
    if (this.beginsWithLevelOrTime) text = '{' + text.slice(1)
    const head = {
      severity: record.severity,
      withoutMessage: flattenString(text),
      toMessage: flattenString(text + this.prefixes.message + '"'),
    }
    this.heads.set(record.level, head)
    if (this.isFinerThanMillis) this.headTime = NaN
    return head
  }

  private headField(record: LogRecord, field: CoreField): string | undefined {
    if (field === 'timestamp') return this.headFields.time(record)
    return field === 'level' ? this.headFields.level(record) : this.headFields.severityNumber(record)
  }

  private trace(span: SpanContext, fields: readonly CoreField[]): string {
    if (span === this.span) return this.spanText
    const text = flattenString(
      fields.map((field) => this.prefixes[field] + traceValue(field, span, this.layout)).join(''),
    )
    this.span = span
    return (this.spanText = text)
  }

  private origin(record: LogRecord, stepFields: StepFields): string {
    const { scope, resource } = record.bound
    if (record.eventName !== undefined) return this.originFields(record.bound, record.eventName, stepFields.fields)
    if (scope !== this.scope || resource !== this.resource) {
      for (const step of this.steps)
        step.originText = flattenString(this.originFields(record.bound, undefined, step.fields))
      this.scope = scope
      this.resource = resource
    }
    return stepFields.originText
  }

  private originFields(bound: BoundState, eventName: string | undefined, fields: readonly CoreField[]): string {
    let text = ''
    for (const field of fields) {
      const value = stepOf[field] === 'origin' ? originValue(field, bound, eventName) : undefined
      if (value !== undefined) text += this.prefixes[field] + value
    }
    return text
  }
}

/** Returns the text before the value of each field: `,"key":`, or '' if the layout does not have the field. */
function fieldPrefixes(layout: ResolvedLayout): Record<CoreField, string> {
  const emptyPrefixes = (Object.keys(stepOf) as CoreField[]).map((field) => [field, ''] as const)
  const layoutPrefixes = layout.fields.map(({ field, key }) => [field, ',' + quote(key) + ':'] as const)
  return Object.fromEntries([...emptyPrefixes, ...layoutPrefixes]) as Record<CoreField, string>
}
