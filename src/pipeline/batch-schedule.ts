import type { Exporter } from './exporter.ts'
import type { PipelineHost } from './host.ts'

/** With `whenBusy`, how many turns within the time of one delay export at their end before the delay applies. */
const maxQuietTurns = 8
/** The queue size in bytes at which a `whenBusy` delay ends early. Longer writes hardly reduce the cost per record. */
const earlyExportBytes = 12 * 1024

/**
 * The schedule of a pipeline's exports. One callback serves all queued records; there is never one per record.
 *
 * A delay with `whenBusy` applies only after eight turns within the time of the delay have exported. So a process that logs now and
 * then exports at the end of each turn, and a process that logs in many short turns exports once for many of them.
 */
export class BatchSchedule {
  /** Whether a callback is pending. */
  isScheduled = false
  /** Whether a `whenBusy` delay is pending, which `moveToEndOfTurn` can shorten. */
  canExportEarly = false
  /** The queue size in bytes at which `start` or `moveToEndOfTurn` must be called; Infinity if neither would have an effect. */
  thresholdBytes = 0
  private readonly exporterSchedule: Exporter['schedule']
  private readonly host: PipelineHost
  private readonly keepsProcessAlive: boolean
  private readonly runCallback: () => void
  private cancelCallback: (() => void) | undefined
  /** When the counting of turns last started from 0, in ms of the host's clock. */
  private countStartedAt = -Infinity
  /** How many turns have been scheduled since then. */
  private turnCount = 0

  /**
   * @param keepsProcessAlive - whether the process must stay alive for a delay
   * @param runCallback - called when the scheduled time has come
   */
  constructor(
    exporterSchedule: Exporter['schedule'],
    host: PipelineHost,
    keepsProcessAlive: boolean,
    runCallback: () => void,
  ) {
    this.exporterSchedule = exporterSchedule
    this.host = host
    this.keepsProcessAlive = keepsProcessAlive
    this.runCallback = () => {
      this.cancelCallback = undefined
      this.clear()
      runCallback()
    }
  }

  /** Whether records are exported by the log call that adds them. */
  get isSync(): boolean {
    return this.exporterSchedule === 'sync'
  }

  /** Schedules the callback as the exporter requires, unless it is scheduled. With `sync`, it runs at the end of the turn. */
  start(): void {
    if (this.isScheduled) return
    this.isScheduled = true
    this.thresholdBytes = Infinity
    const { exporterSchedule, host } = this
    if (exporterSchedule === 'microtask') {
      host.microtask(this.runCallback)
    } else if (
      typeof exporterSchedule !== 'object' ||
      (exporterSchedule.whenBusy === true && this.isQuietTurn(exporterSchedule.delayMillis))
    ) {
      this.cancelCallback = host.endOfTurn(this.runCallback)
    } else {
      this.delay(exporterSchedule.delayMillis)
      if (exporterSchedule.whenBusy !== true) return
      this.canExportEarly = true
      this.thresholdBytes = earlyExportBytes
    }
  }

  /** Moves the callback from the end of a `whenBusy` delay to the end of the turn. */
  moveToEndOfTurn(): void {
    if (!this.canExportEarly) return
    this.cancelCallback?.()
    this.canExportEarly = false
    this.thresholdBytes = Infinity
    this.cancelCallback = this.host.endOfTurn(this.runCallback)
  }

  /** Cancels the callback. A microtask cannot be canceled and runs anyway. */
  cancel(): void {
    this.cancelCallback?.()
    this.cancelCallback = undefined
    this.clear()
  }

  private delay(millis: number): void {
    const timer = this.host.delay(millis, this.runCallback)
    timer.keepAlive(this.keepsProcessAlive)
    this.cancelCallback = () => timer.cancel()
  }

  /** Counts a turn. Returns whether it is one of the first `maxQuietTurns`, so that the process does not count as busy. */
  private isQuietTurn(delayMillis: number): boolean {
    const now = this.host.monotonic()
    if (now - this.countStartedAt >= delayMillis) {
      this.countStartedAt = now
      this.turnCount = 0
    }
    return ++this.turnCount <= maxQuietTurns
  }

  private clear(): void {
    this.isScheduled = false
    this.canExportEarly = false
    this.thresholdBytes = 0
  }
}
