import { composeLogger } from '../../../src/create/compose-logger.ts'
import { nodeRuntime } from '../../../src/create/create-logger.ts'
import { memoryExporter } from '../../../src/exporters/memory/memory-exporter.ts'
import type { Platform } from '../../../src/lifecycle/platform.ts'
import type { LoggerOptions, RootLogger } from '../../../src/logger/types.ts'

/** The time of a recorder, which passes only in `advance`. */
export class ManualTime {
  now = 1_000
  private readonly timers = new Set<{ readonly at: number; readonly callback: () => void }>()

  /** The number of timers that are set. */
  get timerCount(): number {
    return this.timers.size
  }

  delay(millis: number, callback: () => void) {
    const timer = { at: this.now + millis, callback }
    this.timers.add(timer)
    return { cancel: () => void this.timers.delete(timer), keepAlive: () => {} }
  }

  /** Moves the clock, and calls the functions whose delay has passed; with `runsTimers` false, as in a blocked event loop, none. */
  advance(millis: number, runsTimers = true): void {
    const end = this.now + millis
    for (let next = this.nextTimer(end); next !== undefined; next = this.nextTimer(end)) {
      if (!runsTimers) break
      this.timers.delete(next)
      this.now = next.at
      next.callback()
    }
    this.now = end
  }

  private nextTimer(end: number) {
    return [...this.timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0]
  }
}

/** Creates a logger with a flight recorder that uses a manual time, and the memory exporter that it writes to. */
export function timedLogger(
  options: LoggerOptions,
  time: ManualTime = new ManualTime(),
  platformMembers: Partial<Platform> = {},
) {
  const exporter = memoryExporter({ maxRecords: 1_000_000 })
  const { platform } = nodeRuntime
  const log = composeLogger({
    options: { exporter, clock: () => time.now, handleExit: false, onDiagnostic: () => {}, ...options },
    runtime: {
      ...nodeRuntime,
      platform: {
        ...platform,
        monotonic: () => time.now,
        delay: (millis, callback) => time.delay(millis, callback),
        ...platformMembers,
      },
    },
  })
  return {
    log,
    time,
    exporter,
    messages: () => exporter.records.map(({ message }) => message),
    counts: () => countsOf(log),
  }
}

/** Returns the counts of the first exporter of a logger. Throws if they do not add up. */
export function countsOf(log: RootLogger, index = 0) {
  const { emitted, accepted, filtered, recorded, released, expired } = log.stats().exporters[index]!
  if (emitted !== accepted + filtered + recorded)
    throw new Error(`${emitted} emitted, ${accepted} accepted, ${filtered} filtered, ${recorded} recorded`)
  return { emitted, accepted, filtered, recorded, released, expired }
}
