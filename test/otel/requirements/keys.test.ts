import { describe, expect, test } from '@jest/globals'
import { array, assert, constantFrom, property, record } from 'fast-check'
import { createLogger, withContext } from '../../../src/entries/index.ts'
import { createLoggerProvider, type LoggerProvider } from '../../../src/otel/provider/provider.ts'
import type { CapturingExporter } from '../../support/files/test-logger.ts'
import { formats, recordsOf } from './formats.ts'

// cspell:ignore tokabc tokdef

/** Names with a special meaning in JavaScript, names that differ only in case or Unicode form, and the empty name. */
const names = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
  'prototype',
  'length',
  'then',
  'toJSON',
  'key',
  'Key',
  'KEY',
  'é',
  'e\u0301',
  '0',
  '00',
  '',
  ' ',
  'a.b',
  '$',
  'null',
  'undefined',
]

interface Pair {
  readonly key: string
  readonly value?: unknown
}

/** Returns every list of key-value pairs in a request: attributes and maps, at any depth. */
function pairLists(value: unknown): Pair[][] {
  if (typeof value !== 'object' || value === null) return []
  if (!Array.isArray(value)) return Object.values(value).flatMap(pairLists)
  const isList = value.length > 0 && value.every((each) => typeof (each as Pair | null)?.key === 'string')
  return [...(isList ? [value as Pair[]] : []), ...value.flatMap(pairLists)]
}

function repeatedKeys(request: unknown): string[] {
  const lists = pairLists(request).map((pairs) => pairs.map(({ key }) => key))
  return lists.flatMap((keys) => keys.filter((key, index) => keys.indexOf(key) !== index))
}

/** Returns an object with these own keys, including `__proto__`. */
function objectOf(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const object = {}
  for (const [key, value] of entries)
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  return object
}

const entriesOf = (source: string, maxLength: number) =>
  array(constantFrom(...names), { maxLength }).map((keys) =>
    keys.map((key, index) => [key, `${source} ${index}`] as const),
  )
const sources = record({ bound: entriesOf('bound', 4), context: entriesOf('context', 4), call: entriesOf('call', 6) })

describe.each(formats)('attribute keys in %s', (_, open, requests) => {
  // Requirements: DM6, JS8
  test('no attribute key is repeated, and the call overrides the context, which overrides the child', () => {
    assert(
      property(sources, ({ bound, context, call }) => {
        const keeper = open()
        const log = createLogger({ exporter: keeper, handleExit: false })
        withContext(objectOf(context), () => log.child(objectOf(bound)).info('m', objectOf(call)))
        const all = requests(keeper)
        const pairs = (recordsOf(all[0]!)[0]!['attributes'] ?? []) as Pair[]
        const written = new Map(pairs.map(({ key, value }) => [key, (value as { stringValue: string }).stringValue]))
        expect(written).toEqual(new Map([...bound, ...context, ...call]))
        expect(repeatedKeys(all)).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  // Requirements: DM6, JS8
  test('a Map whose keys become the same string keeps every value, and no key is repeated', () => {
    const sameTexts = new Map<unknown, unknown>([
      [1, 'a'],
      ['1', 'b'],
      [1n, 'c'],
      [{}, 'd'],
      [{}, 'e'],
      [null, 'f'],
      ['null', 'g'],
      [undefined, 'h'],
      ['undefined', 'i'],
      [true, 'j'],
      ['true', 'k'],
    ])
    const uses: ((exporter: CapturingExporter) => void)[] = [
      (exporter) =>
        providerOf(exporter)
          .getLogger('a')
          .emit({ body: { in: [sameTexts] }, attributes: { nested: { deep: sameTexts } } }),
      (exporter) =>
        providerOf(exporter)
          .getLogger('b', '1', { attributes: { scope: sameTexts } })
          .emit({ attributes: sameTexts }),
      (exporter) => createLogger({ exporter, handleExit: false }).info('m', { map: sameTexts }),
    ]
    for (const use of uses) {
      const keeper = open()
      use(keeper)
      const text = JSON.stringify(requests(keeper))
      for (const value of sameTexts.values()) expect(text).toContain(JSON.stringify(value))
      expect(repeatedKeys(requests(keeper))).toEqual([])
    }
  })

  // Requirements: DM6, JS8
  test('no key is repeated when redaction makes keys equal', () => {
    const keeper = open()
    const redact = { patterns: [{ name: 'token', pattern: /tok[a-z]{3}/ }] }
    const log = createLogger({ exporter: keeper, redact, handleExit: false })
    const keys = { tokabc: 1, tokdef: 2, '[REDACTED]': 3 }
    log.info('m', { ...keys, nested: keys, map: new Map(Object.entries(keys)) })
    const text = JSON.stringify(requests(keeper))
    expect(text).not.toMatch(/tok(abc|def)/)
    const counts = pairLists(requests(keeper)).map(
      (pairs) => pairs.filter(({ key }) => key.includes('REDACTED')).length,
    )
    expect(counts.filter((count) => count > 0)).toEqual([3, 3, 3])
    expect(repeatedKeys(requests(keeper))).toEqual([])
  })

  // Requirements: JS8
  test('keys such as __proto__ and constructor are kept in attributes, bodies, maps, scopes and the resource', () => {
    const keeper = open()
    const object = objectOf(names.filter((name) => name !== '').map((name) => [name, 'kept']))
    const provider = createLoggerProvider({ exporter: keeper, handleExit: false, resource: object as never })
    provider.getLogger('a', '1', { attributes: object }).emit({
      body: { in: object, map: new Map(Object.entries(object)) },
      attributes: { ...objectOf(Object.entries(object)), nested: object },
    })
    const lists = pairLists(requests(keeper)).filter((pairs) => pairs.some(({ key }) => key === '__proto__'))
    // The resource, the scope, the attributes, an object in them, and an object and a Map in the body.
    expect(lists).toHaveLength(6)
    for (const pairs of lists) {
      const kept = pairs.filter(({ value }) => (value as { stringValue?: string }).stringValue === 'kept')
      expect(kept.map(({ key }) => key).toSorted()).toEqual(Object.keys(object).toSorted())
    }
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  // Requirements: DM6, EXC2
  test('an attribute of the call replaces the exception attribute with the same key', () => {
    const keeper = open()
    createLogger({ exporter: keeper, handleExit: false }).error('m', { 'exception.type': 'mine' }, new RangeError('no'))
    const [first] = requests(keeper)
    const pairs = recordsOf(first!)[0]!['attributes'] as Pair[]
    expect(pairs.filter(({ key }) => key === 'exception.type')).toEqual([
      { key: 'exception.type', value: { stringValue: 'mine' } },
    ])
    expect(repeatedKeys(first)).toEqual([])
  })
})

function providerOf(exporter: CapturingExporter): LoggerProvider {
  return createLoggerProvider({ exporter, handleExit: false })
}
