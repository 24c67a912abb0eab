import { measure, type AttachedExporter } from '../../lifecycle/attached-exporters.ts'
import type { MeterProvider } from '../../pipeline/meter.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { member } from '../../options/own-members.ts'

/**
 * Reports metrics to a MeterProvider, or to the one that is registered with `@opentelemetry/api`. That one is looked up after
 * each export until it is there. Counts start when the provider starts, since they are read from the delivery statistics;
 * durations start with the next export.
 *
 * @returns A function to be called when the outlets are closed.
 */
export function measureWith(
  meterProvider: MeterProvider | 'global' | undefined,
  attached: readonly AttachedExporter[],
  reportDiagnostic: OnDiagnostic,
): () => void {
  if (meterProvider !== 'global') return measure(attached, meterProvider, reportDiagnostic)
  let end: (() => void) | undefined
  const stopLooking = (): void => {
    for (const { output } of attached) output.processor.observers.delete(look)
  }
  const look = (): void => {
    const found = globalMeterProvider()
    if (found === undefined) return
    stopLooking()
    end ??= measure(attached, found, reportDiagnostic)
  }
  for (const { output } of attached) output.processor.observers.add(look)
  look()
  return () => {
    // What is registered by now still collects the final counts.
    look()
    stopLooking()
    end?.()
  }
}

const apiKey = Symbol.for('opentelemetry.js.api.1')

/** Read without the package, so that it does not matter which copies of it there are. Never throws. */
function globalMeterProvider(): MeterProvider | undefined {
  try {
    const api = (globalThis as { [apiKey]?: { metrics?: Partial<MeterProvider> } })[apiKey]
    const provider = api && member(api, 'metrics')
    return typeof provider?.getMeter === 'function' ? (provider as MeterProvider) : undefined
  } catch {
    return undefined // a global of another library
  }
}
