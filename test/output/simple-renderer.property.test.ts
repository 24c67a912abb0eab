import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { DerivedRecord, noChanges } from '../../src/read/formats/derived-record.ts'
import { isSimpleObject } from '../../src/read/formats/simple-members.ts'
import { SimpleSluiceLine } from '../../src/read/formats/simple-sluice-line.ts'
import { SimpleSluiceRecord } from '../../src/read/formats/simple-sluice-record.ts'
import { readSluiceLine } from '../../src/read/formats/sluice-line.ts'
import type { ReadRecord } from '../../src/read/record.ts'
import { runs } from '../support/runs.ts'
import { seed } from '../support/seed.ts'
import { nastyText } from '../support/values/arbitraries.ts'
import { propertyNames } from '../read/property-names.ts'
import { appLog, written } from './written.ts'

const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('user', 'id', 'duration', 'url.path', 'a b', '', 'roles') },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'http.request.method',
      'http.response.status_code',
      'http.route',
      'http.server.request.duration',
      'user_agent.original',
      'request.id',
      'exception.stacktrace',
      'exception.message',
      'otel.dropped_attributes_count',
      '__proto__',
      '7',
    ),
  },
  nastyText,
)
const text = fc.oneof(
  fc.constantFrom('GET', '/a', 'two words', '', 'true', '1e5', 'NaN', 'say "hi"', '=x', 'x=y', '\u001b[31m', 'é'),
  fc.string({ unit: fc.constantFrom(...Array.from('ab 1.-')), maxLength: 60 }),
  nastyText,
)
/** JSON of numbers, some of which JavaScript writes otherwise. */
const numberJson = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '200',
    '404',
    '1.50',
    '1e3',
    '0.000001',
    '0.0000001',
    '-0.5',
    '123456789012345678',
    '01',
    '.5',
  ),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
)
const memberJson = (value: fc.Arbitrary<string>) =>
  fc.tuple(name, value).map(([key, json]) => `${JSON.stringify(key)}:${json}`)
