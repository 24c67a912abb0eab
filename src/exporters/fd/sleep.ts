const cell = new Int32Array(new SharedArrayBuffer(4))

/** Blocks this thread. Use it only when the event loop no longer runs. */
export function sleepSync(milliseconds: number): void {
  Atomics.wait(cell, 0, 0, milliseconds)
}
