import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { retry } from '../../../src/exporters/retry/retry.ts'
import { withRetry } from '../../../src/exporters/retry/with-retry.ts'
import type { RetryOptions } from '../../../src/exporters/retry/retry-options.ts'
import type { EncodedBatch, Exporter, ExportResult } from '../../../src/pipeline/exporter.ts'
import { ScriptedExporter, StallingExporter, AcceptingExporter } from '../../support/pipeline/exporters.ts'
import { ManualHost, settlePromises } from '../../support/pipeline/manual-host.ts'
import { inconsistentCounts, createPipeline, texts } from '../../support/pipeline/producers.ts'

const options: RetryOptions = { initialDelayMillis: 1_000, maxDelayMillis: 10_000, maxElapsedMillis: 60_000 }
const later = (retryAfterMillis?: number): ExportResult => ({
  status: 'retryable',
  accepted: 0,
  ...(retryAfterMillis === undefined ? {} : { retryAfterMillis }),
})

/** A pipeline with an exporter that is retried, and a manual clock. */
function retried<E extends Exporter>(inner: E, given: RetryOptions = options, random = () => 1) {
  const host = new ManualHost()
  const timing = { delay: (millis: number, callback: () => void) => host.delay(millis, callback), random }
  const pipeline = createPipeline(withRetry(inner, given, timing), host)
  /** Ends a turn and settles promises. */
  async function turn(): Promise<void> {
    host.endTurn()
    await settlePromises()
  }
  /** Advances time until the next attempt. Returns the time that passed, in ms. */
  async function untilNextAttempt(count: () => number): Promise<number> {
    const [before, start] = [count(), host.now]
    while (count() === before && host.now - start < 200_000) {
      host.advance(10)
      await settlePromises()
    }
    return host.now - start
  }
  return { ...pipeline, inner, turn, untilNextAttempt }
}

/** Logs a record and waits until it is settled. Returns the times of its retries, in ms since the first attempt. */
async function retryTimesOf({
  inner,
  log,
  turn,
  untilNextAttempt,
  stats,
  host,
}: ReturnType<typeof retried<ScriptedExporter>>) {
  log('a\n')
  await turn()
  const start = host.now
  const tries: number[] = []
  while (stats().queued > 0) {
    await untilNextAttempt(() => inner.batches.length)
    tries.push(host.now - start)
  }
  return tries
}

function answering(answer: () => ExportResult): ScriptedExporter {
  const exporter = new ScriptedExporter()
  exporter.respond = answer
  return exporter
}

/** Returns the configured result from `export`, and accepts all records in `exportSync` by default. */
class SyncExporter extends ScriptedExporter {
  syncs = 0
  answerSync: (batch: EncodedBatch) => ExportResult = (batch) => this.accept(batch)

  exportSync(batch: EncodedBatch): ExportResult {
    this.syncs++
    return this.answerSync(batch)
  }
}

test('a batch with a synchronous result is not sent again when the pipeline is drained in the same turn', () => {
  const { inner, host, log, processor, counters } = retried(new SyncExporter())
  log('a')
  host.endTurn()
  processor.drain(host.now + 10, false)
  expect([inner.batches, inner.syncs, counters.written]).toEqual([[1], 0, 1])
})