/** JSON of values, with duplicate names. */
const json = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text.map((value) => JSON.stringify(value)),
    numberJson,
    fc.constantFrom('true', 'false', 'null', 'nulls', '{}', '[]'),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join()}]`),
    tie('object'),
  ),
  object: fc.array(memberJson(tie('value')), { maxLength: 6 }).map((members) => `{${members.join()}}`),
}))
const span = `"trace_id":"${'1'.repeat(32)}","span_id":"${'b'.repeat(16)}","trace_flags":"01",`
const line = fc
  .record({
    level: fc.constantFrom('info', 'warn', 'error', 'audit'),
    message: fc.oneof(fc.constantFrom('GET /a 200 in 4 ms', '404', 'm', ''), text),
    members: fc.constantFrom('', span, '"otel.scope.name":"shop",', '"service.name":"api",', '"otel.event.name":"e",'),
    attributes: json.object,
  })
  .map(
    ({ level, message, members, attributes }) =>
      `{"timestamp":"2026-11-21T09:56:03.123Z","level":"${level}","message":${JSON.stringify(message)},` +
      `${members}"attributes":${attributes}}`,
  )
/** Lines of which some are damaged. */
const damagedLine = fc
  .tuple(line, fc.option(fc.tuple(fc.nat(400), fc.constantFrom('"', '\\', '}', '{', ',', ':', ' ', '0', '\u0000'))))
  .map(([whole, damage]) =>
    damage === null || damage[0] >= whole.length
      ? whole
      : whole.slice(0, damage[0]) + damage[1] + whole.slice(damage[0] + 1),
  )

const options = fc.record({
  usesColors: fc.boolean(),
  isTerminal: fc.boolean(),
  files: fc.constantFrom(['app.log'], ['app.log', 'b.log']),
  time: fc.constantFrom('utc', 'iso', 'relative'),
  device: fc
    .integer({ min: 30, max: 130 })
    .map((columns) => ({ key: '', workingDirectory: '/', columns: () => columns })),
})

/** One reader for all lines, as for a file. */
const simpleLine = new SimpleSluiceLine()

/** Returns the record of a simple line; undefined for another line. */
function read(line: string): SimpleSluiceRecord | undefined {
  const bytes = Buffer.from(`${line}\n`)
  const end = bytes.length - 1
  return simpleLine.read(bytes, 0, end)
    ? new SimpleSluiceRecord(simpleLine, bytes, 0, end, bytes.length, appLog)
    : undefined
}

const wholeOf = (record: ReadRecord) => new DerivedRecord(record, noChanges)

describe('SimpleRenderer', () => {
  it('writes the same text as the renderer of values, for any lines', () => {
    let simple = 0
    fc.assert(
      fc.property(
        fc.array(damagedLine, { maxLength: 6 }),
        fc.constantFrom('pretty', 'line'),
        options,
        (lines, format, settings) => {
          const records = lines.map(read).filter((record) => record !== undefined)
          simple += records.length
          expect(written(format, records, settings)).toBe(written(format, records.map(wholeOf), settings))
        },
      ),
      { seed, numRuns: 1_000 * runs },
    )
    expect(simple).toBeGreaterThan(100)
  })
})

const lineOf = (attributes: string) =>
  `{"timestamp":"2026-11-21T09:56:03.123Z","level":"warn","message":"m",${span}"attributes":${attributes}}`

describe('SimpleRenderer at each width', () => {
  const rows = [
    ['an object', '{"user":{"id":7,"name":"two words","tags":{}}}'],
    ['an array', '{"roles":[1,"a",[],[true,null]]}'],
    ['scalars', '{"a":1.5,"b":"word","c":"two words","d":false,"e":null}'],
    ['a request', '{"http.request.method":"GET","url.path":"/a","http.response.status_code":404,"x":1}'],
  ] as const
  it.each(rows)('breaks lines with %s where the renderer of values does', (_name, attributes) => {
    const record = read(lineOf(attributes))!
    for (let columns = 40; columns <= 140; columns++) {
      const settings = { device: { key: '', workingDirectory: '/', columns: () => columns } }
      expect(written('pretty', [record], settings)).toBe(written('pretty', [wholeOf(record)], settings))
    }
  })
})

const damagedObject = fc
  .tuple(json.object, fc.integer({ min: 1, max: 60 }), fc.constantFrom('', '"', '\\', '}', ',', '0', '-', '.'))
  .map(([whole, at, character]) => whole.slice(0, at) + character + whole.slice(at + 1))

describe('SimpleSluiceRecord', () => {
  it('has the same properties as the record that is read from the text of the line', () => {
    let simple = 0
    fc.assert(
      fc.property(damagedLine, (textOfLine) => {
        const record = read(textOfLine)
        if (record === undefined) return
        simple++
        const expected = readSluiceLine(textOfLine, { origin: appLog, raw: Buffer.from(`${textOfLine}\n`) })!
        for (const name of propertyNames) expect([name, record[name]]).toEqual([name, expected[name]])
      }),
      { seed, numRuns: 2_000 * runs },
    )
    expect(simple).toBeGreaterThan(100)
  })
})

describe('isSimpleObject', () => {
  it('accepts only JSON that JavaScript writes in the same way', () => {
    fc.assert(
      fc.property(fc.oneof(json.object, damagedObject), (object) => {
        if (!isSimpleObject(`${object}}`, 1)) return
        const numbers: unknown[] = []
        ;(JSON.parse as (...parameters: unknown[]) => unknown)(
          object,
          (_key: string, value: unknown, { source }: { readonly source?: string }) => {
            if (source !== undefined && JSON.stringify(value) !== source) numbers.push(source)
            return value
          },
        )
        expect(numbers).toEqual([])
      }),
      { seed, numRuns: 2_000 * runs },
    )
  })
})
