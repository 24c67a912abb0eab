import { runAs } from '../../lifecycle/exit-guard-place.ts'
import { disownPromise } from '../../options/observe-promise.ts'
import { Counters, dropReasons } from '../../pipeline/counters.ts'
import type { OpenCall, OpenCalls } from './encoding-exporter-exit.ts'
import { TimeLimit } from './foreign-exporter-time-limit.ts'
import { OwnerRegistry } from './sdk-record-adapter.ts'
import type { OtelExportResult } from '../api/types.ts'

/**
 * One call of `export`: it counts its records by itself, so that each call is told of its own, and adds what it counts to the
 * total at once.
 */
export class ExportCall implements OpenCall {
  readonly tally: OwnerRegistry
  private readonly total: Counters
  private readonly own = new Counters()
  /** What the total has. */
  private readonly added = new Counters()
  private readonly timeoutMillis: number
  private readonly open: OpenCalls | undefined
  private answer: ((result: OtelExportResult) => void) | undefined
  private limit: TimeLimit | undefined
  private begun = false

  /** `open`: the calls that an exit of the process takes care of. Without it the process stays alive until this call is answered. */
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
    this.tally = new OwnerRegistry(this.own, () => this.changed())
  }

  /** All records are taken: waits for what becomes of them. */
  begin(): void {
    this.begun = true
    if (this.changed()) return
    this.open?.begin(this)
    this.limit = new TimeLimit(this.timeoutMillis, undefined, this.open === undefined)
    void this.limit.over.then(() => this.end())
  }

  /** Answers without records. */
  refuse(why: string): void {
    this.answerWith(new Error(why))
  }

  /** Answers with what is known of the records by now. Harmless when it is answered. */
  end(): void {
    this.answerWith(errorOf(this.own))
  }

  /** Returns whether it has ended. */
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
      // What it starts during a natural exit is work of the program.
      disownPromise(runAs('program', () => answer(error === undefined ? { code: 0 } : { code: 1, error })))
    } catch {
      // whoever called has no use for it: what became of the records is counted
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

/** Adds to `total` what `own` has and `added` has not. */
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

/** What is to be said of records that did not arrive; undefined when all have. */
function errorOf(counters: Counters): Error | undefined {
  const { emitted, droppedTotal, droppedByReason, unknown, queued } = counters
  const reasons = dropReasons.flatMap((reason, index) =>
    droppedByReason[index]! > 0 ? [`${droppedByReason[index]} ${reason}`] : [],
  )
  const parts = [
    ...(droppedTotal > 0 ? [`${droppedTotal} were lost (${reasons.join(', ')})`] : []),
    ...(unknown > 0 ? [`${unknown} may have arrived`] : []),
    ...(queued > 0 ? [`${queued} still wait`] : []),
  ]
  return parts.length === 0 ? undefined : new Error(`of ${emitted} records ${parts.join(', ')}`)
}
