import type { PipelineHost } from '../../../src/pipeline/host.ts'
import { byteBuffers } from '../../../src/platform/node/byte-buffers.ts'

interface Wait {
  readonly at: number
  readonly callback: () => void
}

/** A runtime whose time, turns and microtasks are advanced by the test. */
export class ManualHost implements PipelineHost {
  now = 1_000
  exitTimeoutMillis = 2_000
  drainsAtExit = true
  textBuffers = byteBuffers()
  binaryBuffers = byteBuffers('latin1')
  readonly onFlush: undefined
  readonly hasNoExitEvent: boolean = false
  readonly diagnostics: { readonly code: string; readonly message: string }[] = []
  /** The number of scheduled callbacks by kind. */
  readonly requested = { turns: 0, microtasks: 0, delays: 0 }
  /** The delays that keep the process alive. */
  readonly keptAlive = new Set<Wait>()
  /** Is called with each diagnostic, like the callback of a user. */
  onDiagnostic: (code: string) => void = () => {}
  private turns: (() => void)[] = []
  private microtasks: (() => void)[] = []
  private readonly waits = new Set<Wait>()

  reportDiagnostic(code: string, message: string): void {
    this.diagnostics.push({ code, message })
    this.onDiagnostic(code)
  }

  monotonic = (): number => this.now

  attributeWorkTo<T>(_owner: 'exporter', call: () => T): T {
    return call()
  }

  endOfTurn(callback: () => void): () => void {
    this.requested.turns++
    this.turns.push(callback)
    return () => (this.turns = this.turns.filter((other) => other !== callback))
  }

  microtask(callback: () => void): void {
    this.requested.microtasks++
    this.microtasks.push(callback)
  }

  delay(millis: number, callback: () => void): { cancel(): void; keepAlive(alive: boolean): void } {
    this.requested.delays++
    const wait: Wait = { at: this.now + millis, callback }
    this.waits.add(wait)
    const cancel = () => {
      this.waits.delete(wait)
      this.keptAlive.delete(wait)
    }
    return { cancel, keepAlive: (alive) => void (alive ? this.keptAlive.add(wait) : this.keptAlive.delete(wait)) }
  }

  /** The number of pending delays. */
  get pendingDelays(): number {
    return this.waits.size
  }

  /** Ends the turn of the event loop: runs microtasks, then the end-of-turn callbacks. */
  endTurn(): void {
    this.runMicrotasks()
    const { turns } = this
    this.turns = []
    for (const callback of turns) callback()
    this.runMicrotasks()
  }

  runMicrotasks(): void {
    const { microtasks } = this
    this.microtasks = []
    for (const callback of microtasks) callback()
  }

  /** Advances the time. */
  advance(millis: number): void {
    this.now += millis
    for (const wait of [...this.waits].toSorted((a, b) => a.at - b.at)) {
      if (wait.at > this.now || !this.waits.delete(wait)) continue
      this.keptAlive.delete(wait)
      wait.callback()
    }
  }

  codes(): string[] {
    return this.diagnostics.map(({ code }) => code)
  }
}

/** Waits until promises that depend only on each other are settled. */
export function settlePromises(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
