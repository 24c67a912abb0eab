import { readdirSync, readFileSync } from 'node:fs'

/**
 * A time that is over only for who could have used it: while processes want a processor and get none, because the machine has
 * other things to do, it stands still. One that hangs wants none, and is late.
 */
export class Patience {
  private readonly millis: number
  private readonly pids: readonly number[]
  private readonly start = performance.now()
  private readonly before: number

  constructor(millis: number, pids: readonly number[]) {
    this.millis = millis
    this.pids = pids
    this.before = starvedAll(pids)
  }

  /** What is left of it, in ms; below 0 when it is over. */
  get left(): number {
    // A thread that has ended takes its time with it.
    const starved = Math.max(0, starvedAll(this.pids) - this.before)
    return this.millis + starved - (performance.now() - this.start)
  }
}

/**
 * For how long the threads of a process have waited for a processor since they began, in ms, taken together: the second
 * number of their `schedstat` (Linux, Documentation/scheduler/sched-stats.rst). 0 where nobody counts it.
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
    return 0 // it has ended
  }
}
