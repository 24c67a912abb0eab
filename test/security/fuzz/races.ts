import * as fc from 'fast-check'
import { createLogger } from '../../../src/create/create-logger.ts'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import type { RootLogger } from '../../../src/logger/types.ts'
import type { EncodedBatch, Exporter, ExportResult } from '../../../src/pipeline/exporter.ts'
import type { Diagnostic } from '../../../src/options/configuration-error.ts'
import { expectBalanced } from './expect-balanced.ts'
import { target, type Target } from './target.ts'

/** The result that the exporter under test returns. The values are stored in the corpus. */
const moods = [
  'takes',
  'takes later',
  'retryable',
  'rejects',
  'unknown',
  'throws',
  'promise rejects',
  'hangs',
  'garbage',
  'all too large',
] as const
type Mood = (typeof moods)[number]

const steps = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('log' as const), records: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('mood' as const), mood: fc.constantFrom(...moods) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('turns' as const), turns: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('flush' as const), wait: fc.boolean(), millis: fc.nat(15) }) },
  fc.record({ do: fc.constant('flushSync' as const), millis: fc.constantFrom(0, 2) }),
  fc.record({ do: fc.constant('shutdown' as const), wait: fc.boolean() }),
  fc.record({ do: fc.constant('wake' as const) }),
)

const input = fc.record({
  steps: fc.array(steps, { minLength: 1, maxLength: 14 }),
  mood: fc.constantFrom(...moods),
  schedule: fc.constantFrom<Exporter['schedule'][]>('turn', 'microtask', 'sync', { delayMillis: 3 }),
  sync: fc.boolean(),
  maxQueueSize: fc.constantFrom(3, 20, 1_000),
  onFull: fc.constantFrom('dropLowest' as const, 'dropNewest' as const, 'dropOldest' as const),
  exportTimeoutMillis: fc.constantFrom(0, 4),
  batch: fc.constantFrom(2, 100),
})
type Input = typeof input extends fc.Arbitrary<infer I> ? I : never

/**
 * Logging, flushing and shutting down in any order, with one exporter that returns every kind of result and one that works: the
 * delivery statistics are consistent after each step, the working exporter receives every record logged before the shutdown, once and
 * in order, and a successful flush has exported all earlier records.
 */
export const races: Target<unknown> = target('races', input, async (given) => {
  const bad = new MoodyExporter(given)
  const good = new WorkingExporter(given.schedule)
  const problems: Diagnostic[] = []
  const log = createLogger({
    exporter: [bad, good],
    handleExit: false,
    onDiagnostic: (problem) => void problems.push(problem),
  })
  let logged = 0
  let loggedBeforeShutdown: number | undefined
  const open: Promise<unknown>[] = []
  const checkStats = (): void => expectBalanced(log.stats())
  async function flush(timeoutMillis: number, before: number): Promise<void> {
    const { ok } = await log.flush({ timeoutMillis })
    const { length } = good.numbers
    if (ok && length < before) throw new Error(`a flush succeeded with ${length} of ${before} records`)
  }

  for (const step of [...given.steps, { do: 'shutdown', wait: true } as const]) {
    switch (step.do) {
      case 'log':
        for (let count = 0; count < step.records; count++) logRecord(log, logged++)
        break
      case 'mood':
        bad.mood = step.mood
        break
      case 'turns':
        for (let turn = 0; turn < step.turns; turn++) await nextTurn()
        break
      case 'flush': {
        const before = loggedBeforeShutdown ?? logged
        const flushed = flush(step.millis, before)
        open.push(flushed)
        if (step.wait) await flushed
        break
      }
      case 'flushSync':
        log.flushSync(step.millis)
        break
      case 'wake':
        bad.wake()
        break
      case 'shutdown': {
        loggedBeforeShutdown ??= logged
        const shut = log.shutdown({ timeoutMillis: 10 })
        open.push(shut)
        if (step.wait) await shut
        break
      }
    }
    checkStats()
  }
  await Promise.all(open)
  checkStats()
  bad.mood = 'takes'
  bad.wake()
  await nextTurn()
  checkStats()

  const stats = log.stats()
  const [a, b] = stats.exporters
  if (stats.queued !== 0) throw new Error(`${stats.queued} records are queued after the shutdown`)
  const expected = Array.from({ length: loggedBeforeShutdown! }, (_, index) => index)
  if (good.numbers.join() !== expected.join()) throw new Error(`arrived: ${good.numbers.join()} of ${expected.length}`)
  // Drop reports are records as well.
  const dropReports = b!.written - expected.length
  if (dropReports < 0 || dropReports > good.dropReports || b!.dropped.total !== logged - expected.length)
    throw new Error(`the working exporter: ${b!.written} written, ${b!.dropped.total} dropped of ${logged}`)
  if (a!.written > bad.taken) throw new Error(`${a!.written} written of ${bad.taken} that were taken`)
  if (a!.emitted < logged) throw new Error(`${a!.emitted} emitted of ${logged}`)
  if (a!.emitted > 2 * logged) throw new Error(`${a!.emitted - logged} drop reports of ${logged} records`)
  if (bad.overlaps > 0) throw new Error(`${bad.overlaps} exports overlapped`)
})

