type Callback = (error?: Error) => void

/** Callbacks that wait until a thread has flushed what was written before. */
export class PendingFlushes {
  private readonly callbacks = new Map<number, Callback>()
  private lastId = 0

  get isEmpty(): boolean {
    return this.callbacks.size === 0
  }

  /** Adds a callback. Returns the id with which the thread confirms the flush. */
  add(callback: Callback): number {
    this.callbacks.set(++this.lastId, callback)
    return this.lastId
  }

  /** Calls the callback of a flush that the thread has confirmed. */
  confirm(id: number): void {
    const callback = this.callbacks.get(id)
    this.callbacks.delete(id)
    callback?.()
  }

  /** Calls all callbacks with an error. */
  failAll(error: Error): void {
    const callbacks = [...this.callbacks.values()]
    this.callbacks.clear()
    for (const callback of callbacks) callback(error)
  }
}
