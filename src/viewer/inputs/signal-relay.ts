import type { ChildProcess } from 'node:child_process'

const passedSignals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** A program that has not ended after so many signals is killed. */
const maxSignals = 3

/** Passes the signals of the process on to a program. */
export class SignalRelay {
  /** Resolves when a signal arrives after the program has ended. */
  readonly interrupted: Promise<void>
  private readonly child: ChildProcess
  private readonly isInTerminal: boolean
  private interrupt: () => void = () => undefined
  private count = 0

  /** @param isInTerminal - whether the terminal sends SIGINT to the program too: two of them would end it before it has cleaned up. */
  constructor(child: ChildProcess, isInTerminal: boolean) {
    this.child = child
    this.isInTerminal = isInTerminal
    this.interrupted = new Promise((resolve) => (this.interrupt = resolve))
    for (const signal of passedSignals) process.on(signal, this.pass)
  }

  /** Ends passing signals on. */
  close(): void {
    for (const signal of passedSignals) process.off(signal, this.pass)
  }

  private readonly pass = (signal: NodeJS.Signals): void => {
    const { child } = this
    if (child.exitCode !== null || child.signalCode !== null) return this.interrupt()
    if (++this.count >= maxSignals) child.kill('SIGKILL')
    else if (signal !== 'SIGINT' || !this.isInTerminal) child.kill(signal)
  }
}
