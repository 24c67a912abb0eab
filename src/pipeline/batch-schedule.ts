import type { Exporter } from './exporter.ts'
import type { PipelineHost } from './host.ts'

/** How many turns within one delay export at their end before the process counts as busy. */
const maxQuietTurns = 8
/** The queue size in bytes at which a `whenBusy` delay ends: longer writes hardly reduce the cost per record. */
const worthwhileBytes = 12 * 1024

/**
 * The schedule of a pipeline's exports. One callback serves all queued records; there is never one per record.
 *
 * A delay with `whenBusy` applies once eight turns within its time have exported: a process that logs now and then exports at the
 * end of the turn, and one that logs in many short turns exports once for many of them.
 */
export class BatchSchedule {
  /** Whether a callback is pending. */
  isSet = false
  /** Whether a delay is pending that `hasten` shortens to the end of the turn. */
  canExportEarly = false
  /** The queue size in bytes at which the schedule must be started or hastened. */
  maxBytes = 0
  private readonly when: Exporter['schedule']
  private readonly host: PipelineHost
  private readonly keepsAlive: boolean
  private readonly run: () => void
  private cancelCallback: (() => void) | undefined
  /**
   * When the current count of turns started, in ms of the host's clock, and how many of these turns have exported at their end.
   */
  private countedSince = -Infinity
  private turns = 0

  /** @param keepsAlive - whether the process must stay alive until the callback */
  constructor(when: Exporter['schedule'], host: PipelineHost, keepsAlive: boolean, run: () => void) {
    this.when = when
    this.host = host
    this.keepsAlive = keepsAlive
    this.run = () => {
      this.cancelCallback = undefined
      this.clear()
      run()
    }
  }

  /** Whether records are exported by the log call that adds them. */
  get isSync(): boolean {
    return this.when === 'sync'
  }

  /** Schedules the callback as the exporter requires. With `sync`, it runs at the end of the turn. */
  start(): void {
    if (this.isSet) return
    this.isSet = true
    this.maxBytes = Infinity
    const { when, host } = this
    if (when === 'microtask') {
      host.microtask(this.run)
    } else if (typeof when !== 'object' || (when.whenBusy === true && this.isQuiet(when.delayMillis))) {
      this.cancelCallback = host.endOfTurn(this.run)
    } else {
      this.delay(when.delayMillis)
      if (when.whenBusy !== true) return
      this.canExportEarly = true
      this.maxBytes = worthwhileBytes
    }
  }

  /** Moves the callback from the end of the delay to the end of the turn. */
  hasten(): void {
    if (!this.canExportEarly) return
    this.cancelCallback?.()
    this.canExportEarly = false
    this.maxBytes = Infinity
    this.cancelCallback = this.host.endOfTurn(this.run)
  }

  /** Cancels the callback. A microtask cannot be canceled and runs anyway. */
  cancel(): void {
    this.cancelCallback?.()
    this.cancelCallback = undefined
    this.clear()
  }

  private delay(millis: number): void {
    const timer = this.host.delay(millis, this.run)
    timer.keepAlive(this.keepsAlive)
    this.cancelCallback = () => timer.cancel()
  }

  private isQuiet(delayMillis: number): boolean {
    const now = this.host.monotonic()
    if (now - this.countedSince >= delayMillis) {
      this.countedSince = now
      this.turns = 0
    }
    return ++this.turns <= maxQuietTurns
  }

  private clear(): void {
    this.isSet = false
    this.canExportEarly = false
    this.maxBytes = 0
  }
}
