type Callback = (error?: Error) => void

/** Callbacks that wait until a thread has flushed what was written before. */
export class PendingFlushes {
  private readonly callbacks = new Map<number, Callback>()
  private last = 0

  get isEmpty(): boolean {
    return this.callbacks.size === 0
  }

  /** Returns the id with which the thread confirms the flush. */
  add(callback: Callback): number {
    this.callbacks.set(++this.last, callback)
    return this.last
  }

  done(id: number): void {
    const callback = this.callbacks.get(id)
    this.callbacks.delete(id)
    callback?.()
  }

  failAll(error: Error): void {
    const callbacks = [...this.callbacks.values()]
    this.callbacks.clear()
    for (const callback of callbacks) callback(error)
  }
}
