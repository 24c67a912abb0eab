import type { CreateHandler, HandledRecord } from '../handler/handler.ts'
import { either, integer, maxTimerMillis, table } from '../options/option-checks.ts'
import type { ConfigurationProblem } from '../options/configuration-error.ts'
import { isStandardLevel, severityRange, standardLevels, type StandardLevel } from '../record/severity.ts'
import { estimatedSize } from './record-size.ts'
import { isSummary } from './summary.ts'
import { SuppressedCounts } from './suppressed-counts.ts'
import { TokenBucket } from './token-bucket.ts'
import { checkedOptions, keepLevelCheck, keepSeverity, type KeepLevelOption } from './volume-options.ts'

/** A number of bytes for each level, or for the levels that are named. */
export type BytesByLevel = number | Readonly<Partial<Record<StandardLevel, number>>>

/** Options of `budget`. */
export interface BudgetOptions extends KeepLevelOption {
  /**
   * The rate of each level in bytes per second. Levels that are not named are not limited. A level of the logger's own belongs to the
   * standard level of its severity range.
   */
  readonly bytesPerSecond: BytesByLevel
  /**
   * The number of bytes that each level can log at once after a time without records.
   *
   * @defaultValue the bytes of one second
   */
  readonly burst?: BytesByLevel
  /**
   * The maximum time until suppressed records are reported, in ms.
   *
   * @defaultValue 10,000
   */
  readonly reportMillis?: number
}

const bytes = either(
  'a number of bytes of 1 or more, or an object with one for each level, such as { debug: 10_000 }',
  integer(1),
  table(integer(1)),
)

/**
 * Creates a handler that limits the bytes of each level with a token bucket, so that a flood of one level does not suppress the others.
 * The size of a record is estimated, because it is not encoded yet. Suppressed records count as filtered for the reason `budget`, and
 * their number is reported once, by the next kept record or in a summary.
 *
 * @throws ConfigurationError if an option is invalid
 */
export function budget(options: BudgetOptions): CreateHandler {
  const schema = {
    bytesPerSecond: bytes,
    burst: bytes,
    keepLevel: keepLevelCheck,
    reportMillis: integer(1, maxTimerMillis),
  }
  // A call from JavaScript may have no argument.
  const checked = checkedOptions('budget', options ?? {}, schema, addProblems)
  const { bytesPerSecond, burst, keepLevel, reportMillis = 10_000 } = checked
  const keptFrom = keepSeverity(keepLevel)
  return (next, host) => {
    const suppressed = new SuppressedCounts(host, next, { reason: 'budget', reportMillis })
    const buckets = standardLevels.map((level) => {
      const rate = bytesOf(bytesPerSecond, level)
      return rate && new TokenBucket(rate, bytesOf(burst, level) ?? rate, host.now())
    })
    return {
      handle(record: HandledRecord): void {
        const { severity, time } = record
        const bucket = severity >= keptFrom ? undefined : buckets[severityRange(severity)]
        if (!bucket || record.isHeld || isSummary(record)) return next.handle(record)
        if (!bucket.hasTokens(time)) return suppressed.suppress(record)
        bucket.use(estimatedSize(record))
        return suppressed.keep(record)
      },
    }
  }
}

function bytesOf(values: BytesByLevel | undefined, level: StandardLevel): number | undefined {
  return typeof values === 'object' && values !== null && Object.hasOwn(values, level)
    ? values[level]
    : asNumber(values)
}

function asNumber(values: BytesByLevel | undefined): number | undefined {
  return typeof values === 'number' ? values : undefined
}

function addProblems({ bytesPerSecond, burst }: Partial<BudgetOptions>, problems: ConfigurationProblem[]): void {
  if (bytesPerSecond === undefined) {
    const message = 'is missing; write budget({ bytesPerSecond: 100_000 })'
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: 'budget.bytesPerSecond', message })
  }
  for (const [name, values] of Object.entries({ bytesPerSecond, burst })) {
    if (typeof values !== 'object') continue
    for (const level of Object.keys(values).filter((key) => !isStandardLevel(key))) {
      const message = `is not a standard level; valid levels are ${standardLevels.join(', ')}`
      problems.push({ code: 'SLUICE_LEVEL_UNKNOWN', path: `budget.${name}.${level}`, message })
    }
  }
}
