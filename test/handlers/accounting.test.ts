import { expect, test } from '@jest/globals'
import { array, assert, constantFrom, integer, nat, property, record } from 'fast-check'
import { budget } from '../../src/handlers/budget.ts'
import { compose } from '../../src/handlers/compose.ts'
import { dedupe } from '../../src/handlers/dedupe.ts'
import { limit } from '../../src/handlers/limit.ts'
import { manualClock } from '../../src/testing/manual-clock.ts'
import { createTestLogger } from '../support/files/test-logger.ts'

const levels = ['debug', 'info', 'warn', 'error'] as const
const reasons = ['limit', 'dedupe', 'budget'] as const

const call = record({
  level: constantFrom(...levels),
  message: constantFrom('a', 'b', 'c', 'd', 'e'),
  advance: constantFrom(0, 0, 0, 1, 50, 400, -30, -5_000),
  flushes: constantFrom(false, false, false, false, false, true),
})

const settings = record({
  limit: record({
    first: integer({ min: 1, max: 4 }),
    thereafter: nat(3),
    windowMillis: integer({ min: 1, max: 500 }),
  }),
  maxKeys: integer({ min: 1, max: 6 }),
  dedupeMillis: integer({ min: 1, max: 300 }),
  bytesPerSecond: integer({ min: 1, max: 5_000 }),
  keepLevel: constantFrom('warn', 'silent', 'info'),
  order: constantFrom(0, 1, 2),
})

test('kept and suppressed records are all emitted ones, and each suppressed record is reported once', () => {
  assert(
    property(settings, array(call, { maxLength: 80 }), (chosen, calls) => {
      const { maxKeys, keepLevel } = chosen
      const handlers = [
        limit({ ...chosen.limit, maxKeys, keepLevel }),
        dedupe({ windowMillis: chosen.dedupeMillis, maxKeys }),
        budget({ bytesPerSecond: chosen.bytesPerSecond, keepLevel: 'silent' }),
      ]
      // Summaries of a handler pass through the later ones, which may suppress them. The last one reports all.
      const handler = handlers[chosen.order]!
      const clock = manualClock(1_000_000)
      const { log, exporter } = createTestLogger({ handler: compose(handler), clock })
      for (const { level, message, advance, flushes } of calls) {
        clock.advance(advance)
        log[level](message)
        if (flushes) log.flushSync()
      }
      log.flushSync()
      const lines = exporter.lines().map((line) => JSON.parse(line) as Line)
      const summaries = lines.filter((line) => line['otel.event.name'] !== undefined)
      const reported = lines.reduce((sum, { attributes }) => sum + (attributes?.['sluice.suppressed'] ?? 0), 0)
      const { filteredByReason, exporters } = log.stats()
      const suppressed = filteredByReason[reasons[chosen.order]] ?? 0
      expect(lines.length - summaries.length + suppressed).toBe(calls.length)
      expect(reported).toBe(suppressed)
      const { emitted, accepted, filtered, written } = exporters[0]!
      expect({ emitted, accepted, filtered, written }).toEqual({
        emitted: calls.length + summaries.length,
        accepted: lines.length,
        filtered: suppressed,
        written: lines.length,
      })
    }),
    { numRuns: 1_000 },
  )
})

interface Line {
  readonly 'otel.event.name'?: string
  readonly attributes?: { readonly 'sluice.suppressed'?: number }
}

test('with several handlers, kept and suppressed records and summaries add up', () => {
  assert(
    property(settings, array(call, { maxLength: 80 }), (chosen, calls) => {
      const clock = manualClock(1_000_000)
      const handler = compose(
        limit({ ...chosen.limit, maxKeys: chosen.maxKeys, keepLevel: chosen.keepLevel }),
        dedupe({ windowMillis: chosen.dedupeMillis }),
        budget({ bytesPerSecond: chosen.bytesPerSecond, keepLevel: 'silent' }),
      )
      const { log, exporter } = createTestLogger({ handler, clock })
      for (const { level, message, advance, flushes } of calls) {
        clock.advance(advance)
        log[level](message)
        if (flushes) log.flushSync()
      }
      log.flushSync()
      const { filteredByReason, exporters } = log.stats()
      const { emitted, accepted, filtered } = exporters[0]!
      expect(emitted).toBe(accepted + filtered)
      expect(Object.values(filteredByReason).reduce((sum, count) => sum + count, 0)).toBe(filtered)
      expect(exporter.lines()).toHaveLength(accepted)
      expect(emitted).toBeGreaterThanOrEqual(calls.length)
    }),
  )
})
