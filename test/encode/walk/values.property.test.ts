import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { descriptions, memberDescriptions } from '../../support/values/arbitraries.ts'
import { build, buildMembers } from '../../support/build.ts'
import { createTestLogger } from '../../support/files/test-logger.ts'
import { thrower } from '../../support/values/hostile.ts'
import { type ReferenceLimits, referenceAttributes, referenceValue } from '../../support/values/reference.ts'

const head = '{"timestamp":"1970-01-01T00:00:00.000Z","level":"info","message":"m"'

/** The line with these attributes; undefined for none. */
function lineOf(attributes: string | undefined): string {
  return `${head}${attributes === undefined ? '' : `,"attributes":${attributes}`}}\n`
}

/** Returns what is wrong with a text that should be one line of JSON. */
function faultOf(text: string): string | undefined {
  if (text.indexOf('\n') !== text.length - 1) return 'it is not one line'
  if (!text.isWellFormed()) return 'it holds half a surrogate pair'
  return typeof JSON.parse(text) === 'object' ? undefined : 'it is no object'
}

describe('values in comparison with the reference implementation', () => {
  const { log, exporter } = createTestLogger()
  const write = (attributes: object): string => {
    exporter.clear()
    log.info('m', attributes)
    return exporter.text()
  }

  test('any value as a member is written as in the reference implementation', () => {
    fc.assert(
      fc.property(descriptions, (description) => {
        const part = referenceValue(build(description))
        const line = write({ value: build(description) })
        expect(line).toBe(lineOf(part === undefined ? undefined : `{"value":${part}}`))
        expect(faultOf(line)).toBeUndefined()
      }),
      { numRuns: 1_500 },
    )
  })

  test('any value as the attributes is written as in the reference implementation', () => {
    fc.assert(
      fc.property(memberDescriptions, (members) => {
        const line = write(buildMembers(members))
        expect(line).toBe(lineOf(referenceAttributes(buildMembers(members))))
        expect(faultOf(line)).toBeUndefined()
      }),
      { numRuns: 500 },
    )
  })

  test('values over limits are truncated and counted as in the reference implementation', () => {
    const limits = fc.record<ReferenceLimits>({
      depth: fc.integer({ min: 1, max: 4 }),
      items: fc.integer({ min: 1, max: 3 }),
      stringLength: fc.integer({ min: 1, max: 6 }),
    })
    fc.assert(
      fc.property(limits, fc.array(descriptions, { minLength: 1, maxLength: 40 }), (limit, many) => {
        const { log: limited, exporter: kept } = createTestLogger({ limits: limit })
        for (const description of many) {
          kept.clear()
          limited.info('m', { value: build(description) })
          const part = referenceValue(build(description), limit)
          const line = kept.text()
          expect(line).toBe(lineOf(part === undefined ? undefined : `{"value":${part}}`))
          expect(faultOf(line)).toBeUndefined()
        }
      }),
      { numRuns: 30 },
    )
  })

  test('JSON values are written as by JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect((JSON.parse(write({ value })) as { attributes: unknown }).attributes).toEqual(
          JSON.parse(JSON.stringify({ value })),
        )
      }),
      { numRuns: 500 },
    )
  })
})

describe('number of calls of user code', () => {
  const { log } = createTestLogger()

  test('each getter of a value below `headers` is called once per record', () => {
    const read: PropertyKey[] = []
    const instrumented = (target: object, key: PropertyKey): object =>
      Object.defineProperty(target, key, { enumerable: true, get: () => (read.push(key), 67) })
    log.info('m', {
      headers: { a: instrumented({ 0: 67 }, 1), b: instrumented([67], 2), c: instrumented({}, Symbol.toStringTag) },
    })
    expect(read.filter((key) => typeof key === 'number')).toEqual([1, 2])
  })

  test.each(['RegExp', 'Date', 'String', 'Number', 'Boolean', 'BigInt', 'Symbol'])(
    'an object with only the tag of a %s is written as an object, and its methods are not called',
    (tag) => {
      const { log: logger, captureLine } = createTestLogger()
      const calls: string[] = []
      const call = (name: string) => () => calls.push(name)
      class Fake {
        readonly a = 1
        get [Symbol.toStringTag]() {
          return tag
        }
      }
      const methods = ['toString', 'valueOf', Symbol.toPrimitive, 'source', 'flags', 'getTime', 'toISOString']
      for (const name of methods)
        Object.defineProperty(Fake.prototype, name, { get: () => (calls.push(String(name)), call(String(name))) })
      expect(captureLine(() => logger.info('m', { value: new Fake() })).attributes).toEqual({ value: { a: 1 } })
      expect(calls).toEqual([])
    },
  )

  test('a RegExp is written with its original source and flags', () => {
    const { log: logger, captureLine } = createTestLogger()
    const replaced = Object.defineProperties(/a\/b/dgimsuy, {
      source: { value: 'x' },
      flags: { value: 'x' },
      global: { value: false },
      [Symbol.match]: { get: () => { throw new Error('read') } }, // prettier-ignore
    })
    expect(captureLine(() => logger.info('m', { a: replaced, b: /[a--b]/v, c: new RegExp('') })).attributes).toEqual({
      a: '/a\\/b/dgimsuy',
      b: '/[a--b]/v',
      c: '/(?:)/',
    })
  })

  test('a getter that throws below `headers` does not change the other headers', () => {
    const { log: logger, exporter } = createTestLogger()
    const bad = Object.defineProperty({ 0: 67 }, 1, { enumerable: true, get: thrower })
    logger.info('m', { headers: { bad, good: 'g' } })
    expect(exporter.text()).toContain('"headers":{"bad":{"0":67,"1":"[Threw: no]"},"good":"g"}')
  })

  test('each getter is called once per record', () => {
    const read: string[] = []
    class Instance {
      readonly b = 1
    }
    const instrumented = (name: string, target: object): object => {
      for (const key of ['a', 'next', 'pipe', 'on', 'then', 'constructor', 'size', 'length', 'href']) {
        Object.defineProperty(target, key, { enumerable: true, get: () => (read.push(`${name}.${key}`), key) })
      }
      return target
    }
    log.info('{plain} {instance:json}', {
      plain: instrumented('plain', {}),
      instance: instrumented('instance', new Instance()),
      error: instrumented('error', new Error('x')),
      map: instrumented('map', new Map()),
    })
    const counted = read.filter((name) => !name.endsWith('.constructor'))
    expect([...new Set(counted)]).toEqual(counted)
    expect(counted).toContain('instance.on')
  })

  test('toJSON and serializers are called once per record', () => {
    let converted = 0
    let serialized = 0
    const bench = createTestLogger({ serializers: { user: (value) => (serialized++, value) } })
    const user = { toJSON: () => (converted++, { id: 1 }) }
    bench.log.info('{user} {user:json}', { user })
    expect({ converted, serialized }).toEqual({ converted: 1, serialized: 1 })
  })
})

// Requirements: D5
test('a line does not change when the caller modifies the logged objects later', () => {
  const { log, exporter } = createTestLogger()
  const inner = { state: 'before' }
  const items = [inner]
  const child = log.child({ inner, items })
  log.info('m', { inner, items })
  inner.state = 'after'
  items.push(inner)
  child.info('m')
  expect(exporter.text()).not.toContain('after')
  expect(exporter.lines()[0]).toBe(exporter.lines()[1])
})
