import type { Writable } from 'node:stream'

/**
 * Ends when the descriptor has what was given to `process.stdout`. That is at once where Node writes synchronously, which
 * is to files and to a pipe that takes everything; what a full pipe did not take waits in the stream.
 */
export const standardOutputDrained = (): Promise<void> => drained(process.stdout)

/** An empty piece is behind all others. */
export async function drained(stream: Writable): Promise<void> {
  if (stream.writableLength > 0) await new Promise((resolve) => void stream.write('', resolve))
}
