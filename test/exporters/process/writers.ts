import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Returns the writer processes of a process, including zombies. */
export function writersOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number)
}

/** Returns whether a process has no entry in /proc. */
export function isGone(pid: number): boolean {
  return !existsSync(`/proc/${pid}`)
}

/** Returns whether a process has ended. It may be a zombie, because PID 1 of a container may not wait for it. */
export function hasEnded(pid: number): boolean {
  const state = statOf(String(pid))?.[0]
  return state === undefined || state === 'Z' || state === 'X'
}

/** Returns the number of bytes that a process has written. */
export function bytesWrittenBy(pid: number): number {
  return Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'latin1'))![1])
}

function parentOf(name: string): number | undefined {
  const parent = statOf(name)?.[1]
  return parent === undefined ? undefined : Number(parent)
}

/** Returns the fields after the program name, which may contain any character (proc(5)). */
function statOf(name: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined // The process has ended.
  }
}
