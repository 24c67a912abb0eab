import { readdirSync, readFileSync } from 'node:fs'

/**
 * A timeout that is extended by the time for which the given processes wait for a processor on a busy machine. A process that hangs
 * does not wait for a processor, so its timeout is not extended.
 */
export class FairTimeout {
  private readonly millis: number
  private readonly pids: readonly number[]
  private readonly start = performance.now()
  private readonly before: number

  constructor(millis: number, pids: readonly number[]) {
    this.millis = millis
    this.pids = pids
    this.before = starvedAll(pids)
  }

  /** The remaining time in ms, below 0 after the timeout. */
  get left(): number {
    // The starved time of a thread is lost when the thread exits.
    const starved = Math.max(0, starvedAll(this.pids) - this.before)
    return this.millis + starved - (performance.now() - this.start)
  }
}

/**
 * Returns how long the threads of a process have waited for a processor in total, in ms: the second number of their `schedstat`
 * (Linux, Documentation/scheduler/sched-stats.rst). 0 on other systems.
 */
export function starvedMillis(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.reduce((sum, id) => sum + waited(`/proc/${pid}/task/${id}/schedstat`), 0)
  } catch {
    return 0
  }
}

function starvedAll(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + starvedMillis(pid), 0)
}

function waited(path: string): number {
  try {
    return Number(readFileSync(path, 'latin1').split(' ')[1]) / 1e6
  } catch {
    return 0 // the thread has exited
  }
}
