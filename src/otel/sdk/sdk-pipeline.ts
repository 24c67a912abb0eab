import { measure, type AttachedExporter, type AttachSettings } from '../../lifecycle/attached-exporters.ts'
import type { LoggerDelivery } from '../../lifecycle/logger-delivery.ts'
import { openExporters } from '../../lifecycle/open-exporters.ts'
import { Levels } from '../../logger/levels.ts'
import type { Exporter } from '../../pipeline/exporter.ts'
import type { MeterProvider } from '../../pipeline/meter.ts'
import type { MeasuredPart } from '../../pipeline/self-metrics.ts'
import type { Rules } from '../../values/record-rules.ts'
import type { ReadableSources } from './readable-sources.ts'
import { SdkRecordAdapter } from './sdk-record-adapter.ts'

/** A pipeline for the records of an SDK, and the adapter that queues them. */
export interface SdkPipeline {
  readonly attached: AttachedExporter
  readonly adapter: SdkRecordAdapter
  readonly delivery: LoggerDelivery
}

/** The settings of a pipeline that differ between the parts for an SDK. */
export interface SdkPipelineSettings extends Pick<
  AttachSettings,
  'platform' | 'exit' | 'reportDiagnostic' | 'decorate' | 'onFlush'
> {
  readonly rules: Rules
  readonly sources: ReadableSources
  readonly meterProvider: MeterProvider | undefined
  /** The kind of the owner in metrics. */
  readonly part: MeasuredPart
}

/** Opens the pipeline of an exporter. Throws as `attachExporters`. */
export function openSdkPipeline(exporter: Exporter, settings: SdkPipelineSettings): SdkPipeline {
  const { platform, exit, reportDiagnostic, decorate, onFlush, rules, sources, meterProvider, part } = settings
  const { attached, delivery } = openExporters(
    exporter,
    {
      platform,
      levels: new Levels(),
      bound: sources.own,
      clock: Date.now,
      profile: undefined,
      exit,
      reportDiagnostic,
      decorate,
      onFlush,
    },
    (attached) => measure(attached, meterProvider, reportDiagnostic, part),
  )
  const [only] = attached as readonly [AttachedExporter]
  return { attached: only, adapter: new SdkRecordAdapter(only.target, rules, sources), delivery }
}
