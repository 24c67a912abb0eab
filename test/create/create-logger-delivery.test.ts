import { describe, expect, test } from '@jest/globals'
import { createLogger } from '../../src/create/create-logger.ts'
import type { RootLogger } from '../../src/logger/types.ts'
import type { Exporter } from '../../src/pipeline/exporter.ts'
import type { Diagnostic } from '../../src/options/configuration-error.ts'
import {
  ScriptedExporter,
  LimitedExporter,
  StallingExporter,
  AcceptingExporter,
} from '../support/pipeline/exporters.ts'
import { settlePromises } from '../support/pipeline/manual-host.ts'
import { thrower } from '../support/values/hostile.ts'

function logger(...exporters: Exporter[]) {
  const diagnostics: Diagnostic[] = []
  const log: RootLogger = createLogger({
    exporter: exporters,
    handleExit: false,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  })
  return { log, problems: diagnostics }
}

describe('flush', () => {
  test('flush returns ok and no pending or dropped records when everything was written', async () => {
    const exporter = new AcceptingExporter()
    const { log } = logger(exporter)
    log.info('a')
    expect(await log.flush()).toEqual({ ok: true, pending: 0, dropped: 0 })
    expect(exporter.lines()).toMatchObject([{ message: 'a' }])
  })

  test('flush returns ok: false when a record was lost or its outcome is unknown', async () => {
    const exporter = new ScriptedExporter()
    const { log } = logger(exporter)
    exporter.respond = () => ({ status: 'rejected', accepted: 1, reason: 'rejected' })
    log.info('a')
    log.info('b')
    expect(await log.flush()).toEqual({ ok: false, pending: 0, dropped: 1 })
    exporter.respond = () => ({ status: 'unknown', accepted: 0 })
    log.info('c')
    expect(await log.flush()).toEqual({ ok: false, pending: 0, dropped: 0 })
  })

  test.each([undefined, NaN, -1, '5', null, Infinity])(
    'flush replaces a timeout of %p by a valid one',
    async (timeoutMillis) => {
      const exporter = new StallingExporter()
      const { log } = logger(exporter)
      log.info('a')
      const flush = log.flush({ timeoutMillis: timeoutMillis as number })
      await new Promise((resolve) => setTimeout(resolve, 5))
      exporter.complete()
      expect(await flush).toMatchObject({ ok: true })
    },
  )
})

describe('flushSync', () => {
  test('flushSync writes queued records before it returns', () => {
    const exporter = new AcceptingExporter()
    const { log } = logger(exporter)
    log.info('a')
    expect(log.flushSync()).toEqual({ ok: true, pending: 0, dropped: 0 })
    expect(exporter.accepted).toHaveLength(1)
  })

  test('flushSync returns the number of pending records when the destination accepts nothing', () => {
    const exporter = new LimitedExporter()
    const { log } = logger(exporter)
    log.info('a')
    expect(log.flushSync(0)).toEqual({ ok: false, pending: 1, dropped: 0 })
  })

  test('flushSync drains pipelines that do not block before it waits for one that does', () => {
    const order: string[] = []
    const dead = new LimitedExporter()
    dead.onWait = (deadline) => {
      if (deadline > performance.now()) order.push('waits for the dead')
    }
    const fine = new AcceptingExporter()
    fine.onExport = () => order.push('writes to the fine')
    const { log } = logger(dead, fine)
    log.info('a')
    log.flushSync(60_000)
    expect(order).toEqual(['writes to the fine', 'waits for the dead'])
  })

  test.each([NaN, -1, '5', null])('flushSync replaces a deadline of %p by a finite one', (deadline) => {
    const exporter = new LimitedExporter()
    const deadlines: number[] = []
    exporter.onWait = (given) => deadlines.push(given)
    const { log } = logger(exporter)
    log.info('a')
    log.flushSync(deadline as number)
    expect(deadlines.every((given) => Number.isFinite(given))).toBe(true)
  })
})

test('fatal flushes synchronously before it returns', () => {
  const exporter = new AcceptingExporter()
  const { log } = logger(exporter)
  log.info('a')
  log.fatal('b')
  expect(exporter.lines().map(({ message }) => message)).toEqual(['a', 'b'])
})

