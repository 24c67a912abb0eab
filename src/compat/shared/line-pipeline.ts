import type { LoggerDelivery } from '../../lifecycle/logger-delivery.ts'
import { finishedText } from '../../encode/finished-text.ts'
import type { PipelineTarget } from '../../handler/encoding-handler.ts'
import type { Exporter } from '../../pipeline/exporter.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { replacementWriter } from '../../platform/node/replacement-writer.ts'
import type { StandardStream } from '../../platform/node/standard-streams.ts'
import { openTextPipelines } from '../../platform/node/text-pipelines.ts'
import { member } from '../../options/own-members.ts'

/** An exporter of lines. */
export interface LineExporter extends Exporter {
  /** The stream whose descriptor receives the lines. If other code has replaced its `write`, that function is called with the lines. */
  readonly standardStream?: StandardStream
}

/** A bounded queue that delivers finished lines to a destination, with delivery accounting and a flush when the process exits. */
export interface LinePipeline extends LoggerDelivery {
  /**
   * Queues a line, which includes its line terminator, with its severity. If other code has replaced `write` of the exporter's
   * `standardStream`, that function is called instead. Never throws.
   */
  push(line: string, severity: number): void
  /** Number of queued bytes. */
  readonly queuedBytes: number
}

/**
 * Opens a pipeline to an exporter.
 *
 * @throws ConfigurationError if other code writes to the same destination with other options
 */
export function openLinePipeline(exporter: LineExporter, reportDiagnostic: OnDiagnostic): LinePipeline {
  const { targets, delivery } = openTextPipelines(exporter, reportDiagnostic)
  const [{ processor, owner }] = targets as [PipelineTarget]
  const { counters } = owner
  const standardStream = member(exporter, 'standardStream')
  const callReplacedWrite =
    standardStream && replacementWriter(standardStream, targets[0]!, delivery.flushSync, reportDiagnostic)

  return {
    ...delivery,
    push(line, severity) {
      counters.emitted++
      if (standardStream?.isWriteReplaced === true) return callReplacedWrite!(line, severity)
      try {
        processor.push(finishedText(line), severity, owner)
      } catch {
        // The record could not be queued, for example because memory is exhausted. Like any dropped record, it counts as accepted first.
        counters.accepted++
        counters.drop('not_encoded', severity)
      }
    },
    get queuedBytes() {
      return processor.queuedBytes
    },
  }
}
