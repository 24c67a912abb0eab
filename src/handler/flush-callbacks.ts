import { callUserCallback } from '../options/observe-promise.ts'

/** The functions of `HandlerHost.onFlush`: those of inner handlers, which are created first, before those of outer ones. */
export class FlushCallbacks {
  private readonly onFailure: (thrown: unknown) => void
  private readonly callbacks: (() => void)[] = []
  /** Called when the first function is added. */
  private onFirstCallback: (() => void) | undefined
  private isRunning = false

  /** @param onFailure - called with what a function throws, or with which its promise rejects */
  constructor(onFailure: (thrown: unknown) => void) {
    this.onFailure = onFailure
  }

  add(callback: () => void): void {
    this.callbacks.push(callback)
    if (this.callbacks.length === 1) this.onFirstCallback?.()
  }

  /** Calls a function once there is a function to call at a flush: now, or when the first one is added. */
  whenAdded(callback: () => void): void {
    if (this.callbacks.length > 0) callback()
    else this.onFirstCallback = callback
  }

  /** Calls the functions of outer handlers first. Returns whether there are any. Never throws, unless the stack is exhausted. */
  run(): boolean {
    if (this.isRunning) return false
    this.isRunning = true
    try {
      for (const callback of this.callbacks.toReversed()) callUserCallback(callback, [], this.onFailure)
    } finally {
      this.isRunning = false
    }
    return this.callbacks.length > 0
  }
}
