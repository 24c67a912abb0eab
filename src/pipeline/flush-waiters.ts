import type { PipelineHost } from './host.ts'

interface Waiter {
  readonly upTo: number
  readonly done: () => void
}

/** Everybody who waits until the chunks up to a sequence have left the queue. */
export class FlushWaiters {
  private readonly host: PipelineHost
  private readonly changed: () => void
  private readonly waiters = new Set<Waiter>()

  /** `changed` is called whenever somebody begins or ends to wait. */
  constructor(host: PipelineHost, changed: () => void) {
    this.host = host
    this.changed = changed
  }

  /** Whether the process must stay alive for somebody. */
  get isWaiting(): boolean {
    return this.waiters.size > 0
  }

  /** Waits until the queue's oldest chunk is behind `upTo`, at most `timeoutMillis`. */
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

  /** Lets those go on who wait for less than `oldest`, the sequence of the queue's oldest chunk. */
  release(oldest: number): void {
    for (const { upTo, done } of this.waiters) if (oldest > upTo) done()
  }
}

/** Awaits what an exporter does beside exporting, at most `millis`. Returns whether it was done. Never rejects. */
export function doneWithin(
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
    // What throws or rejects broke its contract; the records it was given are counted already.
    new Promise((resolveAction) => resolveAction(action())).then(
      () => end(true),
      () => end(false),
    )
  })
}
