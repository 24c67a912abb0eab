import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import { layoutNames, type LayoutName } from '../../../src/encode/json/layout-bases.ts'
import type { Encoding } from '../../../src/encode/encoding.ts'
import { createLogger } from '../../../src/create/create-logger.ts'
import type { ReadRecord } from '../../../src/read/record.ts'
import { standardLevels, standardSeverities } from '../../../src/record/severity.ts'
import { capturingExporter } from '../../support/files/test-logger.ts'
import { keys, nastyText } from '../../support/values/arbitraries.ts'
import { attributesOf, recordOf } from './read-line.ts'

const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    nastyText.map((text) => text.toWellFormed()),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
    fc.constantFrom(null, true, false, 2n ** 64n, -(2n ** 70n)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(keys.filter(isWritable), tie('value'), { maxKeys: 3 }),
  ),
})).value

// JSON.parse of Node 24.21 confuses escaped keys of a single character that occur at the same position.
function isWritable(key: string): boolean {
  return JSON.stringify(key) === `"${key}"` && key.isWellFormed()
}

const records = fc.record({
  time: fc.integer({ min: 1_000_000_000_000, max: 4_000_000_000_000 }),
  level: fc.constantFrom(...standardLevels, 'notice'),
  message: nastyText.map((text) => text.toWellFormed().replaceAll(/[%{}]/g, '')),
  attributes: fc.uniqueArray(fc.tuple(keys.filter(isWritable), values), { selector: ([key]) => key, maxLength: 5 }),
  error: fc.boolean(),
  name: fc.option(fc.constantFrom('checkout', 'a b', 'ü'), { nil: undefined }),
})
type Case = typeof records extends fc.Arbitrary<infer C> ? C : never

/** Returns the record that is read from the line of a log call. */
function readBack(encoding: Encoding, { time, level, message, attributes, error, name }: Case): ReadRecord {
  const exporter = capturingExporter(encoding)
  const log = createLogger({
    ...(name === undefined ? {} : { name }),
    level: 'trace',
    levels: { notice: 10 },
    resource: { 'service.name': 'shop' },
    clock: () => time,
    exporter,
  })
  const given = new Map(attributes)
  if (error) log[level](message, given, failure)
  else log[level](message, given)
  const [line, ...others] = exporter.lines()
  expect(others).toEqual([])
  const read = recordOf(line!)
  return read
}

const failure = Object.assign(new TypeError('no route', { cause: new Error('deeper') }), { code: 'E_ROUTE' })

/** The attributes that `failure` has in each layout. */
const exceptionAttributes = {
  'exception.type': 'TypeError',
  'exception.message': 'no route',
  'exception.stacktrace': `${failure.stack}\nCaused by: ${(failure.cause as Error).stack}`,
  err: { code: 'E_ROUTE' },
}

/** The layouts that write the names of all levels. */
const hasLevelNames: readonly LayoutName[] = ['sluice', 'otel', 'ecs']

/** Returns the severity number that a layout writes for one. Some have fewer levels. */
function writtenSeverity(layout: LayoutName, severity: number): number {
  return layout === 'gcp' && severity < 5 ? 5 : severity
}

describe.each(layoutNames)('lines of the layout %s', (layout) => {
  test('are read back with the level, time, message, scope and attributes of the log call', () => {
    fc.assert(
      fc.property(records, (call) => {
        const record = readBack(jsonLines({ base: layout, resource: layout === 'otel' ? 'all' : 'service' }), call)
        const severity = call.level === 'notice' ? 10 : standardSeverities[call.level]
        expect(record).toMatchObject({
          format: layout,
          message: call.message,
          time: call.time,
          timeUnixNano: BigInt(call.time) * 1_000_000n,
          severityNumber: writtenSeverity(layout, severity),
          scope: call.name,
        })
        expect(hasLevelNames.includes(layout) ? record.level : call.level).toBe(call.level)
        expect(record.resource.get('service.name')).toBe('shop')
        const given = JSON.parse(JSON.stringify(Object.fromEntries(call.attributes), bigIntText)) as object
        expect(attributesOf(record)).toEqual({ ...given, ...(call.error ? exceptionAttributes : {}) })
      }),
    )
  })
})

function bigIntText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
