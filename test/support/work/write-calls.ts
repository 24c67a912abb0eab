import fs, { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** Write calls by their result: everything, a part, or nothing (EAGAIN) was written. */
export interface WriteCalls {
  whole: number
  short: number
  refused: number
  bytes: number
}

/** The calls of write(2) of all threads of this process to any descriptor, and the written bytes. */
export interface SystemWrites {
  readonly calls: number
  readonly bytes: number
}

/** Counts the calls of `fs.writeSync` from now on, including those of modules that are already loaded. */
export function countWriteCalls(): WriteCalls {
  const counted: WriteCalls = { whole: 0, short: 0, refused: 0, bytes: 0 }
  const write = fs.writeSync as (fd: number, bytes: Uint8Array, offset: number, length: number) => number
  function counting(fd: number, bytes: Uint8Array, offset: number, length: number): number {
    try {
      const written = write(fd, bytes, offset, length)
      counted[written < length ? 'short' : 'whole']++
      counted.bytes += written
      return written
    } catch (error) {
      counted.refused++
      throw error
    }
  }
  fs.writeSync = counting as typeof fs.writeSync
  syncBuiltinESMExports()
  return counted
}

/** Returns undefined on systems other than Linux. */
export function systemWrites(): SystemWrites | undefined {
  try {
    const text = readFileSync('/proc/self/io', 'latin1')
    const field = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)![1])
    return { calls: field('syscw'), bytes: field('wchar') }
  } catch {
    return undefined
  }
}

/** Returns the differences between two sets of counts. */
export function between<T extends object>(before: T, after: T): T {
  const counts = Object.entries(after) as [keyof T, number][]
  return Object.fromEntries(counts.map(([name, count]) => [name, count - (before[name] as number)])) as T
}