/** Logs a record with the logger or a child, at several levels. */
function logRecord(log: RootLogger, number: number): void {
  const level = (['info', 'warn', 'error'] as const)[number % 3]!
  const logger = number % 4 === 0 ? log.child({ n: number }) : log
  logger[level]('m', { n: number })
}

class WorkingExporter implements Exporter {
  readonly name = 'works'
  readonly encoding = jsonLines()
  readonly schedule: Exporter['schedule']
  readonly delivery = {}
  readonly numbers: number[] = []
  /** The number of received drop reports, including repeated ones. */
  dropReports = 0

  constructor(schedule: Exporter['schedule']) {
    this.schedule = schedule
  }

  export(batch: EncodedBatch): ExportResult | Promise<ExportResult> {
    this.exportSync(batch)
    const isLate = this.numbers.length % 2 === 1
    return isLate ? nextTurn().then(() => ({ status: 'accepted' })) : { status: 'accepted' }
  }

  /** Records of a pending `export` were already stored, so repeated numbers are ignored. */
  exportSync(batch: EncodedBatch): ExportResult {
    for (const { text } of batch.records()) {
      const { n } = (JSON.parse(text) as { attributes: { n?: number } }).attributes
      if (n === undefined) this.dropReports++
      else if (!this.numbers.includes(n)) this.numbers.push(n)
    }
    return { status: 'accepted' }
  }
}

class MoodyExporter implements Exporter {
  readonly name = 'moody'
  readonly encoding = jsonLines()
  readonly schedule: Exporter['schedule']
  readonly delivery: Exporter['delivery']
  exportSync?: Exporter['exportSync']
  mood: Mood
  /** The number of accepted records, independent of the returned result. */
  taken = 0
  overlaps = 0
  private answer: ((result: ExportResult) => void) | undefined
  private pending: EncodedBatch | undefined

  constructor({ schedule, mood, sync, maxQueueSize, onFull, exportTimeoutMillis, batch }: Input) {
    this.schedule = schedule
    this.delivery = { maxQueueSize, onFull, exportTimeoutMillis, maxExportBatchSize: batch }
    this.mood = mood
    if (sync) {
      this.exportSync = (batch) => {
        const result = this.at(batch)
        if (this.mood === 'throws' || this.mood === 'promise rejects') throw new Error('no')
        // The result of exportSync replaces that of the pending export.
        if (result !== undefined && result.status !== 'retryable') this.answer = undefined
        return result ?? { status: 'retryable', accepted: 0 }
      }
    }
  }

  export(batch: EncodedBatch): ExportResult | Promise<ExportResult> {
    if (this.answer !== undefined) this.overlaps++
    switch (this.mood) {
      case 'throws':
        throw new Error('no')
      case 'promise rejects':
        return Promise.reject(new Error('no'))
      case 'takes later':
        return nextTurn().then(() => this.take(batch.count))
      case 'hangs':
        this.pending = batch
        return new Promise((resolve) => (this.answer = resolve))
      default:
        return this.at(batch)!
    }
  }

  /** Accepts the pending batch. */
  wake(): void {
    const { answer, pending } = this
    this.answer = undefined
    this.pending = undefined
    if (answer !== undefined) answer(this.take(pending!.count))
  }

  private at({ count }: EncodedBatch): ExportResult | undefined {
    switch (this.mood) {
      case 'takes':
        return this.take(count)
      case 'retryable':
        this.taken += count >> 1
        return { status: 'retryable', accepted: count >> 1 }
      case 'rejects':
        this.taken += count >> 1
        return { status: 'rejected', accepted: count >> 1, reason: 'rejected' }
      case 'unknown':
        return { status: 'unknown', accepted: 0 }
      // Like an OTLP exporter whose requests all get status 413: drop reports are rejected as well.
      case 'all too large':
        return { status: 'accepted', refused: [{ records: count, reason: 'too_large' }] }
      case 'garbage':
        return { status: 'fine', accepted: -1, refused: 3 } as unknown as ExportResult
      default:
        return undefined
    }
  }

  private take(count: number): ExportResult {
    this.taken += count
    return { status: 'accepted' }
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
