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

/** A text that is shown without a name, with its colors: a request or its ID. */
export interface ShownText {
  readonly plain: string
  readonly painted: string
}

/**
 * Which HTTP request a record shows: `incoming` if it is the record of a request to this program; `other` if the call logs the method of
 * another request, such as one to another server; `context` if it is logged while a request is handled; `none` without a request.
 */
type RequestKind = 'incoming' | 'other' | 'context' | 'none'

/** The attributes that a stack contains. */
const stackAttributes: ReadonlySet<string> = new Set(['exception.type', 'exception.message', 'exception.stacktrace'])

/** A longer ID is shown as an attribute, with its name. The length of a UUID is 36. */
const maxRequestIdLength = 40

const noTexts: readonly ShownText[] = []
const noNames: readonly string[] = []

/**
 * Selects the attributes of records that are shown, and shortens long IDs in bound attributes. After `begin`, it has the state of one record,
 * because a list of the shown attributes would cost more than their text.
 */
export class AttributeSelection {
  private readonly settings: PrettySettings
  private readonly paint: Paint
  /** Whether the options allow to show all attributes. */
  private readonly allowsAll: boolean
  /**
   * The ID of the request that the last record belonged to, if that had an ID. Records that show no request, or another one (`other`), do
   * not change it.
   */
  private lastRequestId: string | undefined
  // The state of the current record.
  private hasStack = false
  private requestKind: RequestKind = 'none'
  /** The ID of the request if it is shown without its name. */
  private requestId: string | undefined
  /** The names of the attributes that the message contains. */
  private insertedNames: readonly string[] = noNames

  constructor(settings: PrettySettings, paint: Paint) {
    this.settings = settings
    this.paint = paint
    this.allowsAll = settings.onlyShown === undefined && settings.hidden.isEmpty
  }

  /**
   * Begins a record, and returns its request and the ID of that, if they are shown.
   *
   * @param message - the first line of the shown message
   * @param hasStack - whether the stack of the exception is shown
   */
  begin(record: TerminalRecord, message: string, hasStack: boolean): readonly ShownText[] {
    this.hasStack = hasStack
    this.requestKind = requestKindOf(record)
    this.requestId = this.requestIdOf(record)
    this.insertedNames = record.insertedNames
    return this.settings.onlyShown !== undefined || this.isWithoutRequest ? noTexts : this.requestTexts(record, message)
  }

  /** Returns whether an attribute of the current record is shown. */
  shows(name: string, isBound: boolean): boolean {
    const { requestKind, insertedNames } = this
    if ((!this.allowsAll && !this.isAllowedByOptions(name)) || (this.hasStack && stackAttributes.has(name)))
      return false
    if (this.settings.onlyShown !== undefined) return true
    if (insertedNames.length > 0 && insertedNames.includes(name)) return false
    // Most records have no request and most names no dot, but all attributes of a request have one.
    if (this.isWithoutRequest || !name.includes('.')) return true
    if (name === 'request.id') return this.requestId === undefined
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

  /** Returns a trace ID as it is shown. */
  shortenedTraceId(traceId: string): string {
    return this.settings.onlyShown === undefined ? shortTraceId(traceId) : traceId
  }

  private get isWithoutRequest(): boolean {
    return this.requestKind === 'none' && this.requestId === undefined
  }

  private requestTexts(record: TerminalRecord, message: string): readonly ShownText[] {
    const { paint, requestKind, requestId } = this
    const texts: ShownText[] = []
    const read = (name: string) =>
      this.allowsAll || this.isAllowedByOptions(name) ? readRequestField(record, name, requestKind) : undefined
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
    const id = readAttribute(record, 'request.id')
    if (id === undefined || this.settings.onlyShown !== undefined || !this.isAllowedByOptions('request.id'))
      return undefined
    return typeof id === 'string' && id.length <= maxRequestIdLength ? id : undefined
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
