import { runAs } from '../../lifecycle/exit-guard-place.ts'
import { ignoreRejection } from '../../options/observe-promise.ts'
import { Counters, dropReasons } from '../../pipeline/counters.ts'
import type { OpenCall, OpenCalls } from './encoding-exporter-exit.ts'
import { TimeLimit } from './foreign-exporter-time-limit.ts'
import { OwnerRegistry } from './sdk-record-adapter.ts'
import type { OtelExportResult } from '../api/types.ts'

/**
 * One call of `export`. It has its own counters, so that its callback reports only its own records, and adds every change to the
 * total immediately.
 */
export class ExportCall implements OpenCall {
  readonly owners: OwnerRegistry
  private readonly total: Counters
  private readonly own = new Counters()
  /** The counts of this call that the total already includes. */
  private readonly added = new Counters()
  private readonly timeoutMillis: number
  private readonly open: OpenCalls | undefined
  private answer: ((result: OtelExportResult) => void) | undefined
  private limit: TimeLimit | undefined
  private begun = false

  /**
   * Creates a call. `open` is the set of calls that are completed on process exit. Without it, the process stays alive until this
   * call is answered.
   */
  constructor(
    total: Counters,
    timeoutMillis: number,
    open: OpenCalls | undefined,
    answer: (result: OtelExportResult) => void,
  ) {
    this.total = total
    this.timeoutMillis = timeoutMillis
    this.open = open
    this.answer = answer
    this.owners = new OwnerRegistry(this.own, () => this.changed())
  }

  /** Starts to wait for the outcome of the records. Called after all records are queued. */
  begin(): void {
    this.begun = true
    if (this.changed()) return
    this.open?.begin(this)
    this.limit = new TimeLimit(this.timeoutMillis, undefined, this.open === undefined)
    void this.limit.over.then(() => this.end())
  }

  /** Reports that the call was rejected. */
  refuse(why: string): void {
    this.answerWith(new Error(why))
  }

  /** Calls back with the outcome that is known so far. Has no effect after the callback was called. */
  end(): void {
    this.answerWith(errorOf(this.own))
  }

  /** Updates the total. Returns whether the outcome of all records is known. */
  private changed(): boolean {
    addGrowth(this.total, this.own, this.added)
    const isOver = this.begun && this.own.queued === 0
    if (isOver) this.end()
    return isOver
  }

  private answerWith(error: Error | undefined): void {
    const { answer } = this
    if (answer === undefined) return
    this.answer = undefined
    this.limit?.end()
    this.open?.ended(this)
    try {
      // Anything that the callback starts during a natural exit counts as work of the program.
      ignoreRejection(runAs('program', () => answer(error === undefined ? { code: 0 } : { code: 1, error })))
    } catch {
      // ignore an error of the callback: the outcome of the records is already counted
    }
  }
}

const counts = [
  'emitted',
  'filtered',
  'accepted',
  'written',
  'maybeDuplicated',
  'unknown',
  'truncated',
  'queued',
  'droppedTotal',
] as const
const lists = ['droppedByReason', 'droppedByLevel'] as const

/** Adds to `total` the counts of `own` that `added` does not include yet. */
function addGrowth(total: Counters, own: Counters, added: Counters): void {
  for (const count of counts) {
    total[count] += own[count] - added[count]
    added[count] = own[count]
  }
  for (const list of lists) {
    for (const [index, value] of own[list].entries()) {
      total[list][index]! += value - added[list][index]!
      added[list][index] = value
    }
  }
}

/** Returns an error that counts the records that were not delivered; undefined when all were. */
function errorOf(counters: Counters): Error | undefined {
  const { emitted, droppedTotal, droppedByReason, unknown, queued } = counters
  const reasons = dropReasons.flatMap((reason, index) =>
    droppedByReason[index]! > 0 ? [`${droppedByReason[index]} ${reason}`] : [],
  )
  const parts = [
    ...(droppedTotal > 0 ? [`${droppedTotal} were lost (${reasons.join(', ')})`] : []),
    ...(unknown > 0 ? [`${unknown} may have arrived`] : []),
    ...(queued > 0 ? [`${queued} are still queued`] : []),
  ]
  return parts.length === 0 ? undefined : new Error(`of ${emitted} records, ${parts.join(', ')}`)
}
