import { measure, type AttachedExporter } from '../../lifecycle/attached-exporters.ts'
import type { MeterProvider } from '../../pipeline/meter.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { member } from '../../options/own-members.ts'

/**
 * Reports metrics to a MeterProvider. For `'global'`, looks up the one that is registered with `@opentelemetry/api` after each
 * export until it is found. Counters include everything since the provider started, because they are read from the delivery
 * statistics; durations are recorded from the next export on.
 *
 * @returns A function to call when the exporters are closed.
 */
export function measureWith(
  meterProvider: MeterProvider | 'global' | undefined,
  attached: readonly AttachedExporter[],
  reportDiagnostic: OnDiagnostic,
): () => void {
  if (meterProvider !== 'global') return measure(attached, meterProvider, reportDiagnostic)
  let end: (() => void) | undefined
  const stopLookup = (): void => {
    for (const { target } of attached) target.processor.observers.delete(lookUp)
  }
  const lookUp = (): void => {
    const found = globalMeterProvider()
    if (found === undefined) return
    stopLookup()
    end ??= measure(attached, found, reportDiagnostic)
  }
  for (const { target } of attached) target.processor.observers.add(lookUp)
  lookUp()
  return () => {
    // A MeterProvider that was registered after the last export still collects the final counts.
    lookUp()
    stopLookup()
    end?.()
  }
}

const apiKey = Symbol.for('opentelemetry.js.api.1')

/** Returns the registered MeterProvider. Reads the global directly, so it works with any copy of the package. Never throws. */
function globalMeterProvider(): MeterProvider | undefined {
  try {
    const api = (globalThis as { [apiKey]?: { metrics?: Partial<MeterProvider> } })[apiKey]
    const provider = api && member(api, 'metrics')
    return typeof provider?.getMeter === 'function' ? (provider as MeterProvider) : undefined
  } catch {
    return undefined // another library uses this global
  }
}
