import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { Statistics } from '../../../src/cli/stats/statistics.ts'
import { templateKeys } from '../../../src/read/templates/templates.ts'
import { summaryJson } from '../../../src/cli/stats/summary-json.ts'
import { RecordReader } from '../../../src/read/lines/record-reader.ts'
import { SimpleSluiceRecord } from '../../../src/read/formats/simple-sluice-record.ts'
import { seed } from '../../support/seed.ts'
import { runs } from '../../support/runs.ts'

const text = fc.constantFrom(
  'order 7 placed',
  '[Cut: 12 bytes]',
  '[+3 items]',
  '[Object: 4 keys]',
  '…[+9 characters]',
  '+2 keys',
  'a[0]',
  'checkout',
)
const name = fc.constantFrom(
  ...templateKeys,
  '[truncated]',
  'otel.dropped_attributes_count',
  'service',
  'service.name',
  'tenant',
)
const value = fc.oneof(text, fc.constantFrom(3, true, null), fc.array(text, { maxLength: 2 }))
const attributes = fc.dictionary(name, fc.oneof(value, fc.dictionary(name, value, { maxKeys: 2 })), { maxKeys: 3 })
const line = fc
  .record({ message: text, attributes, source: fc.constantFrom('', '"service.name":"api",', '"otel.event.name":"e",') })
  .map(
    (parts) =>
      `{"timestamp":"2026-11-21T09:56:03.123Z","level":"info","message":${JSON.stringify(parts.message)},` +
      `${parts.source}"attributes":${JSON.stringify(parts.attributes)}}\n`,
  )

let simple = 0

/** Returns the summary of lines that are read in one of two ways. */
function summaryOf(lines: readonly string[], reuseBuffer: boolean): string {
  const statistics = new Statistics({ by: ['level', 'service', 'template'], percentiles: [] })
  const reader = new RecordReader({
    file: 'app.log',
    reuseBuffer,
    sink: {
      record(record) {
        if (record instanceof SimpleSluiceRecord) simple++
        statistics.record(record)
      },
      text: (bytes, origin) => statistics.text(bytes, origin),
    },
  })
  reader.read({ bytes: Buffer.from(lines.join('')), firstLine: 1, offset: 0, isEnd: true })
  return summaryJson(statistics, ['app.log'], 0)
}

describe('the statistics of simple lines', () => {
  it('are the same as those of records whose attributes are parsed', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), (lines) => {
        expect(summaryOf(lines, true)).toBe(summaryOf(lines, false))
      }),
      { seed, numRuns: 300 * runs },
    )
    expect(simple).toBeGreaterThan(100)
  })
})
