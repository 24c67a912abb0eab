import { readFileSync } from 'node:fs'

/** Returns the peak resident memory of this process in bytes. `maxRSS` is at least that of the parent when it started this process. */
export function peakMemory(): number {
  return Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'latin1'))![1]) * 1_024
}