describe('retries of retryable batches', () => {
  // Requirements: OTL9
  test.each([
    ['the maximum', 1, [1_000, 2_000, 4_000, 8_000, 10_000, 10_000]],
    ['the minimum', 0, [500, 1_000, 2_000, 4_000, 5_000, 5_000]],
  ])('retry delays double up to a limit, with %s of the jitter', async (_title, random, waits) => {
    const { inner, log, turn, untilNextAttempt } = retried(answering(later), options, () => random)
    log('a\n')
    await turn()
    const seen: number[] = []
    for (const _ of waits) seen.push(await untilNextAttempt(() => inner.batches.length))
    expect(seen).toEqual(waits)
  })

  // Requirements: OTL10
  test.each([
    ['the maximum', 1, [1_000, 2_000, 4_000, 8_000, 10_000, 10_000]],
    ['the minimum', 0, [500, 1_000, 2_000, 4_000, 5_000, 5_000]],
  ])(
    'a batch with an unknown outcome is retried after the same delays, with %s of the jitter',
    async (_title, random, waits) => {
      const unknown: ExportResult = { status: 'unknown', accepted: 0 }
      const unanswered = retried(
        answering(() => unknown),
        {},
        () => random,
      )
      // An exporter without a connection returns `retryable`: both kinds of failure increase the same delay.
      let tries = 0
      const mixed = retried(
        answering(() => (tries++ % 2 === 0 ? unknown : later())),
        {},
        () => random,
      )
      for (const { inner, log, turn, untilNextAttempt } of [unanswered, mixed]) {
        log('a\n')
        await turn()
        const seen: number[] = []
        for (const _ of waits) seen.push(await untilNextAttempt(() => inner.batches.length))
        expect(seen).toEqual(waits)
      }
    },
  )

  // Requirements: OTL9
  // Fault rows: 38
  test.each([
    [2_000, 2_000],
    [0, 1_000],
    [-5, 500],
    [45_000, 45_000],
    [86_400_000, 60_000],
  ])('a retryAfterMillis of %i is followed by a delay of %i ms, within the limits', async (requested, wait) => {
    const { inner, log, turn, untilNextAttempt } = retried(
      answering(() => later(requested)),
      options,
      () => 0,
    )
    log('a\n')
    await turn()
    expect(await untilNextAttempt(() => inner.batches.length)).toBe(wait)
  })

  test('retry delays start again after a batch is accepted', async () => {
    const answers: ExportResult[] = [later(), later(), { status: 'accepted' }, later(), { status: 'accepted' }]
    const { inner, log, turn, untilNextAttempt, stats } = retried(answering(() => answers.shift()!))
    log('a\n')
    await turn()
    const count = () => inner.batches.length
    expect([await untilNextAttempt(count), await untilNextAttempt(count)]).toEqual([1_000, 2_000])
    expect(stats()).toMatchObject({ written: 1, queued: 0 })
    log('b\n')
    await turn()
    expect(await untilNextAttempt(count)).toBe(1_000)
  })

  test('a retry sends only the records that were not accepted', async () => {
    const answers: ExportResult[] = [{ status: 'retryable', accepted: 2 }, { status: 'accepted' }]
    const { inner, logAll, turn, untilNextAttempt, stats } = retried(answering(() => answers.shift()!))
    logAll(texts(5))
    await turn()
    await untilNextAttempt(() => inner.batches.length)
    expect(inner.batches).toEqual([5, 3])
    expect(inner.accepted).toEqual(texts(5))
    expect(stats()).toMatchObject({ written: 5, queued: 0 })
  })

  test('records that are refused during retries are counted once', async () => {
    const refused = [{ records: 2, reason: 'rejected' }] as const
    const answers: ExportResult[] = [
      { status: 'retryable', accepted: 3, refused },
      { status: 'accepted', refused },
    ]
    const { inner, logAll, turn, untilNextAttempt, stats } = retried(answering(() => answers.shift()!))
    logAll(texts(8))
    await turn()
    await untilNextAttempt(() => inner.batches.length)
    expect(stats()).toMatchObject({ written: 4, dropped: { total: 4, byReason: { rejected: 4 } } })
  })

  // Requirements: PRO6
  test('no other batch is exported during a retry, so that exports never overlap', async () => {
    const inner = new StallingExporter()
    const { log, turn, host } = retried(inner)
    log('a\n')
    await turn()
    log('b\n')
    await turn()
    inner.complete(later())
    await turn()
    host.advance(1_000)
    await turn()
    expect(inner.batches).toEqual([1, 1])
    inner.complete()
    await turn()
    inner.complete()
    await turn()
    expect(inner.accepted).toEqual(['a\n', 'b\n'])
    expect(inner.hasOverlapped).toBe(false)
  })
})

