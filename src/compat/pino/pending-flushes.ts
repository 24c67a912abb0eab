type Callback = (error?: Error) => void

/** Who waits until what was written so far has left a thread. */
export class PendingFlushes {
  private readonly callbacks = new Map<number, Callback>()
  private last = 0

  get isEmpty(): boolean {
    return this.callbacks.size === 0
  }

  /** Returns the number under which the thread says that it is done. */
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
