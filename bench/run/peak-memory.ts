import { readFileSync, writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** From now on: how far the resident memory of this process, all its threads included, rises above what it is, in MB. */
export function watchPeak(): () => number {
  forgetPeak()
  const idle = process.memoryUsage.rss()
  return () => Math.max(0, peakBytes() - idle) / 1e6
}

/**
 * Of this program alone, proc_pid_status(5). `maxRSS` goes back to before the program was started, when the process was
 * a copy of its parent.
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
 * What was before leaves no garbage to what comes. It loses compiled code with it, such as refers to objects that are
 * gone: what is to be fast afterwards has to be warmed up once more.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}

/** The peak of before, a warm-up's or that of loading the modules, is not what is asked for. */
function forgetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5')
  } catch {
    // Elsewhere than on Linux it stays: then more is found than there was, never less.
  }
}
