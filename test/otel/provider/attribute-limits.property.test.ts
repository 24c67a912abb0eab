import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import type { LoggerProviderOptions } from '../../../src/otel/provider/provider-options.ts'
import type { OtelLogRecordProcessor, ReadWriteLogRecord } from '../../../src/otel/api/types.ts'
import { lines, type Line } from '../processor/lines.ts'
import { emitting } from './emitting.ts'

// The same records go through the official SDK and through the provider, with the same limits.

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
  const made = new of(message)
  // The stack of a test is long; a failure report shows this one.
  made.stack = `${made.name}: ${message}\n    at shop.ts:1:1`
  return made
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

/** What a processor of the official SDK reads. */
function official({ LoggerProvider }: Line, record: object, { count, length }: Limits): Limited {
  const last = reader()
  const logRecordLimits = { attributeCountLimit: count, attributeValueLengthLimit: length }
  new LoggerProvider({ processors: [last], logRecordLimits }).getLogger('scope').emit(record)
  return last.seen[0]!
}

/** What is exported by the provider, and what its last processor reads. */
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

describe.each(lines)('as with $name', (line) => {
  test('the attributes of an exception count against the limit, and are the last ones to be dropped (LIM3, EXC2, D7)', () => {
    fc.assert(
      fc.property(attributesOf([...letters, ...exceptionKeys]), error, limits, (attributes, exception, limits) => {
        const expected = official(line, { attributes, exception }, limits)
        const unlimited = { ...limits, count: 100 }
        const whole = official(line, { attributes, exception }, unlimited).attributes
        const ofException = official(line, { exception }, unlimited).attributes
        // The official SDK drops the exception first, and counts twice what the call sets under one of its keys.
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

  test('a limit below the attributes of an exception keeps its type and then its message (LIM3)', () => {
    const exception = new RangeError('far')
    for (const count of [1, 2]) {
      const limits = { count, length: Infinity }
      const { dropped } = official(line, { attributes: { a: 'x' }, exception }, limits)
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

  test('attributes that a processor puts in the place of others are limited as emitted ones for processors and exporters (LIM2, LIM3, REC2)', () => {
    fc.assert(
      fc.property(
        attributesOf(['x', 'y']),
        attributesOf(letters),
        limits,
        fc.constantFrom(assign, assignMap, write),
        (emitted, given, limits, how) => {
          const expected = official(line, { attributes: given }, limits)
          const { exported, read } = ours({ attributes: emitted }, limits, { change: how(given) })
          expect([read, exported]).toEqual([expected, expected])
        },
      ),
      { numRuns: 300 },
    )
  })
})

test.each<[string, unknown]>([
  ['null', null],
  ['text', 'text'],
  [
    'a revoked proxy',
    (() => {
      const { proxy, revoke } = Proxy.revocable({}, {})
      revoke()
      return proxy
    })(),
  ],
])('attributes that a processor replaces by %s cost the attributes alone (D4)', (_, given) => {
  const { provider, emitted } = emitting({
    processors: [changing((record) => void (record.attributes = given as never)), reader()],
  })
  provider.getLogger('scope').emit({ body: 'paid', attributes: { a: 1 } })
  expect(emitted()[0]).toMatchObject({ body: { stringValue: 'paid' } })
})

test('a processor that adds to attributes it has replaced does not change the object it has put there (REC2, LIM3)', () => {
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

describe('the members of an Error beside its texts', () => {
  test('are an attribute that counts against the limit, and is dropped before those of the call (LIM3)', () => {
    const exception = failed()
    expect(exportedOf(5, { attributes: { a: 'x' }, exception })).toMatchObject({ dropped: 0 })
    expect(Object.keys(exportedOf(5, { attributes: { a: 'x' }, exception }).attributes)).toContain('err')
    const { attributes, dropped } = exportedOf(4, { attributes: { a: 'x' }, exception })
    expect([Object.keys(attributes).toSorted(), dropped]).toEqual([['a', ...exceptionKeys.toSorted()], 1])
  })

  test('stay within the limit as well where the Error is an attribute (LIM3)', () => {
    for (const count of [1, 2, 3, 4, 5, 6]) {
      const { attributes, dropped } = ours(
        { attributes: { err: failed(), a: 'x' } },
        { count, length: Infinity },
      ).exported
      expect([Object.keys(attributes).length, dropped]).toEqual([Math.min(count, 5), 5 - Math.min(count, 5)])
    }
  })
})

describe('where a processor changes one attribute of an exception', () => {
  test.each(exceptionKeys)('the others are redacted by the rules for errors, with %s removed', (key) => {
    const { provider, lines: written } = emitting({ redact: ['err.message'], processors: [drop(key)] })
    provider.getLogger('scope').emit({ body: 'm', exception: new Error('secret') })
    expect(JSON.stringify(written())).not.toContain('secret')
    expect(written()[0].attributes).not.toHaveProperty([key])
  })

  test('nothing is left of an exception that a rule redacts whole', () => {
    const { provider, lines: written } = emitting({ redact: ['err'], processors: [drop('exception.type')] })
    provider.getLogger('scope').emit({ body: 'm', exception: new Error('secret') })
    expect(JSON.stringify(written())).not.toContain('secret')
  })

  test('an attribute of the call under such a key is no change: the causes stay (EXC2, EXC3)', () => {
    const { provider, lines: written } = emitting({ processors: [changing(nothing)] })
    const exception = new Error('outer', { cause: new Error('inner') })
    provider.getLogger('scope').emit({ attributes: { 'exception.message': 'mine' }, exception })
    expect(JSON.stringify(written())).toContain('mine')
    expect(JSON.stringify(written())).toContain('Caused by: Error: inner')
  })
})
