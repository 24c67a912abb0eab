import type { Exporter } from './exporter.ts'
import type { PipelineHost } from './host.ts'

/** How many turns within one delay export at their end before the others of that delay count as busy. */
const quietTurns = 8
/** How much is queued before a delay that saves writes ends, in bytes: longer writes cost hardly less per record. */
const worthwhileBytes = 12 * 1024

/**
 * When queued records are exported: one callback for all of them, never one for each.
 *
 * A delay with `whenBusy` begins once eight turns within its time have exported: a process that logs now and then exports at the end
 * of the turn, and one that logs in each of many short turns exports once for many of them.
 */
export class BatchSchedule {
  /** A callback is pending. */
  isSet = false
  /** A delay is pending that ends with its turn when `hasten` is called. */
  isHastenable = false
  /** How many bytes the queue may hold before the schedule has to be started or hastened. */
  maxBytes = 0
  private readonly when: Exporter['schedule']
  private readonly host: PipelineHost
  private readonly keepsAlive: boolean
  private readonly run: () => void
  private callOff: (() => void) | undefined
  /** The time since which turns are counted, in ms of the host's clock, and how many have exported at their end. */
  private countedSince = -Infinity
  private turns = 0

  /** `keepsAlive`: the process must not end before the callback. */
  constructor(when: Exporter['schedule'], host: PipelineHost, keepsAlive: boolean, run: () => void) {
    this.when = when
    this.host = host
    this.keepsAlive = keepsAlive
    this.run = () => {
      this.callOff = undefined
      this.clear()
      run()
    }
  }

  /** Whether records are handed over by the call that brings them. */
  get isSync(): boolean {
    return this.when === 'sync'
  }

  /** Calls back when the exporter's schedule says so; what is `sync` comes at the end of the turn. */
  start(): void {
    if (this.isSet) return
    this.isSet = true
    this.maxBytes = Infinity
    const { when, host } = this
    if (when === 'microtask') {
      host.microtask(this.run)
    } else if (typeof when !== 'object' || (when.whenBusy === true && this.isQuiet(when.delayMillis))) {
      this.callOff = host.endOfTurn(this.run)
    } else {
      this.delay(when.delayMillis)
      if (when.whenBusy !== true) return
      this.isHastenable = true
      this.maxBytes = worthwhileBytes
    }
  }

  /** Calls back at the end of the turn instead of after the rest of a delay. */
  hasten(): void {
    if (!this.isHastenable) return
    this.callOff?.()
    this.isHastenable = false
    this.maxBytes = Infinity
    this.callOff = this.host.endOfTurn(this.run)
  }

  /** Calls the callback off; a microtask comes all the same. */
  cancel(): void {
    this.callOff?.()
    this.callOff = undefined
    this.clear()
  }

  private delay(millis: number): void {
    const timer = this.host.delay(millis, this.run)
    timer.keepAlive(this.keepsAlive)
    this.callOff = () => timer.cancel()
  }

  private isQuiet(delayMillis: number): boolean {
    const now = this.host.monotonic()
    if (now - this.countedSince >= delayMillis) {
      this.countedSince = now
      this.turns = 0
    }
    return ++this.turns <= quietTurns
  }

  private clear(): void {
    this.isSet = false
    this.isHastenable = false
    this.maxBytes = 0
  }
}
