import type { Writable } from 'node:stream'

/**
 * Resolves when everything given to `process.stdout` is written. That is immediately for files and for pipes with space,
 * to which Node writes synchronously. The rest of a write to a full pipe is buffered in the stream.
 */
export const standardOutputDrained = (): Promise<void> => drained(process.stdout)

/** Waits for an empty write, which completes after all others. */
export async function drained(stream: Writable): Promise<void> {
  if (stream.writableLength > 0) await new Promise((resolve) => void stream.write('', resolve))
}
