import { describe, expect, test } from '@jest/globals'
import { withRetry } from '../../src/exporters/retry/retrying.ts'
import type { EncodedBatch, Exporter } from '../../src/pipeline/exporter.ts'
import { AnsweringExporter, StallingExporter, TakingExporter } from '../support/pipeline/exporters.ts'
import { ManualHost, promisesSettle } from '../support/pipeline/host.ts'
import { ledgerFaults, pipeline, texts } from '../support/pipeline/producers.ts'

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
    'an exporter that %s loses its batch, is reported without secrets and receives the next batch (EXP1, ERR1, row 36)',
    async (_, answer) => {
      const line = pipeline(new AnsweringExporter())
      const plain = line.exporter.export.bind(line.exporter)
      let bad = true
      line.exporter.export = (batch) => (bad ? answer() : plain(batch))
      line.logAll(texts(3))
      line.host.turn()
      await promisesSettle()
      expect(line.ledger()).toMatchObject({ queued: 0, dropped: { total: 3, byReason: { io_error: 3 } } })
      expect(line.host.codes()).toEqual(['SLUICE_EXPORT_FAILED'])
      expect(JSON.stringify(line.host.problems)).not.toMatch(/secret|hunter2/)
      bad = false
      line.log('next\n')
      line.host.turn()
      expect(line.exporter.taken[0]).toBe('next\n')
      expect(ledgerFaults(line.account)).toEqual([])
    },
  )

  test('only the first result of an exporter that resolves twice is used', async () => {
    const line = pipeline(new AnsweringExporter())
    line.exporter.answer = () =>
      thenable((resolve) => {
        resolve({ status: 'accepted' })
        resolve({ status: 'rejected', accepted: 0, reason: 'io_error' })
      })
    line.logAll(texts(3))
    line.host.turn()
    await promisesSettle()
    expect(line.ledger()).toMatchObject({ written: 3, dropped: { total: 0 } })
  })

  test('a rejection of export after a drain that was called inside it has no effect', async () => {
    const line = pipeline(new TakingExporter())
    const { exporter } = line
    exporter.export = () => {
      line.processor.drain(line.host.now, false)
      return Promise.reject(new Error('late')) as never
    }
    exporter.exportSync = (batch) => (exporter as any).take(batch)
    line.logAll(texts(2))
    line.host.turn()
    await promisesSettle()
    expect(exporter.taken).toEqual(texts(2))
    expect(line.ledger()).toMatchObject({ written: 2, queued: 0, dropped: { total: 0 } })
  })

  test('a batch whose exportSync throws while export is pending stays queued until export settles', async () => {
    const line = pipeline(new StallingExporter())
    Object.assign(line.exporter, {
      exportSync: () => {
        throw new Error('secret')
      },
    })
    line.logAll(texts(2))
    line.host.turn()
    line.processor.drain(line.host.now + 10, false)
    expect(line.ledger()).toMatchObject({ queued: 2, dropped: { total: 0 } })
    line.exporter.answer()
    await promisesSettle()
    expect(line.ledger()).toMatchObject({ written: 2, queued: 0 })
    expect(line.exporter.overlapped).toBe(false)
  })

  test('an exporter whose exportSync throws at exit after a partial write receives no other batch', () => {
    const line = pipeline(new StallingExporter())
    const batches: string[] = []
    Object.assign(line.exporter, {
      exportSync: (batch: EncodedBatch, _: number, final: boolean) => {
        batches.push(batch.text())
        if (final) throw new Error('secret')
        return { status: 'retryable', accepted: 1 }
      },
    })
    line.logAll(texts(2))
    line.host.turn()
    line.processor.drain(line.host.now + 10, false)
    line.log('another\n')
    line.processor.drain(line.host.now + 10, true)
    expect(batches).toEqual([texts(2).join(''), texts(2).join('')])
    expect(line.ledger()).toMatchObject({ unknown: 2, queued: 0, dropped: { total: 1 } })
  })

  test('an exporter whose batch was abandoned receives no other batch before its export settles (PRO6, D11)', async () => {
    const line = pipeline(new StallingExporter())
    line.logAll(texts(2))
    line.host.turn()
    line.processor.drain(line.host.now, true)
    line.log('after\n')
    line.host.turn()
    expect(line.exporter.batches).toEqual([2])
    line.exporter.answer()
    await promisesSettle()
    expect(line.exporter.batches).toEqual([2, 1])
    expect(line.exporter.overlapped).toBe(false)
  })
})

