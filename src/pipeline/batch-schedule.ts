import type { Exporter } from './exporter.ts'
import type { PipelineHost } from './host.ts'

/** When the records that wait are handed over: one callback for all of them, never one for each. */
export class BatchSchedule {
  /** Somebody waits for the callback. */
  isSet = false
  private readonly when: Exporter['schedule']
  private readonly host: PipelineHost
  private readonly keepsAlive: boolean
  private readonly run: () => void
  private callOff: (() => void) | undefined

  /** `keepsAlive`: the process must not end before the callback. */
  constructor(when: Exporter['schedule'], host: PipelineHost, keepsAlive: boolean, run: () => void) {
    this.when = when
    this.host = host
    this.keepsAlive = keepsAlive
    this.run = () => {
      this.isSet = false
      this.callOff = undefined
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
    const { when, host } = this
    if (when === 'microtask') {
      host.microtask(this.run)
    } else if (typeof when === 'object') {
      const timer = host.delay(when.delayMillis, this.run)
      timer.keepAlive(this.keepsAlive)
      this.callOff = () => timer.cancel()
    } else {
      this.callOff = host.endOfTurn(this.run)
    }
  }

  /** Calls the callback off; a microtask comes all the same. */
  cancel(): void {
    this.callOff?.()
    this.callOff = undefined
    this.isSet = false
  }
}
