import { describe, expect, test } from '@jest/globals'
import { createLogger } from '../../src/create/create-logger.ts'
import { loggerDelivery } from '../../src/lifecycle/logger-delivery.ts'
import { profileNames, profiles, type Profile } from '../../src/lifecycle/profiles.ts'
import { otlpExporter } from '../../src/exporters/otlp/otlp-exporter.ts'
import type { Exporter } from '../../src/pipeline/exporter.ts'
import { LimitedExporter, StallingExporter } from '../support/pipeline/exporters.ts'
import { settlePromises } from '../support/pipeline/manual-host.ts'
import { createPipeline, texts } from '../support/pipeline/producers.ts'

const mebibyte = 1024 * 1024

/** The delivery of a logger with one exporter and a manual clock. */
function deliveryTo<E extends Exporter>(exporter: E) {
  const pipeline = createPipeline(exporter)
  const { host, processor, producer } = pipeline
  const output = {
    processor,
    owner: producer.owner,
    encoding: exporter.encoding,
    threshold: 0,
    recordCapture: undefined,
  }
  const attached = { name: exporter.name, producer, target: output }
  return { ...pipeline, delivery: loggerDelivery(host as never, [attached], profiles.service.exitTimeoutMillis) }
}

// Requirements: ERR6
describe('defaults without options', () => {
  test.each<[Profile, number]>([
    ['service', 16 * mebibyte],
    ['lambda', 4 * mebibyte],
    ['cli', mebibyte],
  ])('a queue in the profile %s holds at most %i bytes while the exporter does not answer', async (profile, most) => {
    const log = createLogger({ profile, exporter: new StallingExporter(), handleExit: false, onDiagnostic: () => {} })
    const message = 'x'.repeat(10_000)
    let highest = 0
    for (let bytes = 0; bytes < 1.2 * most; bytes += message.length) {
      log.error(message)
      highest = Math.max(highest, log.stats().queuedBytes)
    }
    expect(highest).toBeLessThanOrEqual(most)
    expect(highest).toBeGreaterThan(most - 100_000)
    const { emitted, queued, dropped } = log.stats()
    expect(dropped.total).toBeGreaterThan(0)
    expect(queued + dropped.total).toBe(emitted)
    await log.shutdown({ timeoutMillis: 0 })
  })

  test('a queue of otlpExporter holds at most 16,384 records, and every profile has a limit in bytes', () => {
    expect(otlpExporter().delivery).toMatchObject({ maxQueueSize: 16_384 })
    expect(profileNames.map((name) => profiles[name].maxQueueBytes)).toEqual([16, 4, 1].map((size) => size * mebibyte))
  })

  test.each(['flush', 'shutdown'] as const)(
    '%s waits at most 5 s for an exporter that does not answer',
    async (name) => {
      const { host, delivery, logAll } = deliveryTo(new StallingExporter())
      logAll(texts(3))
      let result: unknown
      void delivery[name](undefined).then((settled) => (result = settled))
      await settlePromises()
      host.advance(4_999)
      await settlePromises()
      expect(result).toBeUndefined()
      host.advance(1)
      await settlePromises()
      // After its timeout, shutdown waits briefly for the exporter to close.
      if (name === 'shutdown') host.advance(200)
      await settlePromises()
      expect(result).toMatchObject({ ok: false, pending: name === 'flush' ? 3 : 0 })
    },
  )

  test('flushSync waits at most for the default exitTimeoutMillis of 2 s', () => {
    const { host, exporter, delivery, logAll } = deliveryTo(new LimitedExporter())
    const start = host.now
    const deadlines: number[] = []
    exporter.onWait = (deadline) => {
      deadlines.push(deadline - start)
      host.now = deadline
    }
    logAll(texts(3))
    expect(delivery.flushSync(undefined)).toMatchObject({ ok: false, pending: 3 })
    expect(Math.max(...deadlines)).toBe(2_000)
    expect(host.now - start).toBe(2_000)
  })
})