describe('shutdown', () => {
  test('shutdown writes everything, closes every exporter and leaves nothing queued', async () => {
    const exporters = [new AcceptingExporter(), new AcceptingExporter({ schedule: { delayMillis: 60_000 } })]
    const { log } = logger(...exporters)
    for (let seq = 0; seq < 1_000; seq++) log.info(`${seq}`)
    expect(await log.shutdown()).toEqual({ ok: true, pending: 0, dropped: 0 })
    for (const { accepted, shutdowns } of exporters) expect([accepted.length, shutdowns]).toEqual([1_000, 1])
    expect(log.stats()).toMatchObject({ emitted: 1_000, written: 2_000, queued: 0, queuedBytes: 0 })
  })

  test('records that are logged after a shutdown has begun are dropped, also those of children', async () => {
    const exporter = new AcceptingExporter()
    const { log } = logger(exporter)
    const child = log.child({ a: 1 })
    const over = log.shutdown()
    log.info('late')
    child.info('late')
    await over
    log.info('later')
    expect(log.stats().dropped).toMatchObject({ total: 3, byReason: { shutdown: 3 } })
    expect(exporter.lines().map(({ message }) => message)).toEqual(['2 records were dropped'])
  })

  // Requirements: CON1
  // Fault rows: 45
  test('repeated calls of shutdown return the same promise, also inside an export', async () => {
    const exporter = new AcceptingExporter()
    const { log } = logger(exporter)
    log.info('a')
    let inner: unknown
    exporter.onExport = () => (inner = log.shutdown())
    const over = log.shutdown()
    expect(log.shutdown()).toBe(over)
    await over
    expect(inner).toBe(over)
    expect(exporter.shutdowns).toBe(1)
  })

  // Requirements: ERR6, D27
  test('a shutdown that times out on a stalled destination reports its lost records', async () => {
    const exporter = new StallingExporter()
    const { log, problems: diagnostics } = logger(exporter)
    log.info('sent')
    await settlePromises()
    await settlePromises()
    log.info('waiting')
    expect(await log.shutdown({ timeoutMillis: 10 })).toEqual({ ok: false, pending: 0, dropped: 1 })
    expect(log.stats()).toMatchObject({ queued: 0, unknown: 1, dropped: { byReason: { shutdown: 1 } } })
    expect(diagnostics).toEqual([
      {
        code: 'SLUICE_RECORDS_LOST',
        message: '2 records could not be written to double before the logger was shut down',
      },
    ])
  })

  test('await using shuts a logger down at the end of its block', async () => {
    const exporter = new AcceptingExporter()
    {
      await using log = logger(exporter).log
      log.info('a')
    }
    expect([exporter.accepted.length, exporter.shutdowns]).toEqual([1, 1])
  })

  test('flush, flushSync and fatal have no effect after a shutdown', async () => {
    const { log } = logger(new AcceptingExporter())
    await log.shutdown()
    expect(await log.flush()).toEqual({ ok: true, pending: 0, dropped: 0 })
    expect(log.flushSync()).toEqual({ ok: true, pending: 0, dropped: 0 })
    expect(() => log.fatal('late')).not.toThrow()
  })
})

describe('isolation of exporters', () => {
  // Requirements: OTL14
  // Fault rows: 46
  test.each<[string, () => Exporter]>([
    ['that stalls', () => new StallingExporter({ name: 'dead', delivery: { maxQueueSize: 10, onFull: 'dropNewest' } })],
    [
      'that throws',
      () =>
        Object.assign(new ScriptedExporter({ name: 'dead' }), {
          export: () => {
            throw new Error('x')
          },
        }),
    ],
    [
      'that rejects',
      () =>
        Object.assign(new ScriptedExporter({ name: 'dead' }), {
          respond: () => ({ status: 'rejected', accepted: 0, reason: 'io_error' }),
        }),
    ],
  ])('an exporter %s does not affect other exporters', async (_, dead) => {
    const fine = new AcceptingExporter({ name: 'fine' })
    const { log } = logger(dead(), fine)
    for (let seq = 0; seq < 50; seq++) log.info(`${seq}`)
    await new Promise((resolve) => setImmediate(resolve))
    expect(fine.lines().map(({ message }) => message)).toEqual(Array.from({ length: 50 }, (_each, seq) => `${seq}`))
    expect(await log.shutdown({ timeoutMillis: 20 })).toMatchObject({ pending: 0 })
    const [first, second] = log.stats().exporters
    expect(first).toMatchObject({ name: 'dead', emitted: 50, accepted: 50, written: 0, queued: 0 })
    expect(first!.unknown + first!.dropped.total).toBe(50)
    expect(second).toMatchObject({
      name: 'fine',
      emitted: 50,
      accepted: 50,
      written: 50,
      queued: 0,
      dropped: { total: 0 },
    })
    expect(second).not.toHaveProperty('lastProblem')
  })
})

