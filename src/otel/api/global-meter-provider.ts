import { startDeliveryMetrics, type AttachedExporter } from '../../lifecycle/attached-exporters.ts'
import type { MeterProvider } from '../../pipeline/meter.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { member } from '../../options/own-members.ts'

/**
 * Reports metrics to a MeterProvider. `'global'` is the MeterProvider that is registered with `@opentelemetry/api`: it is looked up
 * now and after each export, until one is registered. Metrics that count records then include all since the LoggerProvider was created,
 * because they are read from the delivery statistics; durations are recorded from the next export on.
 *
 * @returns A function to call when the exporters are closed.
 */
export function startMetrics(
  meterProvider: MeterProvider | 'global' | undefined,
  attached: readonly AttachedExporter[],
  reportDiagnostic: OnDiagnostic,
): () => void {
  if (meterProvider !== 'global') return startDeliveryMetrics(attached, meterProvider, reportDiagnostic)
  let stopMetrics: (() => void) | undefined
  const stopLookup = (): void => {
    for (const { target } of attached) target.processor.exportObservers.delete(lookUp)
  }
  const lookUp = (): void => {
    const registered = globalMeterProvider()
    if (registered === undefined) return
    stopLookup()
    stopMetrics ??= startDeliveryMetrics(attached, registered, reportDiagnostic)
  }
  for (const { target } of attached) target.processor.exportObservers.add(lookUp)
  lookUp()
  return () => {
    // A MeterProvider that was registered after the last export still collects the final counts.
    lookUp()
    stopLookup()
    stopMetrics?.()
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
    return undefined // the global is not that of the API
  }
}