/** A pipeline whose exporter has not settled two records for 500 ms, with one more record in the queue. */
function timedOut<E extends Exporter>(exporter: E) {
  const line = pipeline(exporter)
  line.logAll(texts(2))
  line.host.turn()
  line.log('next\n')
  line.host.turn()
  line.host.advance(500)
  return line
}
const late = { exportTimeoutMillis: 500 }

describe('export timeouts', () => {
  test('an export timeout is reported and aborts the signal, but no batch follows until the export settles (EXP1, PRO6, D11)', async () => {
    const line = pipeline(new StallingExporter({ delivery: { exportTimeoutMillis: 500 } }))
    line.logAll(texts(2))
    line.host.turn()
    line.log('next\n')
    line.host.turn()
    line.host.advance(499)
    expect(line.host.codes()).toEqual([])
    line.host.advance(1)
    expect(line.host.codes()).toEqual(['SLUICE_EXPORT_TIMEOUT'])
    expect(line.exporter.signals[0]!.aborted).toBe(true)
    expect(line.exporter.batches).toEqual([2])
    line.exporter.answer({ status: 'retryable', accepted: 0 })
    await promisesSettle()
    expect(line.exporter.batches).toEqual([2, 1])
    expect(line.exporter.signals[1]!.aborted).toBe(false)
    expect(line.ledger()).toMatchObject({ queued: 1, dropped: { byReason: { retry_exhausted: 2 } } })
  })

  test('a batch counts as unknown once, 1 s after its signal was aborted, and a later result has no effect (EXP1)', async () => {
    const line = timedOut(new StallingExporter({ delivery: late }))
    line.host.advance(999)
    expect(line.ledger()).toMatchObject({ queued: 3, unknown: 0 })
    line.host.advance(1)
    expect(line.ledger()).toMatchObject({ queued: 1, unknown: 2 })
    line.exporter.answer()
    await promisesSettle()
    line.exporter.answer()
    await promisesSettle()
    expect(line.ledger()).toMatchObject({ queued: 0, unknown: 2, written: 1, dropped: { total: 0 } })
    expect(line.host.codes()).toEqual(['SLUICE_EXPORT_TIMEOUT'])
    expect(line.host.waiting).toBe(0)
  })

  test('batches behind a timed-out export wait until it settles, so that exports do not overlap (PRO6)', async () => {
    const line = timedOut(new StallingExporter({ delivery: { ...late, maxQueueSize: 4, onFull: 'dropNewest' } }))
    line.host.advance(60_000)
    // The queue limit applies to the records behind the timed-out batch.
    line.logAll(texts(5))
    const flushed = line.processor.flush(1_000)
    line.host.advance(60_000)
    expect(await flushed).toEqual({ ok: false, pending: 4 })
    expect(line.exporter.batches).toEqual([2])
    expect(line.ledger()).toMatchObject({ unknown: 2, queued: 4, dropped: { byReason: { queue_full: 2 } } })
    while (line.exporter.pending !== undefined) {
      line.exporter.answer()
      await promisesSettle()
      line.host.turn()
    }
    expect(line.exporter.overlapped).toBe(false)
    expect(line.ledger()).toMatchObject({ unknown: 2, queued: 0, dropped: { total: 2 } })
    expect(ledgerFaults(line.account)).toEqual([])
  })

  test.each(['exit', 'shutdown'] as const)(
    'a timed-out batch is not counted again at %s, and the records behind it are dropped',
    async (end) => {
      const line = timedOut(new StallingExporter({ delivery: late }))
      line.host.advance(1_000)
      if (end === 'exit') {
        line.processor.drain(line.host.now, true)
      } else {
        const over = line.processor.shutdown(10)
        line.host.advance(10)
        await over
      }
      expect(line.exporter.batches).toEqual([2])
      expect(line.ledger()).toMatchObject({ unknown: 2, queued: 0, dropped: { total: 1 } })
    },
  )

  test('the bytes of a timed-out batch are not released, because the exporter may still read them', async () => {
    const { host, released } = recordingHost()
    const line = pipeline(new StallingExporter({ delivery: late }), host)
    line.log('a\n')
    host.turn()
    const { batch } = line.exporter.pending!
    host.advance(500)
    host.advance(1_000)
    expect(released).toEqual([])
    expect(batch.text()).toBe('a\n')
  })

  test('an export result that arrives within 1 s after the abort is counted', async () => {
    const line = timedOut(new StallingExporter({ delivery: late }))
    line.host.advance(999)
    line.exporter.answer({ status: 'retryable', accepted: 1 })
    await promisesSettle()
    expect(line.ledger()).toMatchObject({ written: 1, unknown: 0, dropped: { byReason: { retry_exhausted: 1 } } })
    line.exporter.answer()
    await promisesSettle()
    expect(line.host.waiting).toBe(0)
  })

  test('a timed-out batch of an exporter with exportSync stays queued and is written at exit', async () => {
    const exporter = Object.assign(new StallingExporter({ delivery: late }), {
      exportSync: () => ({ status: 'accepted' }),
    })
    const line = timedOut(exporter as Exporter & StallingExporter)
    line.host.advance(60_000)
    expect(line.ledger()).toMatchObject({ queued: 3, unknown: 0 })
    line.processor.drain(line.host.now, true)
    expect(line.ledger()).toMatchObject({ queued: 0, written: 3, unknown: 0 })
  })

  test('retry() neither retries a batch after its signal was aborted nor exports while an attempt is pending', async () => {
    for (const answersAfter of [0, 1_500]) {
      const inner = new StallingExporter({ delivery: { exportTimeoutMillis: 5_000 } })
      const host = new ManualHost()
      const timing = { delay: (millis: number, callback: () => void) => host.delay(millis, callback), random: () => 1 }
      const line = pipeline(withRetry(inner, {}, timing), host)
      line.logAll(texts(2))
      host.turn()
      line.log('next\n')
      host.turn()
      host.advance(5_000)
      host.advance(answersAfter)
      inner.answer({ status: 'retryable', accepted: 0 })
      await promisesSettle()
      expect(inner.batches).toEqual([2])
      for (let time = 0; time < 20 && inner.batches.length < 2; time++) {
        host.advance(1_000)
        await promisesSettle()
      }
      expect(inner.batches).toEqual([2, 1])
      expect(inner.overlapped).toBe(false)
      inner.answer()
      await promisesSettle()
      const { written, unknown, dropped } = line.ledger()
      expect({ written, lost: unknown + dropped.total }).toEqual({ written: 1, lost: 2 })
      expect(ledgerFaults(line.account)).toEqual([])
    }
  })

  test('an export that settles leaves no timer running (D12)', async () => {
    const line = pipeline(new StallingExporter({ delivery: { exportTimeoutMillis: 500 } }))
    line.log('a\n')
    line.host.turn()
    line.exporter.answer()
    await promisesSettle()
    expect(line.host.waiting).toBe(0)
  })
})

