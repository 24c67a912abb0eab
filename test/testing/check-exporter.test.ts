import { describe, expect, test } from '@jest/globals'
import { jsonLines } from '../../src/encode/json/json-lines.ts'
import type { Delivery, EncodedBatch, Exporter, ExportResult } from '../../src/pipeline/exporter.ts'
import { checkExporter } from '../../src/testing/check-exporter.ts'
import type { ExporterSubject } from '../../src/testing/exporter-harness.ts'
import type { ContractViolation } from '../../src/testing/contract-violation.ts'

const accepted: ExportResult = { status: 'accepted' }

/** An exporter that accepts batches synchronously, both in `export` and in `exportSync`. */
class SynchronousExporter implements Exporter {
  readonly name: string = 'synchronous'
  readonly encoding: Exporter['encoding'] = jsonLines()
  readonly schedule: Exporter['schedule'] = 'turn'
  readonly delivery: Delivery = {}
  protected stored = ''
  protected broken = false

  /** The text that the destination has received. */
  get received(): string {
    return this.stored
  }

  start(): void {}

  export(batch: EncodedBatch, _signal: AbortSignal | undefined): ExportResult | Promise<ExportResult> {
    return this.store(batch)
  }

  exportSync(batch: EncodedBatch, _deadline: number, _final: boolean): ExportResult {
    return this.store(batch)
  }

  keepAlive(_alive: boolean): void {}

  async flush(): Promise<void> {}

  async shutdown(): Promise<void> {}

  fail(): void {
    this.broken = true
  }

  protected store(batch: EncodedBatch): ExportResult {
    if (this.broken) return { status: 'retryable', accepted: 0 }
    this.stored += batch.text()
    return accepted
  }
}

/** An exporter that accepts a batch in the next turn, or synchronously in `exportSync`. */
class DelayedExporter extends SynchronousExporter {
  protected pending: { readonly batch: EncodedBatch; readonly resolve: (result: ExportResult) => void } | undefined

  override export(batch: EncodedBatch, signal: AbortSignal | undefined): ExportResult | Promise<ExportResult> {
    return new Promise((resolve) => {
      this.pending = { batch, resolve }
      signal?.addEventListener('abort', () => this.answer())
      setImmediate(() => this.answer())
    })
  }

  override exportSync(batch: EncodedBatch, _deadline: number, _final: boolean): ExportResult {
    this.pending = undefined
    return this.store(batch)
  }

  private answer(): void {
    const { pending } = this
    this.pending = undefined
    if (pending !== undefined) pending.resolve(this.store(pending.batch))
  }
}

function subjectOf(exporter: SynchronousExporter): ExporterSubject {
  return { exporter, received: () => exporter.received, fail: () => exporter.fail() }
}

function check(make: () => SynchronousExporter): Promise<readonly ContractViolation[]> {
  return checkExporter(() => subjectOf(make()), { timeoutMillis: 100 })
}

test.each([
  ['synchronously', SynchronousExporter],
  ['asynchronously', DelayedExporter],
])('an exporter that returns results %s and fulfills the contract has no violations', async (_, ValidExporter) => {
  expect(await check(() => new ValidExporter())).toEqual([])
  expect(await checkExporter(() => new ValidExporter())).toEqual([])
})

const minimalExporter = (): Exporter => ({
  name: 'minimalExporter',
  encoding: jsonLines(),
  schedule: { delayMillis: 5 },
  delivery: { maxExportBatchSize: 2 },
  export: () => accepted,
})

test('an exporter with only the required members fulfills the contract', async () => {
  expect(await checkExporter(minimalExporter)).toEqual([])
})

test('each exporter created for a check is closed even when the check throws', async () => {
  let made = 0
  let closed = 0
  const make = (): ExporterSubject => {
    made++
    return {
      exporter: new SynchronousExporter(),
      close: () => void closed++,
      received: () => {
        throw new Error('no')
      },
    }
  }
  await expect(checkExporter(make)).rejects.toThrow('no')
  expect([made, closed]).toEqual([1, 1])
})

