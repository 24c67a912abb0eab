import { describe, expect, test } from '@jest/globals'
import { withRetry } from '../../src/exporters/retry/with-retry.ts'
import type { EncodedBatch, Exporter } from '../../src/pipeline/exporter.ts'
import { ScriptedExporter, StallingExporter, AcceptingExporter } from '../support/pipeline/exporters.ts'
import { ManualHost, settlePromises } from '../support/pipeline/manual-host.ts'
import { inconsistentCounts, createPipeline, texts } from '../support/pipeline/producers.ts'

const hostileError = Object.defineProperty(new Error('secret'), 'name', {
  get: () => {
    throw new Error('secret')
  },
})
const secretName = Object.assign(new Error('x'), { name: 'secret: hunter2' })

const key = ['th', 'en'].join('')

function thenable(then: (resolve: (result: unknown) => void) => void): object {
  return { [key]: then }
}

describe('exporters that misbehave', () => {
  // Requirements: EXP1, ERR1
  // Fault rows: 36
  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new TypeError('secret')
      },
    ],
    [
      'throws a string',
      () => {
        throw 'secret'
      },
    ],
    [
      'throws an Error whose name getter throws',
      () => {
        throw hostileError
      },
    ],
    [
      'throws an Error whose name is a secret',
      () => {
        throw secretName
      },
    ],
    ['rejects', () => Promise.reject(new Error('secret'))],
    ['returns undefined', () => undefined],
    ['returns null', () => null],
    ['returns a string', () => 'accepted'],
    ['returns an unknown status', () => ({ status: 'ok' })],
    ['returns an unknown reason', () => ({ status: 'rejected', accepted: 0, reason: 'secret' })],
    [
      'returns an object with a getter that throws',
      () => ({
        get status() {
          throw new Error('secret')
        },
      }),
    ],
    ['resolves to undefined', () => Promise.resolve(undefined)],
    [
      'resolves to an object whose then getter throws',
      () =>
        Object.defineProperty({}, key, {
          get() {
            throw new Error('secret')
          },
        }),
    ],
    [
      'returns a thenable that throws',
      () =>
        thenable(() => {
          throw new Error('secret')
        }),
    ],
  ])(
    'an exporter that %s loses its batch, is reported without secrets and receives the next batch',
    async (_, respond) => {
      const pipeline = createPipeline(new ScriptedExporter())
      const plain = pipeline.exporter.export.bind(pipeline.exporter)
      let bad = true
      pipeline.exporter.export = (batch) => (bad ? respond() : plain(batch))
      pipeline.logAll(texts(3))
      pipeline.host.endTurn()
      await settlePromises()
      expect(pipeline.stats()).toMatchObject({ queued: 0, dropped: { total: 3, byReason: { io_error: 3 } } })
      expect(pipeline.host.codes()).toEqual(['SLUICE_EXPORT_FAILED'])
      expect(JSON.stringify(pipeline.host.diagnostics)).not.toMatch(/secret|hunter2/)
      bad = false
      pipeline.log('next\n')
      pipeline.host.endTurn()
      expect(pipeline.exporter.accepted[0]).toBe('next\n')
      expect(inconsistentCounts(pipeline.counters)).toEqual([])
    },
  )

  test('only the first result of an exporter that resolves twice is used', async () => {
    const pipeline = createPipeline(new ScriptedExporter())
    pipeline.exporter.respond = () =>
      thenable((resolve) => {
        resolve({ status: 'accepted' })
        resolve({ status: 'rejected', accepted: 0, reason: 'io_error' })
      })
    pipeline.logAll(texts(3))
    pipeline.host.endTurn()
    await settlePromises()
    expect(pipeline.stats()).toMatchObject({ written: 3, dropped: { total: 0 } })
  })

  test('a rejection of export after a drain that was called inside it has no effect', async () => {
    const pipeline = createPipeline(new AcceptingExporter())
    const { exporter } = pipeline
    exporter.export = () => {
      pipeline.processor.drain(pipeline.host.now, false)
      return Promise.reject(new Error('late')) as never
    }
    exporter.exportSync = (batch) => (exporter as any).accept(batch)
    pipeline.logAll(texts(2))
    pipeline.host.endTurn()
    await settlePromises()
    expect(exporter.accepted).toEqual(texts(2))
    expect(pipeline.stats()).toMatchObject({ written: 2, queued: 0, dropped: { total: 0 } })
  })

  test('a batch whose exportSync throws while export is pending stays queued until export settles', async () => {
    const pipeline = createPipeline(new StallingExporter())
    Object.assign(pipeline.exporter, {
      exportSync: () => {
        throw new Error('secret')
      },
    })
    pipeline.logAll(texts(2))
    pipeline.host.endTurn()
    pipeline.processor.drain(pipeline.host.now + 10, false)
    expect(pipeline.stats()).toMatchObject({ queued: 2, dropped: { total: 0 } })
    pipeline.exporter.complete()
    await settlePromises()
    expect(pipeline.stats()).toMatchObject({ written: 2, queued: 0 })
    expect(pipeline.exporter.hasOverlapped).toBe(false)
  })

  test('an exporter whose exportSync throws at exit after a partial write receives no other batch', () => {
    const pipeline = createPipeline(new StallingExporter())
    const batches: string[] = []
    Object.assign(pipeline.exporter, {
      exportSync: (batch: EncodedBatch, _: number, final: boolean) => {
        batches.push(batch.text())
        if (final) throw new Error('secret')
        return { status: 'retryable', accepted: 1 }
      },
    })
    pipeline.logAll(texts(2))
    pipeline.host.endTurn()
    pipeline.processor.drain(pipeline.host.now + 10, false)
    pipeline.log('another\n')
    pipeline.processor.drain(pipeline.host.now + 10, true)
    expect(batches).toEqual([texts(2).join(''), texts(2).join('')])
    expect(pipeline.stats()).toMatchObject({ unknown: 2, queued: 0, dropped: { total: 1 } })
  })

  // Requirements: PRO6, D11
  test('an exporter whose batch was abandoned receives no other batch before its export settles', async () => {
    const pipeline = createPipeline(new StallingExporter())
    pipeline.logAll(texts(2))
    pipeline.host.endTurn()
    pipeline.processor.drain(pipeline.host.now, true)
    pipeline.log('after\n')
    pipeline.host.endTurn()
    expect(pipeline.exporter.batches).toEqual([2])
    pipeline.exporter.complete()
    await settlePromises()
    expect(pipeline.exporter.batches).toEqual([2, 1])
    expect(pipeline.exporter.hasOverlapped).toBe(false)
  })
})

