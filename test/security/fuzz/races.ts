import * as fc from 'fast-check'
import { createLogger } from '../../../src/create/create-logger.ts'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import type { RootLogger } from '../../../src/logger/types.ts'
import type { EncodedBatch, Exporter, ExportResult } from '../../../src/pipeline/exporter.ts'
import type { Diagnostic } from '../../../src/options/configuration-error.ts'
import { expectBalanced } from './ledger.ts'
import { target, type Target } from './target.ts'

/** How an exporter answers. */
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
 * Logging, flushing and shutting down in any order, with one exporter that answers in every way and one that works: the
 * ledger's equations hold at each quiet point, the working one has everything that was said before the shutdown, once and in
 * order, and a flush that is well has waited for what was said before it.
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
  let said = 0
  let saidBeforeShutdown: number | undefined
  const open: Promise<unknown>[] = []
  const quiet = (): void => expectBalanced(log.stats())
  async function flush(timeoutMillis: number, before: number): Promise<void> {
    const { ok } = await log.flush({ timeoutMillis })
    const { length } = good.numbers
    if (ok && length < before) throw new Error(`a flush was well with ${length} of ${before} records`)
  }

  for (const step of [...given.steps, { do: 'shutdown', wait: true } as const]) {
    switch (step.do) {
      case 'log':
        for (let count = 0; count < step.records; count++) say(log, said++)
        break
      case 'mood':
        bad.mood = step.mood
        break
      case 'turns':
        for (let turn = 0; turn < step.turns; turn++) await nextTurn()
        break
      case 'flush': {
        const before = saidBeforeShutdown ?? said
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
        saidBeforeShutdown ??= said
        const shut = log.shutdown({ timeoutMillis: 10 })
        open.push(shut)
        if (step.wait) await shut
        break
      }
    }
    quiet()
  }
  await Promise.all(open)
  quiet()
  bad.mood = 'takes'
  bad.wake()
  await nextTurn()
  quiet()

  const stats = log.stats()
  const [a, b] = stats.exporters
  if (stats.queued !== 0) throw new Error(`${stats.queued} records wait after the shutdown`)
  const expected = Array.from({ length: saidBeforeShutdown! }, (_, index) => index)
  if (good.numbers.join() !== expected.join()) throw new Error(`arrived: ${good.numbers.join()} of ${expected.length}`)
  // Notices of losses are records as well.
  const notices = b!.written - expected.length
  if (notices < 0 || notices > good.notices || b!.dropped.total !== said - expected.length)
    throw new Error(`the working exporter: ${b!.written} written, ${b!.dropped.total} dropped of ${said}`)
  if (a!.written > bad.taken) throw new Error(`${a!.written} written of ${bad.taken} that were taken`)
  if (a!.emitted < said) throw new Error(`${a!.emitted} emitted of ${said}`)
  if (a!.emitted > 2 * said) throw new Error(`${a!.emitted - said} drop reports of ${said} records`)
  if (bad.overlaps > 0) throw new Error(`${bad.overlaps} exports overlapped`)
})

/** By the logger, a child, and at levels of all kinds. */
function say(log: RootLogger, number: number): void {
  const level = (['info', 'warn', 'error'] as const)[number % 3]!
  const who = number % 4 === 0 ? log.child({ n: number }) : log
  who[level]('m', { n: number })
}

class WorkingExporter implements Exporter {
  readonly name = 'works'
  readonly encoding = jsonLines()
  readonly schedule: Exporter['schedule']
  readonly delivery = {}
  readonly numbers: number[] = []
  /** How many notices came, each time that they did. */
  notices = 0

  constructor(schedule: Exporter['schedule']) {
    this.schedule = schedule
  }

  export(batch: EncodedBatch): ExportResult | Promise<ExportResult> {
    this.exportSync(batch)
    const isLate = this.numbers.length % 2 === 1
    return isLate ? nextTurn().then(() => ({ status: 'accepted' })) : { status: 'accepted' }
  }

  /** What is with `export` was taken then. */
  exportSync(batch: EncodedBatch): ExportResult {
    for (const { text } of batch.records()) {
      const { n } = (JSON.parse(text) as { attributes: { n?: number } }).attributes
      if (n === undefined) this.notices++
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
  /** How many records it took, whatever it said. */
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
        // Its answer stands for that of the export that hangs.
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

  /** What hangs is taken. */
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
      // As an OTLP exporter whose requests all get 413: drop reports are refused as well.
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