// Requirements: OTL8
test('a rejected batch is not retried', async () => {
  const rejected: ExportResult = { status: 'rejected', accepted: 0, reason: 'rejected' }
  const { inner, log, turn, host, stats } = retried(answering(() => rejected))
  log('a\n')
  await turn()
  host.advance(100_000)
  await turn()
  expect(inner.batches).toEqual([1])
  expect(stats()).toMatchObject({ dropped: { total: 1, byReason: { rejected: 1 } } })
})

describe('the time limit of retries', () => {
  test('a batch is retried at maxElapsedMillis and then dropped with retry_exhausted, which is reported', async () => {
    const pipeline = retried(answering(later))
    const { stats, host } = pipeline
    const tries = await retryTimesOf(pipeline)
    expect(tries).toEqual([1_000, 3_000, 7_000, 15_000, 25_000, 35_000, 45_000, 55_000, 60_000])
    expect(stats()).toMatchObject({ dropped: { total: 1, byReason: { retry_exhausted: 1 } } })
    expect(host.codes()).toEqual(['SLUICE_RETRY_EXHAUSTED'])
    expect(host.pendingDelays).toBe(0)
  })

  // Requirements: OTL13
  test('the retries of a batch end after two minutes by default', async () => {
    const pipeline = retried(answering(later), {})
    const { stats } = pipeline
    const tries = await retryTimesOf(pipeline)
    expect(tries.slice(-2)).toEqual([115_000, 120_000])
    expect(stats()).toMatchObject({ dropped: { total: 1, byReason: { retry_exhausted: 1 } } })
  })

  // Requirements: OTL13
  test('exportTimeoutMillis of 10 s limits all attempts of a batch together', async () => {
    const exporter = new ScriptedExporter({ delivery: { exportTimeoutMillis: 10_000 } })
    exporter.respond = later
    const { inner, log, turn, untilNextAttempt, stats, host } = retried(exporter, {})
    log('a\n')
    await turn()
    const start = host.now
    for (const wait of [1_000, 2_000, 4_000]) expect(await untilNextAttempt(() => inner.batches.length)).toBe(wait)
    host.advance(9_999 - (host.now - start))
    await settlePromises()
    expect(stats().queued).toBe(1)
    host.advance(1)
    await settlePromises()
    expect(stats()).toMatchObject({ queued: 0, dropped: { byReason: { retry_exhausted: 1 } } })
    host.advance(120_000)
    await settlePromises()
    expect([inner.batches.length, host.pendingDelays]).toEqual([4, 0])
  })

  // Requirements: OTL13
  test('exportTimeoutMillis of 10 s aborts an attempt without a response', async () => {
    const stalling = new StallingExporter({ delivery: { exportTimeoutMillis: 10_000 } })
    const { inner, log, turn, stats, host } = retried(stalling, {})
    log('a\n')
    await turn()
    host.advance(6_000)
    inner.complete({ status: 'unknown', accepted: 0 })
    await turn()
    host.advance(1_000)
    await turn()
    expect(inner.batches).toEqual([1, 1])
    host.advance(2_999)
    expect(inner.signals.map((signal) => signal!.aborted)).toEqual([false, false])
    host.advance(1)
    expect(inner.signals.map((signal) => signal!.aborted)).toEqual([true, true])
    inner.complete({ status: 'unknown', accepted: 0 })
    await turn()
    expect(stats()).toMatchObject({ queued: 0, unknown: 1 })
    expect([inner.batches.length, host.pendingDelays]).toEqual([2, 0])
  })

  // Requirements: OTL13
  test('an attempt has no time limit with exportTimeoutMillis: 0', async () => {
    const { inner, log, turn, stats, host } = retried(
      new StallingExporter({ delivery: { exportTimeoutMillis: 0 } }),
      {},
    )
    log('a\n')
    await turn()
    host.advance(86_400_000)
    await turn()
    expect([stats().queued, host.pendingDelays, host.codes()]).toEqual([1, 0, []])
    expect(inner.signals).toEqual([undefined])
    inner.complete()
    await turn()
    expect(stats()).toMatchObject({ written: 1, queued: 0 })
  })

  // Requirements: D16
  test('maxElapsedMillis: 0 allows one attempt for each batch', async () => {
    const { inner, log, turn, stats, host } = retried(answering(later), { maxElapsedMillis: 0 })
    for (const text of ['a\n', 'b\n']) {
      log(text)
      await turn()
    }
    expect(inner.batches).toEqual([1, 1])
    expect(stats()).toMatchObject({ dropped: { byReason: { retry_exhausted: 2 } } })
    expect(host.pendingDelays).toBe(0)
  })

  // Requirements: D16
  test('maxElapsedMillis: Infinity retries without a limit', async () => {
    const { inner, log, turn, host, stats } = retried(answering(later), { maxElapsedMillis: Infinity })
    log('a\n')
    await turn()
    for (let day = 0; day < 5; day++) {
      host.advance(86_400_000)
      await turn()
    }
    expect(inner.batches).toHaveLength(6)
    expect(stats().queued).toBe(1)
  })

  test('the retry delay still applies to the next batch after a batch is exhausted', async () => {
    const short = { initialDelayMillis: 1_000, maxElapsedMillis: 5_000 }
    const { inner, log, turn, untilNextAttempt, stats, host } = retried(answering(later), short)
    log('a\n')
    await turn()
    while (stats().queued > 0) await untilNextAttempt(() => inner.batches.length)
    const tried = inner.batches.length
    log('b\n')
    await turn()
    expect(inner.batches).toHaveLength(tried)
    host.advance(5_000)
    await turn()
    expect(inner.batches).toHaveLength(tried + 1)
  })

  test('exportTimeoutMillis ends the retries of a batch before maxElapsedMillis', async () => {
    const inner = new ScriptedExporter({ delivery: { exportTimeoutMillis: 2_500 } })
    inner.respond = later
    const pipeline = retried(inner)
    pipeline.log('a\n')
    await pipeline.turn()
    pipeline.host.advance(1_000)
    await pipeline.turn()
    expect(pipeline.stats().queued).toBe(1)
    pipeline.host.advance(1_500)
    await pipeline.turn()
    expect(inner.batches).toEqual([1, 1])
    expect(pipeline.stats()).toMatchObject({ queued: 0, dropped: { byReason: { retry_exhausted: 1 } } })
    expect(pipeline.host.pendingDelays).toBe(0)
  })
})

