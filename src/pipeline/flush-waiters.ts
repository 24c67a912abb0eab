import type { PipelineHost } from './host.ts'

interface Waiter {
  readonly upTo: number
  readonly done: () => void
}

/** The flushes that wait until all batches up to a sequence have left the queue. */
export class FlushWaiters {
  private readonly host: PipelineHost
  private readonly changed: () => void
  private readonly waiters = new Set<Waiter>()

  /** @param changed - called whenever a flush starts or stops waiting */
  constructor(host: PipelineHost, changed: () => void) {
    this.host = host
    this.changed = changed
  }

  /** Whether the process must stay alive for a flush. */
  get isWaiting(): boolean {
    return this.waiters.size > 0
  }

  /** Waits until the sequence of the queue's oldest batch is greater than `upTo`, at most `timeoutMillis`. */
  wait(upTo: number, timeoutMillis: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        timer.cancel()
        this.waiters.delete(waiter)
        this.changed()
        resolve()
      }
      const waiter: Waiter = { upTo, done }
      const timer = this.host.delay(timeoutMillis, done)
      timer.keepAlive(true)
      this.waiters.add(waiter)
      this.changed()
    })
  }

  /** Resolves the flushes that wait for a sequence below `oldest`, the sequence of the queue's oldest batch. */
  release(oldest: number): void {
    for (const { upTo, done } of this.waiters) if (oldest > upTo) done()
  }
}

/** Waits for an exporter's flush or shutdown, at most `millis`. Resolves to whether it completed. Never rejects. */
export function settleWithin(
  host: PipelineHost,
  millis: number,
  action: () => PromiseLike<unknown> | undefined,
): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = host.delay(millis, () => resolve(false))
    timer.keepAlive(true)
    const end = (done: boolean) => {
      timer.cancel()
      resolve(done)
    }
    // An action that throws or rejects violates its contract; the exported records are already counted.
    new Promise((resolveAction) => resolveAction(action())).then(
      () => end(true),
      () => end(false),
    )
  })
}