// Requirements: ERR5
test('an onDiagnostic callback may log, flush and shut down', async () => {
  const exporter = new ScriptedExporter()
  exporter.respond = () => ({ status: 'ok' })
  const diagnostics: Diagnostic[] = []
  const log: RootLogger = createLogger({
    exporter,
    handleExit: false,
    onDiagnostic(diagnostic) {
      diagnostics.push(diagnostic)
      log.error('reported', diagnostic)
      log.flushSync()
      void log.flush()
      void log.shutdown({ timeoutMillis: 50 })
      throw new Error('and throws')
    },
  })
  log.info('a')
  await settlePromises()
  await settlePromises()
  expect(await log.shutdown()).toMatchObject({ ok: false, pending: 0 })
  // The callback receives at most the first loss and the final count.
  expect(log.stats()).toMatchObject({ emitted: 3, queued: 0, dropped: { total: 3 } })
  expect(diagnostics.length).toBeLessThanOrEqual(2)
})

// Requirements: ERR5
test.each<[string, () => unknown]>([
  ['throws', thrower],
  ['rejects', () => Promise.reject(new Error('no'))],
  ['returns no valid result', () => ({ status: 'ok' })],
])('an exporter that %s is reported once while each report is logged through it', async (_title, respond) => {
  const exporter = new ScriptedExporter()
  exporter.respond = respond
  const codes: string[] = []
  const log: RootLogger = createLogger({
    exporter,
    handleExit: false,
    onDiagnostic(diagnostic) {
      codes.push(diagnostic.code)
      log.error('reported', diagnostic)
    },
  })
  const batches = 100
  for (let batch = 0; batch < batches; batch++) {
    log.info('a')
    await settlePromises()
    await settlePromises()
  }
  const { emitted, dropped } = log.stats()
  // The report adds one record, whose loss is not reported again.
  expect(codes).toEqual(['SLUICE_EXPORT_FAILED'])
  expect([emitted, dropped.total]).toEqual([batches + 1, batches + 1])
  expect(exporter.batches.length).toBeLessThanOrEqual(batches + 1)
  await log.shutdown()
})

// Requirements: ERR5
test('the record shows where user code threw while it was built, and nothing is reported', async () => {
  const exporter = new AcceptingExporter()
  exporter.keepAlive = thrower
  exporter.shutdown = thrower
  const diagnostics: Diagnostic[] = []
  const log = createLogger({
    exporter,
    handleExit: false,
    clock: thrower,
    enrich: thrower,
    serializers: { user: thrower },
    redact: { paths: ['secret'], censor: thrower },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  })
  const getter = Object.defineProperty({ b: 1 }, 'a', { get: thrower, enumerable: true })
  log.info('m', {
    getter,
    json: { toJSON: thrower },
    proxy: new Proxy({}, { ownKeys: thrower }),
    user: 1,
    secret: 'hunter2',
  })
  log.info(thrower)
  expect(await log.shutdown()).toMatchObject({ ok: true, dropped: 0 })
  const threw = '[Threw: no]'
  expect(exporter.lines()).toMatchObject([
    {
      message: 'm',
      attributes: {
        getter: { b: 1, a: threw },
        json: threw,
        proxy: threw,
        user: threw,
        secret: '[REDACTED]',
        enrich: threw,
      },
    },
    { message: threw },
  ])
  expect(diagnostics).toEqual([])
})

test('statistics of a logger are the sums over its exporters, but each record is emitted once', async () => {
  const { log } = logger(new AcceptingExporter(), new AcceptingExporter({ delivery: { level: 'error' } }))
  log.info('a')
  log.error('b')
  await log.flush()
  const stats = log.stats()
  expect(stats).toMatchObject({ emitted: 2, written: 3, queued: 0, dropped: { total: 0 } })
  expect(stats.exporters.map(({ filtered }) => filtered)).toEqual([0, 1])
})
