import type { PipelineHost } from './host.ts'

interface Waiter {
  /** The sequence number of the last batch that the flush waits for (see `BatchBuffer.sequence`). */
  readonly lastSequence: number
  /** Ends the wait. */
  readonly end: () => void
}

/** The pending flushes, each of which waits until all batches up to a sequence number have left the queue. */
export class FlushWaiters {
  private readonly host: PipelineHost
  private readonly onChange: () => void
  private readonly waiters = new Set<Waiter>()

  /** @param onChange - called whenever a flush starts or stops waiting */
  constructor(host: PipelineHost, onChange: () => void) {
    this.host = host
    this.onChange = onChange
  }

  /** Whether the process must stay alive for a flush. */
  get isWaiting(): boolean {
    return this.waiters.size > 0
  }

  /** Waits until all batches up to `lastSequence` have left the queue, at most `timeoutMillis`. */
  wait(lastSequence: number, timeoutMillis: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        timer.cancel()
        this.waiters.delete(waiter)
        this.onChange()
        resolve()
      }
      const waiter: Waiter = { lastSequence, end }
      const timer = this.host.delay(timeoutMillis, end)
      timer.keepAlive(true)
      this.waiters.add(waiter)
      this.onChange()
    })
  }

  /** Ends the flushes whose batches have all left the queue. `oldestSequence`: the sequence number of the queue's oldest batch. */
  resolveBefore(oldestSequence: number): void {
    for (const { lastSequence, end } of this.waiters) if (oldestSequence > lastSequence) end()
  }
}

/** Calls an exporter's flush or shutdown, and waits for it, at most `millis`. Resolves to whether it succeeded. Never rejects. */
export function succeedsWithin(
  host: PipelineHost,
  millis: number,
  action: () => PromiseLike<unknown> | undefined,
): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = host.delay(millis, () => resolve(false))
    timer.keepAlive(true)
    const end = (isCompleted: boolean) => {
      timer.cancel()
      resolve(isCompleted)
    }
    // An action that throws or rejects violates its contract; the exported records are already counted.
    new Promise((resolveAction) => resolveAction(action())).then(
      () => end(true),
      () => end(false),
    )
  })
}