test('a malformed exporter has the violations that createLogger reports and no others', async () => {
  const shapeless = {
    name: 5,
    encoding: jsonLines(),
    schedule: 'soon',
    delivery: { maxQueueSize: 0 },
    export: () => accepted,
  }
  const violations = await checkExporter(() => shapeless as unknown as Exporter)
  expect(violations.map(({ message }) => message)).toEqual([
    'exporter.name must be a string, not a number',
    expect.stringContaining('exporter.schedule must be one of turn, microtask, sync'),
    expect.stringContaining('exporter.maxQueueSize must be an integer of 1 or more'),
  ])
})

/** The members that differ from those of `SynchronousExporter`. */
type Members = Partial<Record<keyof SynchronousExporter | 'store', unknown>>

class FaultyExporter extends SynchronousExporter {
  private count = 0
  private kept: EncodedBatch | undefined

  constructor(what: Members | ((self: FaultyExporter) => Members)) {
    super()
    Object.assign(this, typeof what === 'function' ? what(this) : what)
  }

  get fails(): boolean {
    return this.broken
  }

  put(text: string): ExportResult {
    this.stored += text
    return accepted
  }

  /** Stores the batch of the previous call, and keeps the batch of this call. */
  putBefore(batch: EncodedBatch): ExportResult {
    const before = this.kept
    this.kept = batch
    return before === undefined ? accepted : this.put(before.text())
  }

  first(): boolean {
    return this.count++ === 0
  }
}

function busy(millis: number): void {
  const end = performance.now() + millis
  while (performance.now() < end);
}

const never = (): Promise<never> => new Promise(() => {})
const answers = (answer: unknown) => ({ export: () => answer })

