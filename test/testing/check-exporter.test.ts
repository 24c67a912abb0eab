import { describe, expect, test } from '@jest/globals'
import { jsonLines } from '../../src/encode/json/json-lines.ts'
import type { Delivery, EncodedBatch, Exporter, ExportResult } from '../../src/pipeline/exporter.ts'
import { checkExporter, type ExporterSubject } from '../../src/testing/check-exporter.ts'
import type { ContractViolation } from '../../src/testing/contract-violation.ts'

const accepted: ExportResult = { status: 'accepted' }

/** Takes text at once, with and without the event loop. */
class Taking implements Exporter {
  readonly name: string = 'taking'
  readonly encoding: Exporter['encoding'] = jsonLines()
  readonly schedule: Exporter['schedule'] = 'turn'
  readonly delivery: Delivery = {}
  protected stored = ''
  protected broken = false

  /** What the destination has. */
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

/** Takes a batch a turn later, and at once when it is asked without the event loop. */
class Later extends Taking {
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

function subjectOf(exporter: Taking): ExporterSubject {
  return { exporter, received: () => exporter.received, fail: () => exporter.fail() }
}

function check(make: () => Taking): Promise<readonly ContractViolation[]> {
  return checkExporter(() => subjectOf(make()), { timeoutMillis: 100 })
}

test.each([
  ['at once', Taking],
  ['later', Later],
])('an exporter that answers %s and keeps the contract has no problem', async (_, Good) => {
  expect(await check(() => new Good())).toEqual([])
  expect(await checkExporter(() => new Good())).toEqual([])
})

const least = (): Exporter => ({
  name: 'least',
  encoding: jsonLines(),
  schedule: { delayMillis: 5 },
  delivery: { maxExportBatchSize: 2 },
  export: () => accepted,
})

test('an exporter needs no more than it must have', async () => {
  expect(await checkExporter(least)).toEqual([])
})

test('each case has an exporter of its own, which is closed, also when something throws', async () => {
  let made = 0
  let closed = 0
  const make = (): ExporterSubject => {
    made++
    return {
      exporter: new Taking(),
      close: () => void closed++,
      received: () => {
        throw new Error('no')
      },
    }
  }
  await expect(checkExporter(make)).rejects.toThrow('no')
  expect([made, closed]).toEqual([1, 1])
})

test('an exporter that cannot be worked has the problems that createLogger tells, and no others', async () => {
  const shapeless = {
    name: 5,
    encoding: jsonLines(),
    schedule: 'soon',
    delivery: { maxQueueSize: 0 },
    export: () => accepted,
  }
  const told = await checkExporter(() => shapeless as unknown as Exporter)
  expect(told.map(({ message }) => message)).toEqual([
    'exporter.name must be a string',
    expect.stringContaining('exporter.schedule must be one of turn, microtask, sync'),
    expect.stringContaining('exporter.maxQueueSize must be an integer of 1 or more'),
  ])
})

/** What an exporter does otherwise than `Taking`. */
type Members = Partial<Record<keyof Taking | 'store', unknown>>

class Bad extends Taking {
  private count = 0
  private kept: EncodedBatch | undefined

