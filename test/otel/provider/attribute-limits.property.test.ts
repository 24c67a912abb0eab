import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import type { LoggerProviderOptions } from '../../../src/otel/provider/provider-options.ts'
import type { OtelLogRecordProcessor, ReadWriteLogRecord } from '../../../src/otel/api/types.ts'
import { sdks, type Sdk } from '../processor/sdks.ts'
import { emitting } from './emitting.ts'

// The tests emit the same records with the official SDK and with the provider, under the same limits.

/** The attributes of a record and how many were dropped. */
interface Limited {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly dropped: number
}

interface Limits {
  readonly count: number
  readonly length: number
}

type Attributes = Readonly<Record<string, unknown>>
type Change = (record: { attributes: Record<string, unknown> }) => void

const exceptionKeys = ['exception.type', 'exception.message', 'exception.stacktrace']
const letters = ['a', 'b', 'c', 'd', 'e', 'f']
const text = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 9 })
const attributesOf = (keys: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...keys), text, { maxKeys: 6, noNullPrototype: true })
const limits = fc.record({
  count: fc.integer({ min: 3, max: 8 }),
  length: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constant(Infinity)),
})
const error = fc.tuple(fc.constantFrom(Error, RangeError), fc.oneof(text, fc.constant(''))).map(([of, message]) => {
  const created = new of(message)
  // Failure reports show the stack, so it is short.
  created.stack = `${created.name}: ${message}\n    at shop.ts:1:1`
  return created
})

function reader() {
  const seen: Limited[] = []
  const onEmit = ({ attributes, droppedAttributesCount: dropped }: ReadWriteLogRecord): void =>
    void seen.push({ attributes: { ...attributes }, dropped })
  return { seen, onEmit, forceFlush: async () => {}, shutdown: async () => {} }
}

function changing(change: Change): OtelLogRecordProcessor {
  const onEmit = (record: unknown): void => change(record as Parameters<Change>[0])
  return { onEmit, forceFlush: async () => {}, shutdown: async () => {} }
}

/** Returns what a processor of the official SDK reads. */
function official({ LoggerProvider }: Sdk, record: object, { count, length }: Limits): Limited {
  const last = reader()
  const logRecordLimits = { attributeCountLimit: count, attributeValueLengthLimit: length }
  new LoggerProvider({ processors: [last], logRecordLimits }).getLogger('scope').emit(record)
  return last.seen[0]!
}

/** Returns what the provider exports, and what its last processor reads. */
function ours(
  record: object,
  { count, length }: Limits,
  { change, ...options }: LoggerProviderOptions & { readonly change?: Change } = {},
): { readonly exported: Limited; readonly read: Limited | undefined } {
  const last = reader()
  const processors = change === undefined ? [] : [changing(change), last]
  const { provider, emitted } = emitting({
    limits: { attributes: count, stringLength: length },
    processors,
    ...options,
  })
  provider.getLogger('scope').emit(record)
  const { attributes, droppedAttributesCount = 0 } = emitted()[0]!
  const texts = Object.fromEntries([...attributes].map(([key, value]) => [key, value.stringValue]))
  return { exported: { attributes: texts, dropped: droppedAttributesCount }, read: last.seen[0] }
}

const nothing: Change = () => {}

function drop(key: string): OtelLogRecordProcessor {
  return changing(({ attributes }) => void delete attributes[key])
}

function exportedOf(count: number, record: object): Limited {
  return ours(record, { count, length: Infinity }).exported
}

function failed(): Error {
  return Object.assign(new Error('no'), { code: 'EFAIL' })
}

function assign(given: Attributes): Change {
  return (record) => void (record.attributes = { ...given })
}

function assignMap(given: Attributes): Change {
  return (record) => void Object.assign(record, { attributes: new Map(Object.entries(given)) })
}

function write(given: Attributes): Change {
  return (record) => {
    for (const key of Object.keys(record.attributes)) delete record.attributes[key]
    Object.assign(record.attributes, given)
  }
}

