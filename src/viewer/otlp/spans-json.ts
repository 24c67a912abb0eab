import { isMembers, memberOf, parseMembers, type JsonMembers } from '../../read/formats/json-members.ts'
import { spanIdOf, traceIdOf } from '../../read/formats/trace-ids.ts'
import type { SpanSink } from '../store/span-store.ts'
import { checkParts } from './json-parts.ts'

const spanParts = [['resourceSpans'], ['scopeSpans'], ['spans']]

/**
 * Adds the spans of a request of OTLP/JSON. Returns the number of spans whose IDs are invalid, which are not added; undefined if the text is not
 * such a request.
 *
 * @throws RangeError if it has too many parts. No span was added.
 */
export function addTracesJson(store: SpanSink, text: string): number | undefined {
  const request = parseMembers(text)
  if (request === undefined) return undefined
  checkParts(request, spanParts)
  let rejected = 0
  for (const group of itemsOf(request, 'resourceSpans')) {
    const service = serviceOf(memberOf(group, 'resource'))
    for (const scopeGroup of itemsOf(group, 'scopeSpans')) {
      for (const span of itemsOf(scopeGroup, 'spans')) {
        if (!addSpan(store, span, service)) rejected++
      }
    }
  }
  return rejected
}

function addSpan(store: SpanSink, span: JsonMembers, service: string): boolean {
  const traceId = traceIdOf(memberOf(span, 'traceId'))
  const spanId = spanIdOf(memberOf(span, 'spanId'))
  if (traceId === undefined || spanId === undefined) return false
  const status = memberOf(span, 'status')
  const code = isMembers(status) ? memberOf(status, 'code') : undefined
  store.add(traceId, {
    spanId,
    parentSpanId: spanIdOf(memberOf(span, 'parentSpanId')) ?? '',
    name: textOf(memberOf(span, 'name')),
    service,
    start: millisOf(memberOf(span, 'startTimeUnixNano')),
    end: millisOf(memberOf(span, 'endTimeUnixNano')),
    hasError: code === 2 || code === 'STATUS_CODE_ERROR',
  })
  return true
}

function serviceOf(resource: unknown): string {
  const attributes = isMembers(resource) ? itemsOf(resource, 'attributes') : []
  const attribute = attributes.find((each) => memberOf(each, 'key') === 'service.name')
  const value = attribute === undefined ? undefined : memberOf(attribute, 'value')
  return isMembers(value) ? textOf(memberOf(value, 'stringValue')) : ''
}

function itemsOf(members: JsonMembers, name: string): readonly JsonMembers[] {
  const items = memberOf(members, name)
  return Array.isArray(items) ? items.filter(isMembers) : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function millisOf(value: unknown): number {
  const nanos = typeof value === 'string' || typeof value === 'number' ? Number(value) : 0
  return Number.isFinite(nanos) ? nanos / 1_000_000 : 0
}
