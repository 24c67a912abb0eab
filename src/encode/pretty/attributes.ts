import type { AnyValue } from '../../record/any-value.ts'
import { isRequestDetail, paintStatus, requestFieldNames, requestSummary } from './request.ts'
import { sgr, type Paint } from './colors.ts'
import type { PrettySettings } from './settings.ts'
import { shortId, shortTraceId } from './short-id.ts'
import type { TerminalRecord } from './terminal-record.ts'
import { escapeForTerminal } from './visible.ts'

/** An attribute as it is shown. */
export interface ShownAttribute {
  readonly name: string
  readonly value: AnyValue
  /** Whether several records share it: an attribute of the logger or the context, or the trace ID. */
  readonly isBound: boolean
}

/** What is shown after the message. */
export interface ShownAttributes {
  /** Texts without a name, with their colors: a request and its ID. */
  readonly texts: readonly { readonly plain: string; readonly painted: string }[]
  readonly attributes: readonly ShownAttribute[]
}

/**
 * Which HTTP request a record shows: `incoming` if it is the record of a request to this program; `other` if the call logs the method of
 * another request, such as one to another server; `context` if it is logged while a request is handled; `none` without a request.
 */
type RequestKind = 'incoming' | 'other' | 'context' | 'none'

/** What decides which attributes of a record are shown. */
interface RecordFacts {
  /** Whether the stack of the exception is shown, with its type and message. */
  readonly hasStack: boolean
  readonly requestKind: RequestKind
  /** The ID of the request if it is shown without its name. */
  readonly requestId: string | undefined
  /** The names of the attributes that the message contains. */
  readonly insertedNames: readonly string[]
}

/** The attributes that a stack contains. */
const stackAttributes: ReadonlySet<string> = new Set(['exception.type', 'exception.message', 'exception.stacktrace'])

/** A longer ID is shown as an attribute, with its name. The length of a UUID is 36. */
const maxRequestIdLength = 40

const noTexts: ShownAttributes['texts'] = []

/** Selects the attributes of records that are shown, and shortens long IDs in bound attributes. */
export class AttributeSelection {
  private readonly settings: PrettySettings
  private readonly paint: Paint
  /**
   * The ID of the request that the last record belonged to, if that had an ID. Records that show no request, or another one (`other`), do
   * not change it.
   */
  private lastRequestId: string | undefined

  constructor(settings: PrettySettings, paint: Paint) {
    this.settings = settings
    this.paint = paint
  }

  /**
   * Returns what is shown of a record after its message.
   *
   * @param message - the first line of the shown message
   * @param hasStack - whether the stack of the exception is shown
   */
  select(record: TerminalRecord, message: string, hasStack: boolean): ShownAttributes {
    const attributes: ShownAttribute[] = []
    const facts: RecordFacts = {
      hasStack,
      requestKind: requestKindOf(record),
      requestId: this.requestIdOf(record),
      insertedNames: record.insertedNames,
    }
    for (const [name, value] of record.attributes)
      if (this.shows(name, false, facts)) attributes.push({ name, value, isBound: false })
    for (const [name, value] of record.boundAttributes)
      if (this.shows(name, true, facts)) attributes.push({ name, value: this.shortened(value), isBound: true })
    const { traceId, eventName } = record
    if (eventName !== undefined && record.message !== undefined && this.isAllowedByOptions('event.name'))
      attributes.push({ name: 'event.name', value: eventName, isBound: false })
    if (traceId !== undefined && this.isAllowedByOptions('trace_id'))
      attributes.push({
        name: 'trace_id',
        value: this.settings.onlyShown === undefined ? shortTraceId(traceId) : traceId,
        isBound: true,
      })
    return { attributes, texts: this.requestTexts(record, message, facts) }
  }

  /**
   * Returns whether a record shows no request and no event, and all of its attributes if the options allow them, without a change. Most
   * records are of this kind, which needs no lists.
   */
  isPlain(record: TerminalRecord): boolean {
    return (
      this.settings.onlyShown === undefined &&
      record.insertedNames.length === 0 &&
      record.eventName === undefined &&
      readAttribute(record, 'request.id') === undefined &&
      readAttribute(record, 'http.request.method') === undefined
    )
  }

