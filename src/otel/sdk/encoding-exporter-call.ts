import { counted, isOrAre, wasOrWere } from '../../options/counted.ts'
import { attributeWorkTo } from '../../lifecycle/shared-exit-guard.ts'
import { ignoreRejection } from '../../options/observe-promise.ts'
import { Counters, dropReasons } from '../../pipeline/counters.ts'
import type { OpenCall, OpenCalls } from './encoding-exporter-exit.ts'
import { TimeLimit } from './foreign-exporter-time-limit.ts'
import { OwnerRegistry } from './sdk-record-adapter.ts'
import type { OtelExportResult } from '../api/types.ts'

/**
 * One call of `export`. It has its own counters, so that its callback reports only its own records. Every change of them is added to
 * the counters of the exporter immediately.
 */
export class ExportCall implements OpenCall {
  /** The owners of the records of this call. */
  readonly owners: OwnerRegistry
  private readonly exporterCounters: Counters
  private readonly callCounters = new Counters()
  /** The counts of this call that `exporterCounters` already includes. */
  private readonly addedCounters = new Counters()
  private readonly timeoutMillis: number
  private readonly openCalls: OpenCalls | undefined
  /** The callback of the caller; undefined once it was called. */
  private resultCallback: ((result: OtelExportResult) => void) | undefined
  private timeLimit: TimeLimit | undefined
  /** Whether all records were queued. */
  private areAllQueued = false

  /**
   * Creates a call.
   *
   * @param timeoutMillis - the maximum time until `resultCallback` is called; 0 means no limit
   * @param openCalls - the calls that are completed when the process exits. Without it, the timer of the timeout keeps the process alive.
   */
  constructor(
    exporterCounters: Counters,
    timeoutMillis: number,
    openCalls: OpenCalls | undefined,
    resultCallback: (result: OtelExportResult) => void,
  ) {
    this.exporterCounters = exporterCounters
    this.timeoutMillis = timeoutMillis
    this.openCalls = openCalls
    this.resultCallback = resultCallback
    this.owners = new OwnerRegistry(this.callCounters, () => this.updateExporterCounters())
  }

  /** Starts to wait for the outcome of the records. Must be called once all records are queued. */
  startWaiting(): void {
    this.areAllQueued = true
    const isOver = this.updateExporterCounters()
    if (isOver) return
    this.openCalls?.add(this)
    this.timeLimit = new TimeLimit(this.timeoutMillis, undefined, this.openCalls === undefined)
    void this.timeLimit.whenOver.then(() => this.complete())
  }

  /** Calls back with a failure, for a call whose records were not queued. */
  fail(why: string): void {
    this.callBack(new Error(why))
  }

  /** Calls back with the outcome that is known so far. Has no effect after the callback was called. */
  complete(): void {
    this.callBack(errorOf(this.callCounters))
  }

  /** Adds changes to the counters of the exporter. Calls back if the outcome of all records is known, and returns whether it is. */
  private updateExporterCounters(): boolean {
    addGrowth(this.exporterCounters, this.callCounters, this.addedCounters)
    const isOver = this.areAllQueued && this.callCounters.queued === 0
    if (isOver) this.complete()
    return isOver
  }

  private callBack(error: Error | undefined): void {
    const { resultCallback } = this
    if (resultCallback === undefined) return
    this.resultCallback = undefined
    this.timeLimit?.end()
    this.openCalls?.remove(this)
    try {
      // Timers and sockets that the callback creates belong to the program: unlike those of exporters, they can delay the exit without
      // a limit.
      ignoreRejection(
        attributeWorkTo('program', () => resultCallback(error === undefined ? { code: 0 } : { code: 1, error })),
      )
    } catch {
      // An error of the callback is ignored: the outcome of the records is already counted.
    }
  }
}

/** The members of `Counters` that a call can change. */
const countNames = [
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
const countListNames = ['droppedByReason', 'droppedByLevel'] as const

/** Adds to `total` the counts of `part` that are not in `added` yet, and adds them to `added`. */
function addGrowth(total: Counters, part: Counters, added: Counters): void {
  for (const count of countNames) {
    total[count] += part[count] - added[count]
    added[count] = part[count]
  }
  for (const list of countListNames) {
    for (const [index, value] of part[list].entries()) {
      total[list][index]! += value - added[list][index]!
      added[list][index] = value
    }
  }
}

/** Returns an error with the numbers of records that were not delivered; undefined if all were. */
function errorOf(counters: Counters): Error | undefined {
  const { emitted, droppedTotal, droppedByReason, unknown, queued } = counters
  const reasons = dropReasons.flatMap((reason, index) =>
    droppedByReason[index]! > 0 ? [`${droppedByReason[index]} ${reason}`] : [],
  )
  const parts = [
    ...(droppedTotal > 0 ? [`${droppedTotal} ${wasOrWere(droppedTotal)} lost (${reasons.join(', ')})`] : []),
    ...(unknown > 0 ? [`${unknown} may have arrived`] : []),
    ...(queued > 0 ? [`${queued} ${isOrAre(queued)} still queued`] : []),
  ]
  return parts.length === 0 ? undefined : new Error(`of ${counted(emitted, 'record')}, ${parts.join(', ')}`)
}
