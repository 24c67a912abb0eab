const waitCell = new Int32Array(new SharedArrayBuffer(4))

/** Blocks this thread and its event loop. */
export function sleepSync(milliseconds: number): void {
  Atomics.wait(waitCell, 0, 0, milliseconds)
}
