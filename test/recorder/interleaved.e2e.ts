import { expect, test } from '@jest/globals'
import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import * as fc from 'fast-check'
import { runs } from '../support/runs.ts'
import { ManualTime, timedLogger } from '../support/recorder/timed-logger.ts'
import { RecorderModel, type Level } from './recorder-model.ts'

const traceCount = 50
const contexts = Array.from({ length: traceCount }, (_, index) =>
  trace.setSpanContext(ROOT_CONTEXT, {
    traceId: (index + 1).toString(16).padStart(32, '0'),
    spanId: 'b7ad6b7169203331',
    traceFlags: 1,
  }),
)

const event = fc.tuple(
  fc.nat(traceCount - 1),
  fc.oneof(
    { weight: 30, arbitrary: fc.constant<Level>('debug') },
    { weight: 5, arbitrary: fc.constant<Level>('info') },
    { weight: 1, arbitrary: fc.constant<Level>('error') },
  ),
  // The time that passes before the record, in ms.
  fc.oneof(
    { weight: 20, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.nat(30) },
    { weight: 1, arbitrary: fc.nat(400) },
  ),
)

test('records of 50 interleaved traces are released in order, once, with their own trace, and within the limits', () => {
  fc.assert(
    fc.property(
      fc.array(event, { minLength: 100, maxLength: 250 }),
      fc.constantFrom(1, 3, 200),
      fc.constantFrom(undefined, 400, 1_000),
      fc.boolean(),
      (events, maxRecords, maxBytes, runsTimers) => {
        const time = new ManualTime()
        const maxAgeMillis = 300
        const recorder = { maxRecords, maxAgeMillis, ...(maxBytes === undefined ? {} : { maxBytes }) }
        const { log, exporter, counts } = timedLogger({ recorder }, time)
        const loggers = contexts.map((context) => log.child({}, { context }))
        const maxHeld = Math.min(maxRecords, Math.floor((maxBytes ?? Infinity) / lineLength))
        const model = new RecorderModel(maxHeld, maxAgeMillis)
        events.forEach(([index, level, delay], id) => {
          time.advance(delay, runsTimers)
          const message = String(id).padStart(4, '0')
          loggers[index]![level](message)
          model.log(index, level, message, time.now)
          // `counts` checks that the accounting adds up.
          if (id % 50 === 0 && counts().accepted !== model.written.length) throw new Error(`wrong count after ${id}`)
        })
        const written = exporter.records.map((record) => ({
          key: Number.parseInt(record['trace_id'] as string, 16) - 1,
          message: record.message,
          time: Date.parse(record.timestamp),
          isRecorded: record.attributes?.['sluice.recorded'] === true,
        }))
        expect(written).toEqual(model.written)
        expect(counts().released).toBe(model.released)
        time.advance(maxAgeMillis)
        expect(counts()).toMatchObject({ recorded: 0, expired: events.length - model.written.length })
      },
    ),
    { numRuns: Math.ceil(1_000 * runs) },
  )
})

/** The length of each held line, which is the same for all: their messages and times have a fixed length. */
const lineLength = measureLineLength()

function measureLineLength(): number {
  const { log, exporter } = timedLogger({ recorder: {} })
  const child = log.child({}, { context: contexts[0]! })
  child.debug('0000')
  child.error('0001')
  return `${JSON.stringify(exporter.records[0])}\n`.length
}
