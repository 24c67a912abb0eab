import { describe, expect, test } from '@jest/globals'
import * as api from '@opentelemetry/api'
import type { EditableRecord } from '../../../src/otel/api/editable-record.ts'
import type { ReadWriteLogRecord } from '../../../src/otel/api/types.ts'
import { emitting, type Emitted } from '../provider/emitting.ts'

type Change = (record: EditableRecord) => void

const before = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 }
const after = { traceId: 'f'.repeat(32), spanId: 'e'.repeat(16), traceFlags: 0 }

const emittedFields = {
  timestamp: [1_795_254_963, 123_456_789] as [number, number],
  observedTimestamp: [1_795_254_964, 1] as [number, number],
  severityNumber: 13,
  severityText: 'warn',
  body: 'before',
  eventName: 'order.placed',
  attributes: { first: 1, second: { in: true }, third: 'x' },
  context: api.trace.setSpanContext(api.ROOT_CONTEXT, before),
}

const unchanged = {
  timeUnixNano: '1795254963123456789',
  observedTimeUnixNano: '1795254964000000001',
  severityNumber: 13,
  severityText: 'warn',
  body: { stringValue: 'before' },
  eventName: 'order.placed',
  attributes: {
    first: { intValue: '1' },
    second: { kvlistValue: { values: [{ key: 'in', value: { boolValue: true } }] } },
    third: { stringValue: 'x' },
  },
  flags: 1,
  traceId: before.traceId,
  spanId: before.spanId,
}

const { attributes } = unchanged
const without = (name: keyof typeof unchanged) => ({ [name]: undefined })

/** A change that a processor makes, what the next processor reads, and how the exported record differs. */
const changes: [string, Change, Partial<Record<keyof ReadWriteLogRecord, unknown>>, object][] = [
  ['sets the timestamp', (r) => void (r.hrTime = [5, 6]), { hrTime: [5, 6] }, { timeUnixNano: '5000000006' }],
  [
    'sets the observed timestamp',
    (r) => void (r.hrTimeObserved = [7, 8]),
    { hrTimeObserved: [7, 8] },
    { observedTimeUnixNano: '7000000008' },
  ],
  ['sets the severity number', (r) => void (r.severityNumber = 17), { severityNumber: 17 }, { severityNumber: 17 }],
  ['calls setSeverityNumber', (r) => r.setSeverityNumber(21), { severityNumber: 21 }, { severityNumber: 21 }],
  [
    'removes the severity number',
    (r) => void delete r.severityNumber,
    { severityNumber: undefined },
    without('severityNumber'),
  ],
  ['sets the severity text', (r) => void (r.severityText = 'bad'), { severityText: 'bad' }, { severityText: 'bad' }],
  ['calls setSeverityText', (r) => r.setSeverityText('bad'), { severityText: 'bad' }, { severityText: 'bad' }],
  [
    'removes the severity text',
    (r) => void delete r.severityText,
    { severityText: undefined },
    without('severityText'),
  ],
  [
    'sets the body',
    (r) => void (r.body = [1]),
    { body: [1] },
    { body: { arrayValue: { values: [{ intValue: '1' }] } } },
  ],
  ['calls setBody', (r) => r.setBody('after'), { body: 'after' }, { body: { stringValue: 'after' } }],
  ['removes the body', (r) => void delete r.body, { body: undefined }, without('body')],
  ['sets the event name', (r) => void (r.eventName = 'paid'), { eventName: 'paid' }, { eventName: 'paid' }],
  ['calls setEventName', (r) => r.setEventName('paid'), { eventName: 'paid' }, { eventName: 'paid' }],
  ['removes the event name', (r) => void delete r.eventName, { eventName: undefined }, without('eventName')],
  [
    'sets the trace id',
    (r) => void (r.spanContext = { ...before, traceId: after.traceId }),
    { spanContext: { ...before, traceId: after.traceId } },
    { traceId: after.traceId },
  ],
  [
    'sets the span id',
    (r) => void (r.spanContext = { ...before, spanId: after.spanId }),
    { spanContext: { ...before, spanId: after.spanId } },
    { spanId: after.spanId },
  ],
  [
    'sets the trace flags',
    (r) => void (r.spanContext = { ...before, traceFlags: 0 }),
    { spanContext: { ...before, traceFlags: 0 } },
    { flags: 0 },
  ],
  [
    'removes the span',
    (r) => void delete r.spanContext,
    { spanContext: undefined },
    { traceId: undefined, spanId: undefined, flags: undefined },
  ],
  [
    'adds an attribute',
    (r) => r.setAttribute('added', 2),
    { attributes: { ...emittedFields.attributes, added: 2 } },
    { attributes: { ...attributes, added: { intValue: '2' } } },
  ],
  [
    'adds an attribute by assignment',
    (r) => void Object.assign(r.attributes, { added: 2 }),
    { attributes: { ...emittedFields.attributes, added: 2 } },
    { attributes: { ...attributes, added: { intValue: '2' } } },
  ],
  [
    'changes an attribute',
    (r) => r.setAttributes({ second: 'new' }),
    { attributes: { ...emittedFields.attributes, second: 'new' } },
    { attributes: { ...attributes, second: { stringValue: 'new' } } },
  ],
  [
    'changes a value inside of an attribute',
    (r) => r.setAttribute('second', { ...(r.attributes['second'] as object), more: 1 }),
    { attributes: { ...emittedFields.attributes, second: { in: true, more: 1 } } },
    {
      attributes: {
        ...attributes,
        second: {
          kvlistValue: {
            values: [
              { key: 'in', value: { boolValue: true } },
              { key: 'more', value: { intValue: '1' } },
            ],
          },
        },
      },
    },
  ],
  [
    'removes an attribute',
    (r) => void delete r.attributes['first'],
    { attributes: { second: { in: true }, third: 'x' } },
    { attributes: { second: attributes.second, third: attributes.third } },
  ],
  [
    'removes every attribute',
    (r) => {
      for (const key of Object.keys(r.attributes)) delete r.attributes[key]
    },
    { attributes: {} },
    { attributes: {} },
  ],
]

