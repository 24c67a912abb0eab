import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { OwnerName } from './names.ts'
import { asLatin1 } from '../../platform/node/file-options.ts'

/** Returns the fields that identify this process in directory names. */
export function thisProcess(): Omit<OwnerName, 'unique'> {
  return (cached ??= { pid: process.pid, started: startOf(process.pid) ?? 0, place: systemId() })
}

/** Returns whether a process on this system has ended. Another process that has its id by now is detected by its start time. */
export function hasEnded({ pid, started }: OwnerName): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM means that it runs as another user.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true
  }
  const start = startOf(pid)
  return start !== undefined && started !== 0 && start !== started
}

let cached: Omit<OwnerName, 'unique'> | undefined

/** Returns when a process started, in clock ticks since the system booted (proc(5), stat, field 22); undefined if unknown. */
function startOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, asLatin1)
    // The second field is the program's name in parentheses, and may contain any characters.
    const start = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19])
    return Number.isSafeInteger(start) ? start : undefined
  } catch {
    return undefined
  }
}

/** Returns an id of this boot of the system and of the container. Process ids are only comparable within the same one. */
function systemId(): string {
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
