import type { LoggerDelivery } from '../../lifecycle/logger-delivery.ts'
import { finishedText } from '../../encode/finished-text.ts'
import type { PipelineTarget } from '../../handler/encoding-handler.ts'
import type { Exporter } from '../../pipeline/exporter.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { replacedWrite } from '../../platform/node/replaced-write.ts'
import type { StandardStream } from '../../platform/node/standard-streams.ts'
import { openTextPipelines } from '../../platform/node/text-pipelines.ts'
import { member } from '../../options/own-members.ts'

/** An exporter of lines. */
export interface LineExporter extends Exporter {
  /** The stream whose descriptor receives the lines. If other code has replaced its `write`, that function is called with the lines. */
  readonly standard?: StandardStream
}

/** A bounded queue that delivers finished lines to a destination, with delivery accounting and a flush when the process exits. */
export interface LinePipeline extends LoggerDelivery {
  /** Queues a line, which includes its line terminator, with its severity. Never throws. */
  push(line: string, severity: number): void
  /** Number of queued bytes. */
  readonly queuedBytes: number
}

/** @throws ConfigurationError when other code writes to the same destination with other options. */
export function linePipeline(exporter: LineExporter, reportDiagnostic: OnDiagnostic): LinePipeline {
  const { outputs, delivery } = openTextPipelines(exporter, reportDiagnostic)
  const [{ processor, owner }] = outputs as [PipelineTarget]
  const { counters } = owner
  const standard = member(exporter, 'standard')
  const passOn = standard && replacedWrite(standard, outputs[0]!, delivery.flushSync, reportDiagnostic)

  return {
    ...delivery,
    push(line, severity) {
      counters.emitted++
      if (standard?.isReplaced === true) return passOn!(line, severity)
      try {
        processor.push(finishedText(line), severity, owner)
      } catch {
        counters.accepted++
        counters.drop('not_encoded', severity)
      }
    },
    get queuedBytes() {
      return processor.queuedBytes
    },
  }
}