/** Returns the fields that the processor after the change reads, and the exported record. */
function through(change: Change, fields: object, limits = {}) {
  let read: Record<string, unknown> = {}
  const ends = { forceFlush: async () => {}, shutdown: async () => {} }
  const { provider, emitted } = emitting({
    processors: [
      { onEmit: (record) => change(record as EditableRecord), ...ends },
      { onEmit: (record) => void (read = { ...record, attributes: { ...record.attributes } }), ...ends },
    ],
    limits,
  })
  provider.getLogger('a').emit(fields)
  return { read, exported: plain(emitted()[0]!) }
}

function plain(record: Emitted): object {
  return { ...record, attributes: Object.fromEntries(record.attributes) }
}

const removesOne: Change = (record) => {
  delete record.attributes['first']
  record.setAttribute('added', 2)
}

const removesTexts: Change = (record) => {
  for (const key of ['exception.message', 'exception.stacktrace']) {
    delete record.attributes[key]
  }
}

describe('changes that a processor makes', () => {
  // Requirements: REC2, D25
  test.each(changes)(
    'a processor that %s changes only that field, for the next processor and for exporters',
    (_, change, expectedRead, difference) => {
      const untouched = through(() => {}, emittedFields)
      expect(untouched.exported).toEqual(unchanged)
      const { read, exported } = through(change, emittedFields)
      const names = ['hrTime', 'hrTimeObserved', 'severityNumber', 'severityText', 'body', 'eventName', 'spanContext']
      const field = Object.keys(expectedRead)[0]
      for (const name of [...names, 'attributes']) {
        const expected = name === field ? expectedRead[name as keyof ReadWriteLogRecord] : untouched.read[name]
        expect(read[name]).toEqual(expected)
      }
      expect(exported).toEqual({ ...unchanged, ...difference })
    },
  )

  // Requirements: REC2, D25
  test('a processor that removes attributes frees space for others under the limit, and none count as dropped', () => {
    const { exported } = through(removesOne, { attributes: { first: 1, second: 2 } }, { attributes: 2 })
    expect(exported).toMatchObject({ attributes: { second: { intValue: '2' }, added: { intValue: '2' } } })
    expect(exported).not.toHaveProperty(['attributes', 'first'])
    expect(exported).not.toHaveProperty('droppedAttributesCount')
  })

  // Requirements: REC2, D25
  test('a processor that removes exception.message and exception.stacktrace removes the text of the exception', () => {
    const { exported } = through(removesTexts, { attributes: { k: 1 }, exception: new RangeError('canary') })
    expect(exported).toMatchObject({
      attributes: { k: { intValue: '1' }, 'exception.type': { stringValue: 'RangeError' } },
    })
    expect(JSON.stringify(exported)).not.toContain('canary')
  })
})
