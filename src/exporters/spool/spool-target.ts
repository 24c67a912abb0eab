import { define } from '../../options/define-member.ts'
import type { Exporter } from '../../pipeline/exporter.ts'
import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import type { RetryOptions } from '../retry/retry-options.ts'

/** How a spool uses an exporter. */
export interface SpoolTarget {
  /** The exporter that the spool calls. It attempts each batch once, because the spool retries by itself. */
  readonly exporter: Exporter
  /** The options that determine the spool's delays between attempts. */
  readonly retry: RetryOptions
  /** The reasons why the exporter cannot be used in a spool. */
  readonly problems: readonly ConfigurationProblem[]
}

/** The key of an exporter's function that returns its `SpoolTarget`. All loaded copies of this package use the same key. */
const registryKey: unique symbol = Symbol.for('sluice/v1/spoolable')

/** Sets how `spool` uses an exporter. `createTarget` is stored in the exporter under a non-enumerable symbol of this package. */
export function setSpoolTarget<E extends Exporter>(exporter: E, createTarget: () => SpoolTarget): E {
  define(exporter, registryKey, { value: createTarget, configurable: true })
  return exporter
}

/** Returns how `spool` uses an exporter: as `setSpoolTarget` has set, or else unchanged and with default delays. */
export function spoolTargetOf(exporter: Exporter): SpoolTarget {
  const createTarget = (exporter as { [registryKey]?: () => SpoolTarget })[registryKey]
  return typeof createTarget === 'function' ? createTarget() : { exporter, retry: {}, problems: [] }
}
