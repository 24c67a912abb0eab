import { describe, expect, test } from '@jest/globals'
import type { EncodedBatch } from '../../src/pipeline/exporter.ts'
import { AnsweringExporter, StallingExporter, TakingExporter } from '../support/exporters.ts'
import { ManualHost, promisesSettle } from '../support/host.ts'
import { ledgerFaults, pipeline, texts } from '../support/lanes.ts'

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
