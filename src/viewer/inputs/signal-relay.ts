import type { ChildProcess } from 'node:child_process'

const passedSignals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** A program that has not ended after so many signals is killed. */
const maxSignals = 3
/** Within which time, in ms. A program such as a REPL can handle many signals until it ends. */
const signalMillis = 5_000

/** Passes the signals of the process on to a program. */
export class SignalRelay {
  /** Resolves when a signal arrives after the program has ended. */
  readonly interrupted: Promise<void>
  private readonly child: ChildProcess
  private readonly isInTerminal: boolean
  private readonly now: () => number
  private interrupt: () => void = () => undefined
  /** When the newest signals came. */
  private times: readonly number[] = []
  private isTerminated = false

  /**
   * @param isInTerminal - whether the terminal sends SIGINT to the program too: two of them would end it before it has cleaned up.
   * @param now - returns a time in ms
   */
  constructor(child: ChildProcess, isInTerminal: boolean, now: () => number = () => performance.now()) {
    this.child = child
    this.isInTerminal = isInTerminal
    this.now = now
    this.interrupted = new Promise((resolve) => (this.interrupt = resolve))
    for (const signal of passedSignals) process.on(signal, this.pass)
  }

  /** Whether a signal has ended the program, or can have done so: Ctrl+C shortly before, or another signal at any time. */
  get isEnding(): boolean {
    return this.isTerminated || this.recentTimes().length > 0
  }

  /** Ends passing signals on. */
  close(): void {
    for (const signal of passedSignals) process.off(signal, this.pass)
  }

  private readonly pass = (signal: NodeJS.Signals): void => {
    const { child } = this
    this.times = [...this.recentTimes(), this.now()]
    if (signal !== 'SIGINT') this.isTerminated = true
    if (child.exitCode !== null || child.signalCode !== null) return this.interrupt()
    if (this.times.length >= maxSignals) child.kill('SIGKILL')
    else if (signal !== 'SIGINT' || !this.isInTerminal) child.kill(signal)
  }

  private recentTimes(): readonly number[] {
    const start = this.now() - signalMillis
    return this.times.filter((time) => time > start)
  }
}
