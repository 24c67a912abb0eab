import { startDeliveryMetrics, type AttachedExporter, type AttachSettings } from '../../lifecycle/attached-exporters.ts'
import type { LoggerDelivery } from '../../lifecycle/logger-delivery.ts'
import { openExporters } from '../../lifecycle/open-exporters.ts'
import { Levels } from '../../logger/levels.ts'
import type { Exporter } from '../../pipeline/exporter.ts'
import type { MeterProvider } from '../../pipeline/meter.ts'
import type { MeasuredPart } from '../../pipeline/self-metrics.ts'
import type { Rules } from '../../values/record-rules.ts'
import type { SdkBoundStates } from './sdk-bound-states.ts'
import { SdkRecordAdapter } from './sdk-record-adapter.ts'

/** A pipeline for the records of an SDK, and the adapter that queues them. */
export interface SdkPipeline {
  readonly attached: AttachedExporter
  readonly adapter: SdkRecordAdapter
  readonly delivery: LoggerDelivery
}

/** The settings of a pipeline that differ between `PipelineLogRecordProcessor` and `EncodingLogRecordExporter`. */
export interface SdkPipelineSettings extends Pick<
  AttachSettings,
  'platform' | 'exit' | 'reportDiagnostic' | 'decorate' | 'onFlush'
> {
  readonly rules: Rules
  readonly boundStates: SdkBoundStates
  readonly meterProvider: MeterProvider | undefined
  /** The kind of object that owns the pipeline, for the names of metrics. */
  readonly measuredPart: MeasuredPart
}

/**
 * Opens the pipeline of an exporter.
 *
 * @throws as `openExporters`
 */
export function openSdkPipeline(exporter: Exporter, settings: SdkPipelineSettings): SdkPipeline {
  const { platform, exit, reportDiagnostic, decorate, onFlush, rules, boundStates, meterProvider, measuredPart } =
    settings
  const { attached, delivery } = openExporters(
    exporter,
    {
      platform,
      levels: new Levels(),
      bound: boundStates.dropReportBound,
      clock: Date.now,
      profileDefaults: undefined,
      exit,
      reportDiagnostic,
      decorate,
      onFlush,
    },
    (attached) => startDeliveryMetrics(attached, meterProvider, reportDiagnostic, measuredPart),
  )
  const [attachedExporter] = attached as readonly [AttachedExporter]
  return {
    attached: attachedExporter,
    adapter: new SdkRecordAdapter(attachedExporter.target, rules, boundStates),
    delivery,
  }
}
