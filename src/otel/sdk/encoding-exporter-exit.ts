import { delay, monotonic } from '../../platform/node/end-of-turn.ts'
import { guardExit } from '../../platform/node/exit-guard.ts'
import type { GuardedPipeline } from '../../lifecycle/platform.ts'

/** A call of `export` whose callback was not called yet. */
export interface OpenCall {
  /** Calls back with the outcome that is known so far. */
  complete(): void
}

/**
 * The calls of `export` whose callback was not called yet. They do not keep the process alive. When the event loop is empty, the exit
 * waits for them for `exitTimeoutMillis` at most. After that time it calls their callbacks, because the program may wait for the results.
 */
export class OpenCalls {
  private readonly calls = new Set<OpenCall>()
  private onEmpty: (() => void) | undefined
  /** How long the exit has waited since the last call started, in ms. */
  private waitedMillis = 0

  /** Adds a call whose records were queued. */
  add(call: OpenCall): void {
    this.waitedMillis = 0
    this.calls.add(call)
  }

  /** Removes a call whose callback is called. */
  remove(call: OpenCall): void {
    this.calls.delete(call)
    if (this.calls.size === 0) this.onEmpty?.()
  }

  /** Registers an exit guard for the pipeline with the records of these calls. */
  readonly guardExit = (guarded: GuardedPipeline): (() => void) =>
    guardExit({
      ...guarded,
      finish: (millis) => (this.calls.size === 0 ? guarded.finish?.(millis) : this.finish(guarded, millis)),
      // The wait for the callbacks has already used this part of the exit timeout.
      drain: (deadline, occasion) =>
        guarded.drain(occasion === 'exit' ? deadline - this.waitedMillis : deadline, occasion),
    })

  /** Exports what the pipeline can export before the exit, and waits for the open calls. */
  private async finish(guarded: GuardedPipeline, millis: number): Promise<{ readonly ok: boolean }> {
    const start = monotonic()
    const flushed = guarded.finish?.(millis)
    const haveCallsEnded = await this.waitForCallbacks(millis)
    this.waitedMillis += monotonic() - start
    return { ok: haveCallsEnded && (await flushed)?.ok !== false }
  }

  /** Waits until no call is open. After `millis`, completes the open calls and returns false. */
  private waitForCallbacks(millis: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = delay(millis, () => {
        resolve(false)
        for (const call of this.calls) call.complete()
      })
      timer.keepAlive(true)
      this.onEmpty = () => {
        timer.cancel()
        resolve(true)
      }
    })
  }
}
