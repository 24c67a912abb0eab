import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { descriptions, memberDescriptions } from '../../support/values/arbitraries.ts'
import { build, buildMembers } from '../../support/build.ts'
import { workbench } from '../../support/files/line-keeper.ts'
import { type ReferenceLimits, writtenAttributes, writtenValue } from '../../support/values/reference.ts'

const head = '{"timestamp":"1970-01-01T00:00:00.000Z","level":"info","message":"m"'

/** A line that holds these attributes, undefined for none. */
function lineOf(attributes: string | undefined): string {
  return `${head}${attributes === undefined ? '' : `,"attributes":${attributes}`}}\n`
}

/** What is wrong with a text that should be one line of JSON. */
function faultOf(text: string): string | undefined {
  if (text.indexOf('\n') !== text.length - 1) return 'it is not one line'
  if (!text.isWellFormed()) return 'it holds half a surrogate pair'
  return typeof JSON.parse(text) === 'object' ? undefined : 'it is no object'
}

describe('any value gives one line, and the reference says what stands in it', () => {
  const { log, keeper } = workbench()
  const write = (attributes: object): string => {
    keeper.clear()
    log.info('m', attributes)
    return keeper.text()
  }

  test('as a member', () => {
    fc.assert(
      fc.property(descriptions, (description) => {
        const part = writtenValue(build(description))
        const line = write({ value: build(description) })
        expect(line).toBe(lineOf(part === undefined ? undefined : `{"value":${part}}`))
        expect(faultOf(line)).toBeUndefined()
      }),
      { numRuns: 1_500 },
    )
  })

  test('as the attributes', () => {
    fc.assert(
      fc.property(memberDescriptions, (members) => {
        const line = write(buildMembers(members))
        expect(line).toBe(lineOf(writtenAttributes(buildMembers(members))))
        expect(faultOf(line)).toBeUndefined()
      }),
      { numRuns: 500 },
    )
  })

  test('past limits, each counted', () => {
    const limits = fc.record<ReferenceLimits>({
      depth: fc.integer({ min: 1, max: 4 }),
      items: fc.integer({ min: 1, max: 3 }),
      stringLength: fc.integer({ min: 1, max: 6 }),
    })
    fc.assert(
      fc.property(limits, fc.array(descriptions, { minLength: 1, maxLength: 40 }), (limit, many) => {
        const { log: limited, keeper: kept } = workbench({ limits: limit })
        for (const description of many) {
          kept.clear()
          limited.info('m', { value: build(description) })
          const part = writtenValue(build(description), limit)
          const line = kept.text()
          expect(line).toBe(lineOf(part === undefined ? undefined : `{"value":${part}}`))
          expect(faultOf(line)).toBeUndefined()
        }
      }),
      { numRuns: 30 },
    )
  })

  test('as JSON.stringify has it, where it and we agree', () => {
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

describe('user code runs once for each record', () => {
  const { log } = workbench()

  test('getters', () => {
    const read: string[] = []
    class Instance {
      readonly b = 1
    }
    const watched = (name: string, target: object): object => {
      for (const key of ['a', 'next', 'pipe', 'on', 'then', 'constructor', 'size', 'length', 'href']) {
        Object.defineProperty(target, key, { enumerable: true, get: () => (read.push(`${name}.${key}`), key) })
      }
      return target
    }
    log.info('{plain} {instance:json}', {
      plain: watched('plain', {}),
      instance: watched('instance', new Instance()),
      error: watched('error', new Error('x')),
      map: watched('map', new Map()),
    })
    const counted = read.filter((name) => !name.endsWith('.constructor'))
    expect([...new Set(counted)]).toEqual(counted)
    expect(counted).toContain('instance.on')
  })

  test('toJSON and serializers', () => {
    let asked = 0
    let serialized = 0
    const bench = workbench({ serializers: { user: (value) => (serialized++, value) } })
    const user = { toJSON: () => (asked++, { id: 1 }) }
    bench.log.info('{user} {user:json}', { user })
    expect({ asked, serialized }).toEqual({ asked: 1, serialized: 1 })
  })
})

test('the line stays as it was said, whatever the caller changes later (D5)', () => {
  const { log, keeper } = workbench()
  const inner = { state: 'before' }
  const items = [inner]
  const child = log.child({ inner, items })
  log.info('m', { inner, items })
  inner.state = 'after'
  items.push(inner)
  child.info('m')
  expect(keeper.text()).not.toContain('after')
  expect(keeper.lines()[0]).toBe(keeper.lines()[1])
})