/** A host that records which bytes are released. */
function recordingHost() {
  const host = new ManualHost()
  const released: Uint8Array[] = []
  const { buffers } = host
  host.buffers = {
    ...buffers,
    release: (bytes) => void released.push(bytes),
  }
  return { host, released }
}

describe('release of batch bytes', () => {
  test('the bytes of a batch are released once its export settles', async () => {
    const { host, released } = recordingHost()
    const line = pipeline(new StallingExporter(), host)
    line.log('a\n')
    host.turn()
    expect(released).toEqual([])
    line.exporter.answer()
    await promisesSettle()
    expect(released).toHaveLength(1)
  })

  test('the bytes of a batch are not released when its export is still pending after shutdown', async () => {
    const { host, released } = recordingHost()
    const line = pipeline(new StallingExporter(), host)
    line.log('a\n')
    host.turn()
    let batch: EncodedBatch | undefined
    batch = line.exporter.pending!.batch
    const over = line.processor.shutdown(10)
    host.advance(10)
    await over
    expect(released).toEqual([])
    expect(batch.text()).toBe('a\n')
  })

  test('the bytes of a batch are not released when exportSync writes it while export is pending', () => {
    const { host, released } = recordingHost()
    const exporter = new StallingExporter()
    Object.assign(exporter, { exportSync: () => ({ status: 'accepted' }) })
    const line = pipeline(exporter, host)
    line.log('a\n')
    host.turn()
    line.processor.drain(host.now, false)
    expect(line.ledger()).toMatchObject({ written: 1 })
    expect(released).toEqual([])
  })
})