describe.each(sdks)('attribute limits compared with $name', (sdk) => {
  // Requirements: LIM3, EXC2, D7
  test('exception attributes count against the limit and are dropped last', () => {
    fc.assert(
      fc.property(attributesOf([...letters, ...exceptionKeys]), error, limits, (attributes, exception, limits) => {
        const expected = official(sdk, { attributes, exception }, limits)
        const unlimited = { ...limits, count: 100 }
        const whole = official(sdk, { attributes, exception }, unlimited).attributes
        const ofException = official(sdk, { exception }, unlimited).attributes
        // The official SDK drops the exception first, and counts an attribute of the call with an exception key twice.
        const twice = exceptionKeys.filter(
          (key) => key in attributes && key in ofException && !(key in expected.attributes),
        )
        const { exported } = ours({ attributes, exception }, limits)
        const { exported: processed, read } = ours({ attributes, exception }, limits, { change: nothing })
        for (const found of [exported, processed, read!]) {
          const kept = Object.keys(found.attributes)
          expect([kept.length, found.dropped]).toEqual([
            Object.keys(expected.attributes).length,
            expected.dropped - twice.length,
          ])
          expect(found.attributes).toEqual(Object.fromEntries(kept.map((key) => [key, whole[key]])))
          expect(kept).toEqual(expect.arrayContaining(Object.keys(ofException)))
        }
      }),
      { numRuns: 300 },
    )
  })

  // Requirements: LIM3
  test('a limit below the number of exception attributes keeps the type first and then the message', () => {
    const exception = new RangeError('far')
    for (const count of [1, 2]) {
      const limits = { count, length: Infinity }
      const { dropped } = official(sdk, { attributes: { a: 'x' }, exception }, limits)
      const attributes = Object.fromEntries(
        Object.entries({ 'exception.type': 'RangeError', 'exception.message': 'far' }).slice(0, count),
      )
      expect(ours({ attributes: { a: 'x' }, exception }, limits).exported).toEqual({ attributes, dropped })
      expect(ours({ attributes: { a: 'x' }, exception }, limits, { change: nothing })).toEqual({
        exported: { attributes, dropped },
        read: { attributes, dropped },
      })
    }
  })

  // Requirements: LIM2, LIM3, REC2
  test('attributes that a processor replaces are limited like emitted ones, for processors and exporters', () => {
    fc.assert(
      fc.property(
        attributesOf(['x', 'y']),
        attributesOf(letters),
        limits,
        fc.constantFrom(assign, assignMap, write),
        (emitted, given, limits, how) => {
          const expected = official(sdk, { attributes: given }, limits)
          const { exported, read } = ours({ attributes: emitted }, limits, { change: how(given) })
          expect([read, exported]).toEqual([expected, expected])
        },
      ),
      { numRuns: 300 },
    )
  })
})

// Requirements: D4
test.each<[string, unknown]>([
  ['null', null],
  ['a string', 'text'],
  [
    'a revoked proxy',
    (() => {
      const { proxy, revoke } = Proxy.revocable({}, {})
      revoke()
      return proxy
    })(),
  ],
])('a record keeps its body when a processor replaces its attributes with %s', (_, given) => {
  const { provider, emitted } = emitting({
    processors: [changing((record) => void (record.attributes = given as never)), reader()],
  })
  provider.getLogger('scope').emit({ body: 'paid', attributes: { a: 1 } })
  expect(emitted()[0]).toMatchObject({ body: { stringValue: 'paid' } })
})

// Requirements: REC2, LIM3
test('setAttribute does not change an object that a processor assigned as the attributes before', () => {
  const constant = Object.freeze({ a: 'x' })
  const { provider, emitted } = emitting({
    limits: { attributes: 2 },
    processors: [
      changing((record) => {
        Object.assign(record, { attributes: constant })
        const { setAttribute } = record as unknown as { setAttribute(key: string, value: unknown): void }
        for (const key of ['b', 'c']) setAttribute.call(record, key, 'y')
      }),
    ],
  })
  provider.getLogger('scope').emit({})
  expect([[...emitted()[0]!.attributes.keys()], emitted()[0]!.droppedAttributesCount]).toEqual([['a', 'b'], 1])
})

describe('additional properties of an Error', () => {
  // Requirements: LIM3
  test('the additional properties of an Error are one attribute, which is dropped before those of the call', () => {
    const exception = failed()
    expect(exportedOf(5, { attributes: { a: 'x' }, exception })).toMatchObject({ dropped: 0 })
    expect(Object.keys(exportedOf(5, { attributes: { a: 'x' }, exception }).attributes)).toContain('err')
    const { attributes, dropped } = exportedOf(4, { attributes: { a: 'x' }, exception })
    expect([Object.keys(attributes).toSorted(), dropped]).toEqual([['a', ...exceptionKeys.toSorted()], 1])
  })

  // Requirements: LIM3
  test('an Error attribute and the exception attributes made from it stay within the limit', () => {
    for (const count of [1, 2, 3, 4, 5, 6]) {
      const { attributes, dropped } = ours(
        { attributes: { err: failed(), a: 'x' } },
        { count, length: Infinity },
      ).exported
      expect([Object.keys(attributes).length, dropped]).toEqual([Math.min(count, 5), 5 - Math.min(count, 5)])
    }
  })
})

describe('an exception with one attribute changed by a processor', () => {
  test.each(exceptionKeys)(
    'the remaining exception attributes are redacted by the rules for errors when a processor removes %s',
    (key) => {
      const { provider, lines: written } = emitting({ redact: ['err.message'], processors: [drop(key)] })
      provider.getLogger('scope').emit({ body: 'm', exception: new Error('secret') })
      expect(JSON.stringify(written())).not.toContain('secret')
      expect(written()[0].attributes).not.toHaveProperty([key])
    },
  )

  test('no text remains of an exception that a rule redacts completely', () => {
    const { provider, lines: written } = emitting({ redact: ['err'], processors: [drop('exception.type')] })
    provider.getLogger('scope').emit({ body: 'm', exception: new Error('secret') })
    expect(JSON.stringify(written())).not.toContain('secret')
  })

  // Requirements: EXC2, EXC3
  test('an attribute of the call with an exception key does not remove the causes from the stack trace', () => {
    const { provider, lines: written } = emitting({ processors: [changing(nothing)] })
    const exception = new Error('outer', { cause: new Error('inner') })
    provider.getLogger('scope').emit({ attributes: { 'exception.message': 'mine' }, exception })
    expect(JSON.stringify(written())).toContain('mine')
    expect(JSON.stringify(written())).toContain('Caused by: Error: inner')
  })
})
