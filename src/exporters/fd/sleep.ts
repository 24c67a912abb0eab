const cell = new Int32Array(new SharedArrayBuffer(4))

/** Stops this thread for so many ms. Only for the moments in which the event loop does not run any more. */
export function sleepSync(milliseconds: number): void {
  Atomics.wait(cell, 0, 0, milliseconds)
}
