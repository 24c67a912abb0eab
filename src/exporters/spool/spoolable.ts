import { define } from '../../options/define-member.ts'
import type { Exporter } from '../../pipeline/exporter.ts'
import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import type { RetryOptions } from '../retry/retry-options.ts'

/** The exporter to use in a spool, which attempts each batch once, and its retry options. */
export interface SpoolTarget {
  readonly exporter: Exporter
  readonly retry: RetryOptions
  /** The reasons why it cannot be used in a spool. */
  readonly problems: readonly ConfigurationProblem[]
}

/** The key of an exporter's function that returns its `SpoolEnd`. All loaded copies of this package use the same key. */
const registryKey: unique symbol = Symbol.for('sluice/v1/spoolable')

/** Sets how `spool` uses an exporter. It is stored under a non-enumerable symbol that only this package uses. */
export function spoolable<E extends Exporter>(exporter: E, end: () => SpoolTarget): E {
  define(exporter, registryKey, { value: end, configurable: true })
  return exporter
}

/** Returns how to use an exporter in a spool: as the exporter specifies, otherwise unchanged. */
export function spoolTargetOf(exporter: Exporter): SpoolTarget {
  const end = (exporter as { [registryKey]?: () => SpoolTarget })[registryKey]
  return typeof end === 'function' ? end() : { exporter, retry: {}, problems: [] }
}