describe('retries of batches with an unknown outcome', () => {
  const unknown: ExportResult = { status: 'unknown', accepted: 0 }

  // Requirements: OTL10
  // Fault rows: 41
  test('a batch with an unknown outcome is retried, and its records count as maybeDuplicated', async () => {
    const answers: ExportResult[] = [unknown, unknown, { status: 'accepted' }]
    const { inner, logAll, turn, untilNextAttempt, stats, counters } = retried(answering(() => answers.shift()!))
    logAll(texts(3))
    await turn()
    expect(counters.maybeDuplicated).toBe(0)
    await untilNextAttempt(() => inner.batches.length)
    await untilNextAttempt(() => inner.batches.length)
    expect(stats()).toMatchObject({ written: 3, queued: 0, unknown: 0 })
    expect(counters.maybeDuplicated).toBe(3)
  })

  test('records do not count as maybeDuplicated when the last attempt is rejected', async () => {
    const answers: ExportResult[] = [unknown, { status: 'rejected', accepted: 0, reason: 'rejected' }]
    const { inner, logAll, turn, untilNextAttempt, stats, counters } = retried(answering(() => answers.shift()!))
    logAll(texts(3))
    await turn()
    await untilNextAttempt(() => inner.batches.length)
    expect(stats()).toMatchObject({ dropped: { byReason: { rejected: 3 } } })
    expect(counters.maybeDuplicated).toBe(0)
  })

  test('records count as unknown when retries are exhausted after an attempt with an unknown outcome', async () => {
    const answers: ExportResult[] = [unknown]
    const { inner, logAll, turn, untilNextAttempt, stats, counters } = retried(
      answering(() => answers.shift() ?? later()),
    )
    logAll(texts(3))
    await turn()
    while (stats().queued > 0) await untilNextAttempt(() => inner.batches.length)
    expect(stats()).toMatchObject({ unknown: 3, dropped: { total: 0 } })
    expect(counters.maybeDuplicated).toBe(0)
  })
})

