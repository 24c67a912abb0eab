import { encodingHandler } from '../handler/encoding-handler.ts'
import { captureRecords } from '../handler/record-capture.ts'
import { recordChannelHandler } from '../handler/record-channel.ts'
import { startDeliveryMetrics } from '../lifecycle/attached-exporters.ts'
import { openExporters } from '../lifecycle/open-exporters.ts'
import type { BoundState } from '../record/bound.ts'
import type { LoggerSettings } from './logger-settings.ts'
import type { Sink } from './sink.ts'

/** Opens what receives the records of a logger last, and publishes the records to the diagnostics channel before. */
export function openSink(settings: LoggerSettings, bound: BoundState): Sink {
  const { options, runtime, checked, reportDiagnostic } = settings
  const { rules } = checked
  const sink = runtime.createProviderSink(options, bound, rules, reportDiagnostic) ?? openExporterSink(settings, bound)
  if (runtime.recordChannel === undefined) return sink
  return { ...sink, handler: recordChannelHandler(sink.handler, runtime.recordChannel, rules) }
}

function openExporterSink(
  { options, runtime, checked, levels, clock, reportDiagnostic }: LoggerSettings,
  bound: BoundState,
): Sink {
  const { rules, exit, profileDefaults } = checked
  const { attached, delivery } = openExporters(
    options.exporter ?? runtime.createDefaultExporter(profileDefaults),
    {
      platform: runtime.platform,
      levels,
      bound,
      clock,
      reportDiagnostic,
      exit,
      profileDefaults,
      decorate: undefined,
      onFlush: undefined,
    },
    (attached) =>
      startDeliveryMetrics(attached, options.meterProvider, reportDiagnostic, 'logger', checked.recorder !== undefined),
  )
  const targets = attached.map(({ target }) => target)
  return {
    handler: encodingHandler(targets, rules),
    allCounters: targets.map(({ owner }) => owner.counters),
    delivery: runtime.wrapDelivery(delivery),
    captureRecords: (sink) => captureRecords(targets, sink),
    targets,
  }
}
