import { describe, expect, test } from '@jest/globals'
import { retrying } from '../../src/exporters/retry/retrying.ts'
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

describe('an exporter that', () => {
  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new TypeError('secret')
      },
    ],
    [
      'throws no Error',
      () => {
        throw 'secret'
      },
    ],
    [
      'throws an Error whose name throws',
      () => {
        throw hostileError
      },
    ],
    [
      'throws an Error with a secret for a name',
      () => {
        throw secretName
      },
    ],
    ['rejects', () => Promise.reject(new Error('secret'))],
    ['answers nothing', () => undefined],
    ['answers null', () => null],
    ['answers text', () => 'accepted'],
    ['answers an unknown status', () => ({ status: 'ok' })],
    ['answers an unknown reason', () => ({ status: 'rejected', accepted: 0, reason: 'secret' })],
    [
      'answers an object that throws',
      () => ({
        get status() {
          throw new Error('secret')
        },
      }),
    ],
    ['promises nothing', () => Promise.resolve(undefined)],
    [
      'promises what throws',
      () =>
        Object.defineProperty({}, key, {
          get() {
            throw new Error('secret')
          },
        }),
    ],
    [
      'answers with a thenable that throws',
      () =>
        thenable(() => {
          throw new Error('secret')
        }),
    ],
  ])(
    '%s loses its batch, is told of without a secret, and is given the next one (EXP1, ERR1, row 36)',
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

  test('answers twice is heard once', async () => {
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

  test('is drained from inside export, and rejects afterwards, harms nobody', async () => {
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

  test('throws from exportSync while its export is unanswered keeps its batch until that answers', async () => {
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

  test('throws at the end, after exportSync has taken a part of its batch, is given no other batch', () => {
    const line = pipeline(new StallingExporter())
    const given: string[] = []
    Object.assign(line.exporter, {
      exportSync: (batch: EncodedBatch, _: number, final: boolean) => {
        given.push(batch.text())
        if (final) throw new Error('secret')
        return { status: 'retryable', accepted: 1 }
      },
    })
    line.logAll(texts(2))
    line.host.turn()
    line.processor.drain(line.host.now + 10, false)
    line.log('another\n')
    line.processor.drain(line.host.now + 10, true)
    expect(given).toEqual([texts(2).join(''), texts(2).join('')])
    expect(line.ledger()).toMatchObject({ unknown: 2, queued: 0, dropped: { total: 1 } })
  })

  test('was given up is given nothing more before it has answered (PRO6, D11)', async () => {
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

/** A pipeline whose exporter has two records and does not answer for 500 ms, and one record more. */
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

describe('a batch without an answer in time', () => {
  test('is told of, and its signal says stop, but nothing else is handed over before the answer (EXP1, PRO6, D11)', async () => {
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

  test('counts as unknown 1 s after its signal was aborted, once, whatever the exporter answers later (EXP1)', async () => {
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

  test('is given up, and the next ones wait until the exporter answers, because exports must not overlap (PRO6)', async () => {
    const line = timedOut(new StallingExporter({ delivery: { ...late, maxQueueSize: 4, onFull: 'dropNewest' } }))
    line.host.advance(60_000)
    // The bound of the queue holds for what waits behind it.
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
    'is not counted again at the %s, where the ones behind it are dropped',
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

  test('keeps the bytes that the exporter may still read', async () => {
    const { host, released } = recording()
    const line = pipeline(new StallingExporter({ delivery: late }), host)
    line.log('a\n')
    host.turn()
    const { batch } = line.exporter.pending!
    host.advance(500)
    host.advance(1_000)
    expect(released).toEqual([])
    expect(batch.text()).toBe('a\n')
  })

  test('has the answer that its exporter gives within 1 s after the abort', async () => {
    const line = timedOut(new StallingExporter({ delivery: late }))
    line.host.advance(999)
    line.exporter.answer({ status: 'retryable', accepted: 1 })
    await promisesSettle()
    expect(line.ledger()).toMatchObject({ written: 1, unknown: 0, dropped: { byReason: { retry_exhausted: 1 } } })
    line.exporter.answer()
    await promisesSettle()
    expect(line.host.waiting).toBe(0)
  })

  test('stays with an exporter that has exportSync, which answers for it at the exit', async () => {
    const exporter = Object.assign(new StallingExporter({ delivery: late }), {
      exportSync: () => ({ status: 'accepted' }),
    })
    const line = timedOut(exporter as Exporter & StallingExporter)
    line.host.advance(60_000)
    expect(line.ledger()).toMatchObject({ queued: 3, unknown: 0 })
    line.processor.drain(line.host.now, true)
    expect(line.ledger()).toMatchObject({ queued: 0, written: 3, unknown: 0 })
  })

  test('is not tried again by retry() after the signal was aborted, nor called while it is unanswered', async () => {
    for (const answersAfter of [0, 1_500]) {
      const inner = new StallingExporter({ delivery: { exportTimeoutMillis: 5_000 } })
      const host = new ManualHost()
      const timing = { delay: (millis: number, callback: () => void) => host.delay(millis, callback), random: () => 1 }
      const line = pipeline(retrying(inner, {}, timing), host)
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

  test('leaves no timer behind when the answer comes (D12)', async () => {
    const line = pipeline(new StallingExporter({ delivery: { exportTimeoutMillis: 500 } }))
    line.log('a\n')
    line.host.turn()
    line.exporter.answer()
    await promisesSettle()
    expect(line.host.waiting).toBe(0)
  })
})

/** A host that writes down which bytes are given back. */
function recording() {
  const host = new ManualHost()
  const released: Uint8Array[] = []
  const { buffers } = host
  host.buffers = {
    ...buffers,
    release: (bytes) => void released.push(bytes),
  }
  return { host, released }
}

describe('the bytes of a batch', () => {
  test('are used again once it is answered', async () => {
    const { host, released } = recording()
    const line = pipeline(new StallingExporter(), host)
    line.log('a\n')
    host.turn()
    expect(released).toEqual([])
    line.exporter.answer()
    await promisesSettle()
    expect(released).toHaveLength(1)
  })

  test('stay as they are where the exporter was given up and may still read them', async () => {
    const { host, released } = recording()
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

  test('stay as they are where exportSync answered for an export that is still out', () => {
    const { host, released } = recording()
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