  constructor(what: Members | ((self: Bad) => Members)) {
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

  /** Puts what it was given with the last call, and keeps what it is given with this one. */
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

describe('it is found when an exporter', () => {
  test.each<[string, Members | ((self: Bad) => Members), string | RegExp]>([
    [
      'throws',
      {
        export: () => {
          throw new TypeError('no')
        },
      },
      'export threw TypeError: no',
    ],
    ['rejects', { export: () => Promise.reject(new TypeError('no')) }, 'export rejected with TypeError: no'],
    [
      'throws when it is started',
      {
        start: () => {
          throw new RangeError('no')
        },
      },
      'start threw RangeError: no',
    ],
    ['never answers', { export: never }, 'export gave no answer within 100 ms'],
    ['answers nothing', answers(undefined), 'none is no answer'],
    ['answers with a word that is none', answers({ status: 'ok' }), '{"status":"ok"} is no answer'],
    [
      'accepts more than there is',
      answers({ status: 'retryable', accepted: 99 }),
      /^accepted must be a whole number from 0 to \d+, the/,
    ],
    ['accepts a part of a record', answers({ status: 'unknown', accepted: 0.5 }), /^accepted must be a whole number/],
    ['does not say how many it accepted', answers({ status: 'retryable' }), /^accepted must be a whole number/],
    ['rejects for no reason', answers({ status: 'rejected', accepted: 0 }), /is no answer$/],
    [
      'rejects for a reason that is not its own',
      answers({ status: 'rejected', accepted: 0, reason: 'queue_full' }),
      /^the reason of rejected/,
    ],
    [
      'refuses more than it accepts',
      answers({ status: 'accepted', refused: [{ records: 99, reason: 'rejected' }] }),
      /^refused counts more/,
    ],
    [
      'refuses half a record',
      answers({ status: 'accepted', refused: [{ records: 0.5, reason: 'rejected' }] }),
      /^records of refused/,
    ],
    [
      'refuses for a reason of the queue',
      answers({ status: 'accepted', refused: [{ records: 1, reason: 'shutdown' }] }),
      /^the reason of refused/,
    ],
    [
      'asks to wait for no time',
      answers({ status: 'retryable', accepted: 0, retryAfterMillis: NaN }),
      /^retryAfterMillis must be/,
    ],
    ['counts too many twice', answers({ status: 'accepted', maybeDuplicated: 99 }), /^maybeDuplicated must be/],
    [
      'never takes anything',
      answers({ status: 'retryable', accepted: 0 }),
      /^a destination that works took 0 of 1 records/,
    ],
    [
      'rejects what is right',
      answers({ status: 'rejected', accepted: 0, reason: 'rejected' }),
      /^a destination that works took 0 of 1/,
    ],
    [
      'refuses what is right',
      answers({ status: 'accepted', refused: [{ records: 1, reason: 'rejected' }] }),
      /^a destination that works took 1 of 1/,
    ],
    ['accepts what it does not store', { export: () => accepted }, 'accepted, and not there: 1'],
    [
      'stores what it does not accept',
      (self) => ({
        export: (batch: EncodedBatch) => {
          self.put(batch.text())
          return { status: 'rejected', accepted: 0, reason: 'rejected' }
        },
      }),
      'there, and not accepted: 1',
    ],
    [
      'accepts before it has stored',
      (self) => ({
        export: (batch: EncodedBatch) => {
          const text = batch.text()
          setTimeout(() => self.put(text), 5)
          return accepted
        },
      }),
      'accepted, and not there: 1',
    ],
    [
      'reads a batch later',
      (self) => ({ export: (batch: EncodedBatch) => self.putBefore(batch) }),
      'text() of a batch was called after the answer',
    ],
    [
      'reads a part of a batch later',
      (self) => ({ export: (batch: EncodedBatch) => self.putBefore(batch.slice(0)) }),
      'text() of a batch was called after the answer',
    ],
    [
      'keeps the bytes of a batch',
      (self) => ({
        export: (batch: EncodedBatch) => {
          const bytes = batch.bytes()
          setTimeout(() => self.put(String(bytes)), 1)
          return accepted
        },
      }),
      /^accepted, and not there/,
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
      'there more than once: 1',
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
      /^not in the order .*: 1, 21, 20/,
    ],
    [
      'forgets the last record',
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
      'accepted, and not there: 1',
    ],
    [
      'takes characters for bytes',
      (self) => ({
        export: (batch: EncodedBatch) =>
          self.put(Buffer.from(batch.bytes().subarray(0, batch.text().length)).toString()),
      }),
      /^without its end: 1$/,
    ],
    [
      'throws when it is told to keep alive',
      {
        keepAlive: () => {
          throw new Error('no')
        },
      },
      'keepAlive threw Error: no',
    ],
    ['flushes never', { flush: never }, 'flush gave no answer within 100 ms'],
    ['rejects a flush', { flush: () => Promise.reject(new Error('no')) }, 'flush rejected with Error: no'],
    [
      'throws when it is flushed',
      {
        flush: () => {
          throw new Error('no')
        },
      },
      'flush threw Error: no',
    ],
    ['shuts down never', { shutdown: never }, 'shutdown gave no answer within 100 ms'],
    [
      'shuts down only once',
      (self) => ({
        shutdown: async () => {
          if (!self.first()) throw new Error('again')
        },
      }),
      'shutdown rejected with Error: again',
    ],
    [
      'shuts down only when it was started',
      (self) => ({
        start: () => self.first(),
        shutdown: async () => {
          if (self.first()) throw new Error('no')
        },
      }),
      'shutdown rejected with Error: no',
    ],
    [
      'throws after its shutdown',
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
      'throws when a signal is aborted',
      {
        export: (_: EncodedBatch, signal?: AbortSignal) =>
          new Promise((_resolve, reject) => {
            signal?.addEventListener('abort', () => reject(new Error('aborted')))
          }),
      },
      'export rejected with Error: aborted',
    ],
    [
      'throws without the event loop',
      {
        exportSync: () => {
          throw new Error('no')
        },
      },
      'exportSync threw Error: no',
    ],
    [
      'promises without the event loop',
      { exportSync: async () => accepted },
      'exportSync answered with a promise, for which nobody can wait',
    ],
    [
      'blocks after the deadline',
      (self) => ({
        exportSync: (batch: EncodedBatch, deadline: number) => {
          if (deadline < performance.now()) busy(300)
          return self.put(batch.text())
        },
      }),
      /^exportSync answered \d+ ms after its deadline$/,
    ],
    [
      'takes back what it has accepted',
      (self) => ({ exportSync: () => ({ status: 'retryable', accepted: self.first() ? 1 : 0 }) }),
      'exportSync had accepted 1 records, and then 0',
    ],
    [
      'takes nothing without the event loop',
      { exportSync: () => ({ status: 'retryable', accepted: 0 }) },
      'exportSync took 0 of 1 records of a destination that works',
    ],
    ['says nothing without the event loop', { exportSync: () => {} }, 'none is no answer'],
    [
      'accepts what fails',
      (self) => ({ store: (batch: EncodedBatch) => (self.fails ? accepted : self.put(batch.text())) }),
      /^accepted, and not there: \d+, \d+, \d+, \d+, \d+$/,
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
  ])('%s', async (_, what, message) => {
    const problems = await check(() => new Bad(what))
    const said = problems.filter((problem) =>
      typeof message === 'string' ? problem.message === message : message.test(problem.message),
    )
    expect(said).not.toEqual([])
  })

  test('delivers a batch twice when it is asked for it without the event loop', async () => {
    class Twice extends Later {
      override exportSync(batch: EncodedBatch): ExportResult {
        return this.store(batch)
      }
    }
    const problems = await check(() => new Twice())
    expect(problems).toEqual([
      {
        rule: 'answers without the event loop for a batch whose export is unanswered',
        message: expect.stringMatching(/^there more than once: /),
      },
    ])
  })

  test('loses at its shutdown what it has accepted', async () => {
    class Losing extends Taking {
      override async shutdown(): Promise<void> {
        this.stored = ''
      }
    }
    const problems = await check(() => new Losing())
    expect(problems[0]).toEqual({
      rule: 'has after its shutdown what it took before, and answers what comes later',
      message: expect.stringMatching(/^accepted, and not there: /),
    })
  })
})
