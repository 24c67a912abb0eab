import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { OwnerName } from './names.ts'
import { asLatin1 } from '../../platform/node/file-options.ts'

/** Returns the fields that identify this process in directory names. */
export function thisProcess(): Omit<OwnerName, 'uniqueId'> {
  return (cachedIdentity ??= { pid: process.pid, startTicks: startTicksOf(process.pid) ?? 0, systemId: readSystemId() })
}

/**
 * Returns whether a process on this machine has certainly ended. If another process uses its id now, that is detected by the start
 * time, where the system provides it.
 */
export function hasEnded({ pid, startTicks }: OwnerName): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM means that the process exists and runs as another user.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true
  }
  const currentTicks = startTicksOf(pid)
  return currentTicks !== undefined && startTicks !== 0 && currentTicks !== startTicks
}

let cachedIdentity: Omit<OwnerName, 'uniqueId'> | undefined

/** Returns when a process started, in clock ticks since the system booted (proc(5), stat, field 22); undefined if unknown. */
function startTicksOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, asLatin1)
    // The second field is the program's name in parentheses, and may contain any characters.
    const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19])
    return Number.isSafeInteger(ticks) ? ticks : undefined
  } catch {
    return undefined
  }
}

/** Returns an id of the machine, its boot and the container. Process ids are comparable only if this is equal. */
function readSystemId(): string {
  const parts = [hostname(), textOf('/proc/sys/kernel/random/boot_id'), linkTargetOf('/proc/self/ns/pid')]
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(parts.join()).digest('hex').slice(0, 8)
}

/** Returns the content of a file, or an empty text if it cannot be read. */
function textOf(path: string): string {
  try {
    return readFileSync(path, asLatin1)
  } catch {
    return ''
  }
}

/** Returns the target of a symbolic link, or an empty text if it cannot be read. */
function linkTargetOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
