import type { Exporter } from '../pipeline/exporter.ts'
import { attachExporters, type AttachedExporter, type AttachSettings } from './attached-exporters.ts'
import { loggerDelivery, type LoggerDelivery } from './logger-delivery.ts'

/** Exporters that are attached to their pipelines, and the functions that flush, close and count them. */
export interface OpenExporters {
  readonly attached: readonly AttachedExporter[]
  readonly delivery: LoggerDelivery
}

/**
 * Attaches the exporters of one logger, provider or processor to their pipelines.
 *
 * @param oneOrMore - one exporter or several, which were checked before
 * @param startMetrics - starts the delivery metrics, and returns a function that is called when the exporters are closed
 * @throws as `attachExporters`
 */
export function openExporters(
  oneOrMore: Exporter | readonly Exporter[],
  settings: AttachSettings,
  startMetrics?: (attached: readonly AttachedExporter[]) => () => void,
): OpenExporters {
  const attached = attachExporters(oneOrMore, settings)
  const { platform, exit } = settings
  return { attached, delivery: loggerDelivery(platform, attached, exit.exitTimeoutMillis, startMetrics?.(attached)) }
}
