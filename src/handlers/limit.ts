import type { CreateHandler, HandledRecord } from '../handler/handler.ts'
import { integer, maxTimerMillis } from '../options/option-checks.ts'
import { KeyWindows } from './key-windows.ts'
import { keyFunction, recordKeyCheck, type RecordKey } from './record-key.ts'
import { checkedOptions, keepLevelCheck, keepSeverity, type KeepLevelOption } from './volume-options.ts'

/** Options of `limit`. */
export interface LimitOptions extends KeepLevelOption {
  /**
   * The number of records of each key and level that are kept in each window.
   *
   * @defaultValue 100
   */
  readonly first?: number
  /**
   * After the first records, every `thereafter`-th one is kept too; 0 for none.
   *
   * @defaultValue 0
   */
  readonly thereafter?: number
  /**
   * The length of a window in ms. It begins with the first record of a key and level.
   *
   * @defaultValue 1,000
   */
  readonly windowMillis?: number
  /**
   * What identifies records of the same kind.
   *
   * @defaultValue `template`
   */
  readonly by?: RecordKey
  /**
   * The maximum number of keys that are counted separately. The other keys of a level share one count.
   *
   * @defaultValue 1,000
   */
  readonly maxKeys?: number
}

/**
 * Creates a handler that keeps the first records of each message in a window, then every n-th one. Suppressed records count as
 * filtered for the reason `limit`. Their number is reported once: in the attribute `sluice.suppressed` of the next kept record of the
 * same message, or in a summary at the end of the window and when the logger is flushed.
 *
 * @throws ConfigurationError if an option is invalid
 */
export function limit(options: LimitOptions = {}): CreateHandler {
  const checked = checkedOptions('limit', options, {
    first: integer(1),
    thereafter: integer(0),
    windowMillis: integer(1, maxTimerMillis),
    by: recordKeyCheck,
    maxKeys: integer(1),
    keepLevel: keepLevelCheck,
  })
  const { first = 100, thereafter = 0, windowMillis = 1_000, by = 'template', maxKeys = 1_000, keepLevel } = checked
  const keptFrom = keepSeverity(keepLevel)
  const keyOf = keyFunction(by, 'limit')
  return (next, host) => {
    const windows = new KeyWindows(host, next, {
      reason: 'limit',
      windowMillis,
      maxKeys,
      whenFull: 'share',
      namesTemplates: by === 'template',
    })
    return {
      handle(record: HandledRecord): void {
        const { severity, time } = record
        const key = severity >= keptFrom || record.isHeld ? undefined : keyOf(record)
        if (key === undefined) return next.handle(record)
        const window = windows.windowOf(key, severity, time)
        const excess = ++window.seen - first
        if (excess > 0 && (thereafter === 0 || excess % thereafter !== 0)) return windows.suppress(window, record)
        return windows.keep(window, record)
      },
    }
  }
}