describe('retries without the event loop', () => {
  test('a batch that is waiting for a retry has one more attempt at process exit', async () => {
    const { inner, logAll, turn, processor, stats, host } = retried(new SyncExporter())
    inner.respond = later
    logAll(texts(3))
    await turn()
    processor.drain(host.now + 2_000, true)
    expect(inner.syncs).toBe(1)
    expect(stats()).toMatchObject({ written: 3, queued: 0 })
    expect(host.pendingDelays).toBe(0)
  })

  test('records that the attempt at process exit does not deliver count as exit_deadline or unknown', async () => {
    for (const [answer, expected] of [
      [later(), { unknown: 0, dropped: { byReason: { exit_deadline: 3 } } }],
      [{ status: 'unknown', accepted: 0 } as const, { unknown: 3, dropped: { total: 0 } }],
    ] as const) {
      const { inner, logAll, turn, processor, stats, host } = retried(new SyncExporter())
      inner.respond = () => answer
      inner.answerSync = () => later()
      logAll(texts(3))
      await turn()
      processor.drain(host.now + 2_000, true)
      expect(stats()).toMatchObject({ queued: 0, ...expected })
    }
  })

  test('a drain makes one attempt at once and the next one only after the retry delay', async () => {
    const { inner, log, processor, host, stats } = retried(new SyncExporter())
    inner.respond = later
    inner.answerSync = () => later()
    log('a\n')
    processor.drain(host.now + 100, false)
    expect(inner.syncs).toBe(1)
    processor.drain(host.now + 100, false)
    expect(inner.syncs).toBe(1)
    host.advance(5_000)
    await settlePromises()
    inner.answerSync = (batch) => ({ status: 'accepted', maybeDuplicated: batch.count })
    host.now += 10_000
    processor.drain(host.now + 100, false)
    expect(inner.syncs).toBe(2)
    expect(stats()).toMatchObject({ written: 1, queued: 0 })
  })

  test('a drain without time makes no attempt', async () => {
    const { inner, log, processor, host, stats } = retried(new SyncExporter())
    inner.respond = later
    log('a\n')
    processor.drain(host.now, false)
    expect(inner.syncs).toBe(0)
    expect(stats().queued).toBe(1)
  })

  test('retry adds no exportSync to an exporter without one', () => {
    expect(retry(new StallingExporter()).exportSync).toBeUndefined()
    expect(retry(new AcceptingExporter()).exportSync).toBeInstanceOf(Function)
  })
})

// Requirements: D16
test('shutdown cancels a retry delay and leaves no timer', async () => {
  const { logAll, turn, processor, stats, host, inner } = retried(answering(later))
  logAll(texts(3))
  await turn()
  const closed = processor.shutdown(50)
  host.advance(50)
  await settlePromises()
  host.advance(100)
  await closed
  expect(stats()).toMatchObject({ queued: 0 })
  expect(inconsistentCounts(processor.producers.values().next().value!.owner.counters)).toEqual([])
  expect(inner.shutdowns).toBe(1)
  expect(host.pendingDelays).toBe(0)
})

