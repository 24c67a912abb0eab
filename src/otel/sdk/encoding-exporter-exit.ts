import { delay, monotonic } from '../../platform/node/end-of-turn.ts'
import { guardExit } from '../../platform/node/exit-guard.ts'
import type { GuardedPipeline } from '../../lifecycle/platform.ts'

/** A call of `export` whose callback was not called yet. */
export interface OpenCall {
  /** Calls back with the outcome that is known so far. */
  end(): void
}

/**
 * The calls of `export` whose callback was not called yet. They do not keep the process alive. On a natural exit they are awaited
 * for `exitTimeoutMillis` at most, and then called back, because the program may await the result.
 */
export class OpenCalls {
  private readonly calls = new Set<OpenCall>()
  private isEmpty: (() => void) | undefined
  /** How long a natural exit has waited since the last call started, in ms. */
  private waitedMillis = 0

  begin(call: OpenCall): void {
    this.waitedMillis = 0
    this.calls.add(call)
  }

  ended(call: OpenCall): void {
    this.calls.delete(call)
    if (this.calls.size === 0) this.isEmpty?.()
  }

  /** Registers an exit guard for the pipeline with the records of these calls. */
  readonly guardExit = (guarded: GuardedPipeline): (() => void) =>
    guardExit({
      ...guarded,
      finish: (millis) => (this.calls.size === 0 ? guarded.finish?.(millis) : this.finish(guarded, millis)),
      // An exporter with synchronous export has already used this part of its time.
      drain: (deadline, occasion) =>
        guarded.drain(occasion === 'exit' ? deadline - this.waitedMillis : deadline, occasion),
    })

  private async finish(guarded: GuardedPipeline, millis: number): Promise<{ readonly ok: boolean }> {
    const start = monotonic()
    const flushed = guarded.finish?.(millis)
    const ok = await this.answeredWithin(millis)
    this.waitedMillis += monotonic() - start
    return { ok: ok && (await flushed)?.ok !== false }
  }

  private answeredWithin(millis: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = delay(millis, () => {
        resolve(false)
        for (const call of this.calls) call.end()
      })
      timer.keepAlive(true)
      this.isEmpty = () => {
        timer.cancel()
        resolve(true)
      }
    })
  }
}