  private requestTexts(
    record: TerminalRecord,
    message: string,
    { requestId, requestKind }: RecordFacts,
  ): ShownAttributes['texts'] {
    if (this.settings.onlyShown !== undefined || (requestKind === 'none' && requestId === undefined)) return noTexts
    const { paint } = this
    const texts: { plain: string; painted: string }[] = []
    const read = (name: string) =>
      this.isAllowedByOptions(name) ? readRequestField(record, name, requestKind) : undefined
    const status = read('http.response.status_code')
    // Records inside a request are shown with its method and path once, until another request logs.
    const isNew = requestKind === 'other' || requestId === undefined || requestId !== this.lastRequestId
    if (status !== undefined || isNew) {
      const summary = requestSummary(read, message)
      if (summary !== undefined)
        texts.push({
          plain: summary,
          painted: status === undefined ? paint(sgr.dim, summary) : paintStatus(summary, status, paint),
        })
    }
    if (requestKind !== 'other') this.lastRequestId = requestId
    if (requestId !== undefined) {
      const plain = escapeForTerminal(shortId(requestId) ?? requestId)
      texts.push({ plain, painted: paint(sgr.dim, plain) })
    }
    return texts
  }

  /** Returns the ID of the record's request if it is shown without its name. */
  private requestIdOf(record: TerminalRecord): string | undefined {
    if (this.settings.onlyShown !== undefined || !this.isAllowedByOptions('request.id')) return undefined
    const id = readAttribute(record, 'request.id')
    return typeof id === 'string' && id.length <= maxRequestIdLength ? id : undefined
  }

  private shows(name: string, isBound: boolean, facts: RecordFacts): boolean {
    const { hasStack, requestKind, requestId, insertedNames } = facts
    if (!this.isAllowedByOptions(name) || (hasStack && stackAttributes.has(name))) return false
    if (this.settings.onlyShown !== undefined) return true
    if (insertedNames.includes(name)) return false
    // Most names have no dot, but all attributes of a request have one.
    if (!name.includes('.')) return true
    if (name === 'request.id') return requestId === undefined
    if (requestKind === 'none' || (requestKind === 'context' && !isBound)) return true
    if (requestFieldNames.has(name)) return false
    return !isRequestDetail(name) || (requestKind === 'other' && !isBound)
  }

  /** Returns whether the options allow to show an attribute. */
  isAllowedByOptions(name: string): boolean {
    const { onlyShown, hidden } = this.settings
    return (onlyShown === undefined || onlyShown.matches(name)) && !hidden.matches(name)
  }

  /** Returns the value of a bound attribute as it is shown. */
  shortened(value: AnyValue): AnyValue {
    return this.settings.onlyShown === undefined ? (shortId(value) ?? value) : value
  }
}

function requestKindOf(record: TerminalRecord): RequestKind {
  const { attributes } = record
  if (typeof readAttribute(record, 'http.request.method') !== 'string') return 'none'
  if (attributes.has('request.id') || attributes.has('http.server.request.duration')) return 'incoming'
  return attributes.has('http.request.method') ? 'other' : 'context'
}

/** Returns an attribute of the request that a record shows, and of no other one. */
function readRequestField(record: TerminalRecord, name: string, kind: RequestKind): AnyValue | undefined {
  if (kind === 'other') return record.attributes.get(name)
  return kind === 'context' ? readBoundAttribute(record, name) : readAttribute(record, name)
}

/** Returns an attribute of the call, otherwise of the logger or the context. */
export function readAttribute(record: TerminalRecord, name: string): AnyValue | undefined {
  return record.attributes.get(name) ?? readBoundAttribute(record, name)
}

function readBoundAttribute({ boundAttributes }: TerminalRecord, name: string): AnyValue | undefined {
  for (const [boundName, value] of boundAttributes) if (boundName === name) return value
  return undefined
}
