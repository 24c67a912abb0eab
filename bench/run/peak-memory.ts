import { readFileSync, writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Measures the increase of the resident memory of this process from now to its peak, in MB. */
export function watchPeak(): () => number {
  forgetPeak()
  const idle = process.memoryUsage.rss()
  return () => Math.max(0, peakBytes() - idle) / 1e6
}

/**
 * Returns the peak of this program, from proc_pid_status(5). `maxRSS` includes the time before exec, when the process was a
 * copy of its parent.
 */
function peakBytes(): number {
  const { maxRSS } = process.resourceUsage()
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(statusText())?.[1] ?? maxRSS) * 1_024
}

function statusText(): string {
  try {
    return readFileSync('/proc/self/status', 'latin1')
  } catch {
    return ''
  }
}

/**
 * Collects the garbage of earlier work. This also discards compiled code that refers to collected objects, so warm up again
 * afterwards.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}

/** Resets the peak, so that it does not include the loading of modules and the warm-up. */
function forgetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5')
  } catch {
    // Not possible except on Linux. The result is then too high, never too low.
  }
}
