import { expect, jest } from '@jest/globals'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import { isDeepStrictEqual } from 'node:util'
import { hasCollector, startCollector } from '../support/otlp/collector.ts'
import { needs } from '../support/needs.ts'
import type { OtlpRecord, OtlpValue } from '../support/otlp/records.ts'
import { temporaryDirectory } from '../support/files/pipes.ts'
import { valueCases } from './values.ts'

/** The outcome of a value: it arrived, its record arrived without or with an empty value, or the whole batch was lost. */
type Outcome = 'arrived' | 'value lost' | 'emptied' | 'batch lost'

const testCollector = needs('the Collector (`npm run real-parts`)', hasCollector)

// Requirements: D2, D3, D8, D24
testCollector('OpenTelemetry’s own pipeline loses attributes of several kinds that sluice delivers', async () => {
  const outcomes = await outcomesOf(attribute)
  expect(titlesWith(outcomes, 'batch lost')).toEqual(['NaN', 'Infinity', '-Infinity', '1e21'])
  expect(titlesWith(outcomes, 'value lost')).toEqual([
    '2^53 + 2 as a BigInt',
    'the least int64',
    'the largest int64',
    'a BigInt beyond int64',
    'a Date',
    'an Error with a cause',
    'a Map',
    'a Set',
    'a cycle',
  ])
  expect(titlesWith(outcomes, 'emptied')).toEqual(['a key __proto__'])
})

// Requirements: D2, D3, D5
testCollector('OpenTelemetry’s own pipeline loses bodies of several kinds that sluice delivers', async () => {
  const outcomes = await outcomesOf(body)
  expect(titlesWith(outcomes, 'batch lost')).toEqual(['NaN', 'Infinity', '-Infinity', '1e21', 'a cycle'])
  expect(titlesWith(outcomes, 'emptied')).toEqual([
    '2^53 + 2 as a BigInt',
    'the least int64',
    'the largest int64',
    'a BigInt beyond int64',
    'a Date',
    'an Error with a cause',
    'a Map',
    'a Set',
  ])
})

/** The position of a value in a record. */
interface Place {
  put(value: unknown): Parameters<ReturnType<LoggerProvider['getLogger']>['emit']>[0]
  find(record: OtlpRecord): OtlpValue | undefined
}

const attribute: Place = {
  put: (value) => ({ attributes: { value: value as string } }),
  find: ({ attributes }) => attributes[0]?.value,
}
const body: Place = { put: (value) => ({ body: value }), find: (record) => record.body }

/** Emits each value in its own batch, together with a valid record. */
async function outcomesOf(place: Place): Promise<Map<string, Outcome>> {
  const directory = temporaryDirectory()
  const collector = await startCollector(directory.path(''))
  const exporter = new OTLPLogExporter({ url: `${collector.httpUrl}/v1/logs` })
  // A batch that throws does not clear its 30 s timer, which keeps the process alive (D12).
  const timers = jest.spyOn(globalThis, 'setTimeout')
  const processor = new BatchLogRecordProcessor({ exporter })
  const provider = new LoggerProvider({ processors: [processor] })
  const logger = provider.getLogger('values')
  for (const { title, value } of valueCases) {
    logger.emit({ eventName: `with ${title}` })
    logger.emit({ ...place.put(value), eventName: title })
    await provider.forceFlush()
  }
  await provider.shutdown()
  for (const { value } of timers.mock.results) clearTimeout(value as NodeJS.Timeout)
  timers.mockRestore()
  await collector.stop()
  const records = new Map(collector.records().map((record) => [record.eventName, record]))
  directory.remove()
  return new Map(valueCases.map(({ title, expected }) => [title, outcomeOf(title, expected, records, place)]))
}

function outcomeOf(
  title: string,
  expected: OtlpValue,
  records: ReadonlyMap<string, OtlpRecord>,
  place: Place,
): Outcome {
  const record = records.get(title)
  // If a record is lost, so is its batch; otherwise only the value is lost.
  expect([title, records.has(`with ${title}`)]).toEqual([title, record !== undefined])
  if (!record) return 'batch lost'
  const value = place.find(record)
  if (isDeepStrictEqual(value, expected)) return 'arrived'
  // The loss is not reported: droppedAttributesCount of the record is 0.
  expect(record.droppedAttributesCount).toBe(0)
  if (value === undefined) return 'value lost'
  expect([{}, { kvlistValue: { values: [] } }]).toContainEqual(value)
  return 'emptied'
}

function titlesWith(outcomes: ReadonlyMap<string, Outcome>, wanted: Outcome): string[] {
  return [...outcomes].filter(([, outcome]) => outcome === wanted).map(([title]) => title)
}
