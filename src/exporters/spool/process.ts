import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { OwnerName } from './names.ts'
import { asLatin1 } from '../../platform/node/file-options.ts'

/** How this process calls itself in names of directories. */
export function thisProcess(): Omit<OwnerName, 'unique'> {
  return (known ??= { pid: process.pid, started: startOf(process.pid) ?? 0, place: placeOf() })
}

/** Whether a process of this place has ended. Another process that has its id by now is not taken for it. */
export function hasEnded({ pid, started }: OwnerName): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs as somebody else.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true
  }
  const start = startOf(pid)
  return start !== undefined && started !== 0 && start !== started
}

let known: Omit<OwnerName, 'unique'> | undefined

/** When a process started, in ticks since the system did (proc(5), stat, field 22); undefined where nobody says that. */
function startOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, asLatin1)
    // The second field is the program's name in brackets, and may hold anything.
    const start = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19])
    return Number.isSafeInteger(start) ? start : undefined
  } catch {
    return undefined
  }
}

/** A start of a system, and a container in it: process ids of another one say nothing here. */
function placeOf(): string {
  const parts = [hostname(), read('/proc/sys/kernel/random/boot_id'), link('/proc/self/ns/pid')]
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(parts.join()).digest('hex').slice(0, 8)
}

function read(path: string): string {
  try {
    return readFileSync(path, asLatin1)
  } catch {
    return ''
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
