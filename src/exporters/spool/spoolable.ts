import { define } from '../../options/define-member.ts'
import type { Exporter } from '../../pipeline/exporter.ts'
import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import type { RetryOptions } from '../retry/retrying.ts'

/** What stands behind a spool: an exporter that tries each batch once, and how it wants to be tried again. */
export interface SpoolEnd {
  readonly exporter: Exporter
  readonly retry: RetryOptions
  /** What keeps it from being spooled. */
  readonly problems: readonly ConfigurationProblem[]
}

/** An exporter's own answer to how it goes behind a spool. All loaded copies of this package have the same name for it. */
const place: unique symbol = Symbol.for('sluice/v1/spoolable')

/** Has `spool` ask an exporter how it goes behind it. No member that anybody sees: nobody else can ask. */
export function spoolable<E extends Exporter>(exporter: E, end: () => SpoolEnd): E {
  define(exporter, place, { value: end, configurable: true })
  return exporter
}

/** How an exporter goes behind a spool: as it says itself, else as it is. */
export function spoolEndOf(exporter: Exporter): SpoolEnd {
  const end = (exporter as { [place]?: () => SpoolEnd })[place]
  return typeof end === 'function' ? end() : { exporter, retry: {}, problems: [] }
}
