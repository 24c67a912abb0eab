import type { Log } from '../../../subjects/subject.ts'

/** The two records of a request. The hooks that call this are there without logging as well. */
export interface RequestLog {
  received(method: string, url: string): void
  completed(method: string, url: string, status: number, millis: number): void
  /** How many there were. */
  records(): number
}

export function createRequestLog(log: Log | undefined): RequestLog {
  let records = 0
  return {
    received(method, url) {
      if (log === undefined) return
      records++
      log.attributes('request received', { method, url })
    },
    completed(method, url, status, millis) {
      if (log === undefined) return
      records++
      // To the microsecond: what a clock tells beyond that is seventeen digits of noise in each line.
      log.attributes('request completed', { method, url, status, ms: Math.round(millis * 1_000) / 1_000 })
    },
    records: () => records,
  }
}