/** A pipeline whose exporter has not settled two records for 500 ms, with one more record in the queue. */
function timedOut<E extends Exporter>(exporter: E) {
  const pipeline = createPipeline(exporter)
  pipeline.logAll(texts(2))
  pipeline.host.endTurn()
  pipeline.log('next\n')
  pipeline.host.endTurn()
  pipeline.host.advance(500)
  return pipeline
}
const late = { exportTimeoutMillis: 500 }

describe('export timeouts', () => {
  // Requirements: EXP1, PRO6, D11
  test('an export timeout is reported and aborts the signal, but no batch follows until the export settles', async () => {
    const pipeline = createPipeline(new StallingExporter({ delivery: { exportTimeoutMillis: 500 } }))
    pipeline.logAll(texts(2))
    pipeline.host.endTurn()
    pipeline.log('next\n')
    pipeline.host.endTurn()
    pipeline.host.advance(499)
    expect(pipeline.host.codes()).toEqual([])
    pipeline.host.advance(1)
    expect(pipeline.host.codes()).toEqual(['SLUICE_EXPORT_TIMEOUT'])
    expect(pipeline.exporter.signals[0]!.aborted).toBe(true)
    expect(pipeline.exporter.batches).toEqual([2])
    pipeline.exporter.complete({ status: 'retryable', accepted: 0 })
    await settlePromises()
    expect(pipeline.exporter.batches).toEqual([2, 1])
    expect(pipeline.exporter.signals[1]!.aborted).toBe(false)
    expect(pipeline.stats()).toMatchObject({ queued: 1, dropped: { byReason: { retry_exhausted: 2 } } })
  })

  // Requirements: EXP1
  test('a batch counts as unknown once, 1 s after its signal was aborted, and a later result has no effect', async () => {
    const pipeline = timedOut(new StallingExporter({ delivery: late }))
    pipeline.host.advance(999)
    expect(pipeline.stats()).toMatchObject({ queued: 3, unknown: 0 })
    pipeline.host.advance(1)
    expect(pipeline.stats()).toMatchObject({ queued: 1, unknown: 2 })
    pipeline.exporter.complete()
    await settlePromises()
    pipeline.exporter.complete()
    await settlePromises()
    expect(pipeline.stats()).toMatchObject({ queued: 0, unknown: 2, written: 1, dropped: { total: 0 } })
    expect(pipeline.host.codes()).toEqual(['SLUICE_EXPORT_TIMEOUT'])
    expect(pipeline.host.pendingDelays).toBe(0)
  })

  // Requirements: PRO6
  test('batches behind a timed-out export wait until it settles, so that exports do not overlap', async () => {
    const pipeline = timedOut(new StallingExporter({ delivery: { ...late, maxQueueSize: 4, onFull: 'dropNewest' } }))
    pipeline.host.advance(60_000)
    // The queue limit applies to the records behind the timed-out batch.
    pipeline.logAll(texts(5))
    const flushed = pipeline.processor.flush(1_000)
    pipeline.host.advance(60_000)
    expect(await flushed).toEqual({ ok: false, pending: 4 })
    expect(pipeline.exporter.batches).toEqual([2])
    expect(pipeline.stats()).toMatchObject({ unknown: 2, queued: 4, dropped: { byReason: { queue_full: 2 } } })
    while (pipeline.exporter.pending !== undefined) {
      pipeline.exporter.complete()
      await settlePromises()
      pipeline.host.endTurn()
    }
    expect(pipeline.exporter.hasOverlapped).toBe(false)
    expect(pipeline.stats()).toMatchObject({ unknown: 2, queued: 0, dropped: { total: 2 } })
    expect(inconsistentCounts(pipeline.counters)).toEqual([])
  })

  test.each(['exit', 'shutdown'] as const)(
    'a timed-out batch is not counted again at %s, and the records behind it are dropped',
    async (end) => {
      const pipeline = timedOut(new StallingExporter({ delivery: late }))
      pipeline.host.advance(1_000)
      if (end === 'exit') {
        pipeline.processor.drain(pipeline.host.now, true)
      } else {
        const over = pipeline.processor.shutdown(10)
        pipeline.host.advance(10)
        await over
      }
      expect(pipeline.exporter.batches).toEqual([2])
      expect(pipeline.stats()).toMatchObject({ unknown: 2, queued: 0, dropped: { total: 1 } })
    },
  )

  test('the bytes of a timed-out batch are not released, because the exporter may still read them', async () => {
    const { host, released } = recordingHost()
    const pipeline = createPipeline(new StallingExporter({ delivery: late }), host)
    pipeline.log('a\n')
    host.endTurn()
    const { batch } = pipeline.exporter.pending!
    host.advance(500)
    host.advance(1_000)
    expect(released).toEqual([])
    expect(batch.text()).toBe('a\n')
  })

  test('an export result that arrives within 1 s after the abort is counted', async () => {
    const pipeline = timedOut(new StallingExporter({ delivery: late }))
    pipeline.host.advance(999)
    pipeline.exporter.complete({ status: 'retryable', accepted: 1 })
    await settlePromises()
    expect(pipeline.stats()).toMatchObject({ written: 1, unknown: 0, dropped: { byReason: { retry_exhausted: 1 } } })
    pipeline.exporter.complete()
    await settlePromises()
    expect(pipeline.host.pendingDelays).toBe(0)
  })

  test('a timed-out batch of an exporter with exportSync stays queued and is written at exit', async () => {
    const exporter = Object.assign(new StallingExporter({ delivery: late }), {
      exportSync: () => ({ status: 'accepted' }),
    })
    const pipeline = timedOut(exporter as Exporter & StallingExporter)
    pipeline.host.advance(60_000)
    expect(pipeline.stats()).toMatchObject({ queued: 3, unknown: 0 })
    pipeline.processor.drain(pipeline.host.now, true)
    expect(pipeline.stats()).toMatchObject({ queued: 0, written: 3, unknown: 0 })
  })

  test('retry() neither retries a batch after its signal was aborted nor exports while an attempt is pending', async () => {
    for (const answersAfter of [0, 1_500]) {
      const inner = new StallingExporter({ delivery: { exportTimeoutMillis: 5_000 } })
      const host = new ManualHost()
      const timing = { delay: (millis: number, callback: () => void) => host.delay(millis, callback), random: () => 1 }
      const pipeline = createPipeline(withRetry(inner, {}, timing), host)
      pipeline.logAll(texts(2))
      host.endTurn()
      pipeline.log('next\n')
      host.endTurn()
      host.advance(5_000)
      host.advance(answersAfter)
      inner.complete({ status: 'retryable', accepted: 0 })
      await settlePromises()
      expect(inner.batches).toEqual([2])
      for (let time = 0; time < 20 && inner.batches.length < 2; time++) {
        host.advance(1_000)
        await settlePromises()
      }
      expect(inner.batches).toEqual([2, 1])
      expect(inner.hasOverlapped).toBe(false)
      inner.complete()
      await settlePromises()
      const { written, unknown, dropped } = pipeline.stats()
      expect({ written, lost: unknown + dropped.total }).toEqual({ written: 1, lost: 2 })
      expect(inconsistentCounts(pipeline.counters)).toEqual([])
    }
  })

  // Requirements: D12
  test('an export that settles leaves no timer running', async () => {
    const pipeline = createPipeline(new StallingExporter({ delivery: { exportTimeoutMillis: 500 } }))
    pipeline.log('a\n')
    pipeline.host.endTurn()
    pipeline.exporter.complete()
    await settlePromises()
    expect(pipeline.host.pendingDelays).toBe(0)
  })
})