// Requirements: D16
test('a retry delay keeps the process alive only while a flush is pending', async () => {
  const { inner, log, turn, processor, host } = retried(new SyncExporter())
  inner.respond = later
  log('a\n')
  await turn()
  expect(host.keptAlive.size).toBe(0)
  const flushed = processor.flush(500)
  // the retry delay and the flush timeout
  expect(host.keptAlive.size).toBe(2)
  host.advance(500)
  await flushed
  expect(host.keptAlive.size).toBe(0)
})

test('a batch whose exporter throws is counted and reported without retries', async () => {
  const { log, turn, stats, host } = retried(
    answering(() => {
      throw new TypeError('secret')
    }),
  )
  log('a\n')
  await turn()
  expect(stats()).toMatchObject({ dropped: { byReason: { io_error: 1 } } })
  expect(host.codes()).toEqual(['SLUICE_EXPORT_FAILED'])
})

test('a batch with an invalid export result is counted and reported without retries', async () => {
  for (const isSync of [false, true]) {
    const { inner, log, turn, stats, host, processor } = retried(new SyncExporter())
    inner.respond = () => undefined
    inner.answerSync = () => undefined as unknown as ExportResult
    log('a\n')
    if (isSync) processor.drain(host.now + 10, true)
    else await turn()
    expect(stats()).toMatchObject({ queued: 0, dropped: { byReason: { io_error: 1 } } })
    expect(host.codes()).toContain('SLUICE_EXPORT_FAILED')
  }
})

test('all invalid retry options are reported at once', () => {
  const wrong = { initialDelayMillis: 0, maxDelayMillis: '1', maxElapsed: 3 } as unknown as RetryOptions
  expect(() => retry(new AcceptingExporter(), wrong)).toThrow(/retry\.initialDelayMillis.*maxDelayMillis.*maxElapsed/)
})

test('every record is counted once for any sequence of export results', async () => {
  const answer = fc.oneof(
    fc.constant<ExportResult>({ status: 'accepted' }),
    fc.nat(6).map((accepted): ExportResult => ({ status: 'retryable', accepted })),
    fc.nat(6).map((accepted): ExportResult => ({ status: 'unknown', accepted })),
    fc.nat(6).map((accepted): ExportResult => ({ status: 'rejected', accepted, reason: 'rejected' })),
    fc.nat(4).map((records): ExportResult => ({ status: 'accepted', refused: [{ records, reason: 'too_large' }] })),
  )
  const action = fc.oneof(
    fc.nat(5).map((records) => ({ does: 'log' as const, records })),
    fc.constantFrom(10, 1_000, 20_000).map((millis) => ({ does: 'wait' as const, millis })),
    fc.boolean().map((final) => ({ does: 'drain' as const, final })),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(answer, { maxLength: 8 }),
      fc.array(action, { maxLength: 12 }),
      async (answers, actions) => {
        const next = (): ExportResult => answers.shift() ?? { status: 'accepted' }
        const { inner, logAll, turn, processor, counters, host, stats } = retried(new SyncExporter())
        inner.respond = next
        inner.answerSync = next
        for (const step of actions) {
          if (step.does === 'log') logAll(texts(step.records))
          else if (step.does === 'wait') host.advance(step.millis)
          else processor.drain(host.now + 10, step.final)
          await turn()
          expect(inconsistentCounts(counters)).toEqual([])
          expect(counters.maybeDuplicated).toBeLessThanOrEqual(counters.written + counters.unknown)
        }
        const closed = processor.shutdown(0)
        for (let step = 0; step < 3; step++) {
          await turn()
          host.advance(200)
        }
        await closed
        expect(inconsistentCounts(counters)).toEqual([])
        expect(stats().queued).toBe(0)
        expect(host.pendingDelays).toBe(0)
      },
    ),
    { numRuns: 300 },
  )
})
