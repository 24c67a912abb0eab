import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** The writer processes of a process, those that have ended and were not waited for included. */
export function writersOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number)
}

/** Nothing is left of a process, not even its entry. */
export function isGone(pid: number): boolean {
  return !existsSync(`/proc/${pid}`)
}

/** Has ended, though perhaps nobody has waited for it: whoever is PID 1 of a container may not. */
export function hasEnded(pid: number): boolean {
  const state = statOf(String(pid))?.[0]
  return state === undefined || state === 'Z' || state === 'X'
}

/** How many bytes a process has written to anything. */
export function bytesWrittenBy(pid: number): number {
  return Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'latin1'))![1])
}

function parentOf(name: string): number | undefined {
  const parent = statOf(name)?.[1]
  return parent === undefined ? undefined : Number(parent)
}

/** What follows the name of the program, which may hold anything (proc(5)). */
function statOf(name: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined // it has ended meanwhile
  }
}