/** A host that records which bytes are released. */
function recordingHost() {
  const host = new ManualHost()
  const released: Uint8Array[] = []
  const { textBuffers: buffers } = host
  host.textBuffers = {
    ...buffers,
    release: (bytes) => void released.push(bytes),
  }
  return { host, released }
}

describe('release of batch bytes', () => {
  test('the bytes of a batch are released once its export settles', async () => {
    const { host, released } = recordingHost()
    const pipeline = createPipeline(new StallingExporter(), host)
    pipeline.log('a\n')
    host.endTurn()
    expect(released).toEqual([])
    pipeline.exporter.complete()
    await settlePromises()
    expect(released).toHaveLength(1)
  })

  test('the bytes of a batch are not released when its export is still pending after shutdown', async () => {
    const { host, released } = recordingHost()
    const pipeline = createPipeline(new StallingExporter(), host)
    pipeline.log('a\n')
    host.endTurn()
    let batch: EncodedBatch | undefined
    batch = pipeline.exporter.pending!.batch
    const over = pipeline.processor.shutdown(10)
    host.advance(10)
    await over
    expect(released).toEqual([])
    expect(batch.text()).toBe('a\n')
  })

  test('the bytes of a batch are not released when exportSync writes it while export is pending', () => {
    const { host, released } = recordingHost()
    const exporter = new StallingExporter()
    Object.assign(exporter, { exportSync: () => ({ status: 'accepted' }) })
    const pipeline = createPipeline(exporter, host)
    pipeline.log('a\n')
    host.endTurn()
    pipeline.processor.drain(host.now, false)
    expect(pipeline.stats()).toMatchObject({ written: 1 })
    expect(released).toEqual([])
  })
})