describe('contract violations', () => {
  test.each<[string, Members | ((self: FaultyExporter) => Members), string | RegExp]>([
    [
      'throws in export',
      {
        export: () => {
          throw new TypeError('no')
        },
      },
      'export threw TypeError: no',
    ],
    ['rejects in export', { export: () => Promise.reject(new TypeError('no')) }, 'export rejected with TypeError: no'],
    [
      'throws in start',
      {
        start: () => {
          throw new RangeError('no')
        },
      },
      'start threw RangeError: no',
    ],
    ['never settles export', { export: never }, 'export did not settle within 100 ms'],
    ['returns undefined from export', answers(undefined), 'none is not an export result'],
    ['returns an unknown status', answers({ status: 'ok' }), '{"status":"ok"} is not an export result'],
    [
      'reports more accepted records than the batch has',
      answers({ status: 'retryable', accepted: 99 }),
      /^accepted must be an integer from 0 to \d+, the/,
    ],
    [
      'reports a fraction of a record as accepted',
      answers({ status: 'unknown', accepted: 0.5 }),
      /^accepted must be an integer/,
    ],
    [
      'does not report the number of accepted records',
      answers({ status: 'retryable' }),
      /^accepted must be an integer/,
    ],
    ['rejects records without a reason', answers({ status: 'rejected', accepted: 0 }), /is not an export result$/],
    [
      'rejects records for a reason reserved for the queue',
      answers({ status: 'rejected', accepted: 0, reason: 'queue_full' }),
      /^the reason of a rejected result/,
    ],
    [
      'refuses more records than the batch has',
      answers({ status: 'accepted', refused: [{ records: 99, reason: 'rejected' }] }),
      /^refused counts more/,
    ],
    [
      'refuses a fraction of a record',
      answers({ status: 'accepted', refused: [{ records: 0.5, reason: 'rejected' }] }),
      /^records in refused/,
    ],
    [
      'refuses records for a reason reserved for the queue',
      answers({ status: 'accepted', refused: [{ records: 1, reason: 'shutdown' }] }),
      /^the reason in refused/,
    ],
    [
      'returns a retryAfterMillis of NaN',
      answers({ status: 'retryable', accepted: 0, retryAfterMillis: NaN }),
      /^retryAfterMillis must be/,
    ],
    [
      'reports more duplicates than the batch has records',
      answers({ status: 'accepted', maybeDuplicated: 99 }),
      /^maybeDuplicated must be/,
    ],
    [
      'accepts no records',
      answers({ status: 'retryable', accepted: 0 }),
      /^0 of 1 records were accepted although the destination works: /,
    ],
    [
      'rejects valid records',
      answers({ status: 'rejected', accepted: 0, reason: 'rejected' }),
      /^0 of 1 records were accepted although the destination works/,
    ],
    [
      'refuses valid records',
      answers({ status: 'accepted', refused: [{ records: 1, reason: 'rejected' }] }),
      /^1 of 1 records were accepted although the destination works/,
    ],
    ['accepts records that it does not store', { export: () => accepted }, 'accepted but not delivered: 1'],
    [
      'stores records that it does not accept',
      (self) => ({
        export: (batch: EncodedBatch) => {
          self.put(batch.text())
          return { status: 'rejected', accepted: 0, reason: 'rejected' }
        },
      }),
      'delivered but not accepted: 1',
    ],
    [
      'accepts records before it stores them',
      (self) => ({
        export: (batch: EncodedBatch) => {
          const text = batch.text()
          setTimeout(() => self.put(text), 5)
          return accepted
        },
      }),
      'accepted but not delivered: 1',
    ],
    [
      'reads a batch after its result',
      (self) => ({ export: (batch: EncodedBatch) => self.putBefore(batch) }),
      'text() of a batch was called after its result was returned',
    ],
    [
      'reads a slice of a batch after its result',
      (self) => ({ export: (batch: EncodedBatch) => self.putBefore(batch.slice(0)) }),
      'text() of a batch was called after its result was returned',
    ],
    [
      'reads the bytes of a batch after its result',
      (self) => ({
        export: (batch: EncodedBatch) => {
          const bytes = batch.bytes()
          setTimeout(() => self.put(String(bytes)), 1)
          return accepted
        },
      }),
      /^accepted but not delivered/,
    ],
    [
      'changes the bytes of a batch',
      (self) => ({
        export: (batch: EncodedBatch) => {
          const result = self.put(batch.text())
          batch.bytes()[0] = 0
          return result
        },
      }),
      'the bytes of a batch were changed',
    ],
    [
      'stores records twice',
      (self) => ({ export: (batch: EncodedBatch) => self.put(batch.text() + batch.text()) }),
      'delivered more than once: 1',
    ],
    [
      'stores records in another order',
      (self) => ({
        export: (batch: EncodedBatch) =>
          self.put(
            batch
              .records()
              .map(({ text }) => text)
              .toReversed()
              .join(''),
          ),
      }),
      /^delivered out of order: 1, 21, 20/,
    ],
    [
      'loses the last record',
      (self) => ({
        export: (batch: EncodedBatch) =>
          self.put(
            batch
              .records()
              .slice(0, -1)
              .map(({ text }) => text)
              .join(''),
          ),
      }),
      'accepted but not delivered: 1',
    ],
    [
      'uses the number of characters as the number of bytes',
      (self) => ({
        export: (batch: EncodedBatch) =>
          self.put(Buffer.from(batch.bytes().subarray(0, batch.text().length)).toString()),
      }),
      /^truncated: 1$/,
    ],
    [
      'throws in keepAlive',
      {
        keepAlive: () => {
          throw new Error('no')
        },
      },
      'keepAlive threw Error: no',
    ],
    ['never settles flush', { flush: never }, 'flush did not settle within 100 ms'],
    ['rejects in flush', { flush: () => Promise.reject(new Error('no')) }, 'flush rejected with Error: no'],
    [
      'throws in flush',
      {
        flush: () => {
          throw new Error('no')
        },
      },
      'flush threw Error: no',
    ],
    ['never settles shutdown', { shutdown: never }, 'shutdown did not settle within 100 ms'],
    [
      'rejects a second shutdown',
      (self) => ({
        shutdown: async () => {
          if (!self.first()) throw new Error('again')
        },
      }),
      'shutdown rejected with Error: again',
    ],
    [
      'rejects shutdown without a start',
      (self) => ({
        start: () => self.first(),
        shutdown: async () => {
          if (self.first()) throw new Error('no')
        },
      }),
      'shutdown rejected with Error: no',
    ],
    [
      'throws in export after shutdown',
      (self) => ({
        shutdown: async () =>
          Object.assign(self, {
            export: () => {
              throw new Error('closed')
            },
          }),
      }),
      'export threw Error: closed',
    ],
    [
      'rejects when the signal is aborted',
      {
        export: (_: EncodedBatch, signal?: AbortSignal) =>
          new Promise((_resolve, reject) => {
            signal?.addEventListener('abort', () => reject(new Error('aborted')))
          }),
      },
      'export rejected with Error: aborted',
    ],
    [
      'throws in exportSync',
      {
        exportSync: () => {
          throw new Error('no')
        },
      },
      'exportSync threw Error: no',
    ],
    [
      'returns a promise from exportSync',
      { exportSync: async () => accepted },
      'exportSync returned a promise, but must be synchronous',
    ],
    [
      'blocks in exportSync after the deadline',
      (self) => ({
        exportSync: (batch: EncodedBatch, deadline: number) => {
          if (deadline < performance.now()) busy(300)
          return self.put(batch.text())
        },
      }),
      /^exportSync returned \d+ ms after its deadline$/,
    ],
    [
      'reports fewer accepted records in a later exportSync',
      (self) => ({ exportSync: () => ({ status: 'retryable', accepted: self.first() ? 1 : 0 }) }),
      'exportSync first accepted 1 records, and then 0',
    ],
    [
      'accepts no records in exportSync',
      { exportSync: () => ({ status: 'retryable', accepted: 0 }) },
      'exportSync accepted 0 of 1 records although the destination works',
    ],
    ['returns undefined from exportSync', { exportSync: () => {} }, 'none is not an export result'],
    [
      'accepts records that it fails to store',
      (self) => ({ store: (batch: EncodedBatch) => (self.fails ? accepted : self.put(batch.text())) }),
      /^accepted but not delivered: \d+, \d+, \d+, \d+, \d+$/,
    ],
    [
      'throws when the destination fails',
      (self) => ({
        store: (batch: EncodedBatch) => {
          if (self.fails) throw new Error('ENOSPC')
          return self.put(batch.text())
        },
      }),
      'export threw Error: ENOSPC',
    ],
  ])('checkExporter reports a violation when an exporter %s', async (_, what, message) => {
    const problems = await check(() => new FaultyExporter(what))
    const matching = problems.filter((problem) =>
      typeof message === 'string' ? problem.message === message : message.test(problem.message),
    )
    expect(matching).not.toEqual([])
  })

  test('checkExporter reports a violation when an exporter delivers a batch in export and again in exportSync', async () => {
    class DuplicatingExporter extends DelayedExporter {
      override exportSync(batch: EncodedBatch): ExportResult {
        return this.store(batch)
      }
    }
    const problems = await check(() => new DuplicatingExporter())
    expect(problems).toEqual([
      {
        rule: 'returns a synchronous result for a batch whose export is pending',
        message: expect.stringMatching(/^delivered more than once: /),
      },
    ])
  })

  test('checkExporter reports a violation when an exporter loses accepted records in shutdown', async () => {
    class LosingExporter extends SynchronousExporter {
      override async shutdown(): Promise<void> {
        this.stored = ''
      }
    }
    const problems = await check(() => new LosingExporter())
    expect(problems[0]).toEqual({
      rule: 'has delivered what it accepted before its shutdown, and returns results for later batches',
      message: expect.stringMatching(/^accepted but not delivered: /),
    })
  })
})
