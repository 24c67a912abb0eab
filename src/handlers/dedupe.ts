import type { CreateHandler, HandledRecord } from '../handler/handler.ts'
import { integer, maxTimerMillis } from '../options/option-checks.ts'
import { KeyWindows } from './key-windows.ts'
import { keyFunction, recordKeyCheck, type RecordKey } from './record-key.ts'
import { checkedOptions } from './volume-options.ts'

/** Options of `dedupe`. */
export interface DedupeOptions {
  /**
   * How long a record suppresses later records with the same key and level, in ms.
   *
   * @defaultValue 10,000
   */
  readonly windowMillis?: number
  /**
   * What identifies records of the same kind.
   *
   * @defaultValue `template`
   */
  readonly by?: RecordKey
  /**
   * The maximum number of keys. With more, the oldest one is forgotten after its summary is written.
   *
   * @defaultValue 1,000
   */
  readonly maxKeys?: number
}

/**
 * Creates a handler that keeps one record of each message in a window, at every level. The other ones count as filtered for the reason
 * `dedupe`. Their number is reported once, in a summary such as "repeated 1,532 times in 10.0 s: connection lost", at the end of the
 * window and when the logger is flushed.
 *
 * @throws ConfigurationError if an option is invalid
 */
export function dedupe(options: DedupeOptions = {}): CreateHandler {
  const checked = checkedOptions('dedupe', options, {
    windowMillis: integer(1, maxTimerMillis),
    by: recordKeyCheck,
    maxKeys: integer(1),
  })
  const { windowMillis = 10_000, by = 'template', maxKeys = 1_000 } = checked
  const keyOf = keyFunction(by, 'dedupe')
  return (next, host) => {
    const windows = new KeyWindows(host, next, {
      reason: 'dedupe',
      windowMillis,
      maxKeys,
      whenFull: 'replace',
      namesTemplates: by === 'template',
    })
    return {
      handle(record: HandledRecord): void {
        const key = record.isHeld ? undefined : keyOf(record)
        if (key === undefined) return next.handle(record)
        const window = windows.windowOf(key, record.severity, record.time)
        if (window.seen > 0) return windows.suppress(window, record)
        window.seen = 1
        window.countedSince = record.time
        try {
          return next.handle(record)
        } finally {
          // A record that a later handler suppressed does not represent those that repeat it.
          if (!host.isPassedOn(record)) window.seen = 0
        }
      },
    }
  }
}
