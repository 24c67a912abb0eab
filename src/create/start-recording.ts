import { whenCollected } from '../lifecycle/dropped-loggers.ts'
import type { LoggerDelivery } from '../lifecycle/logger-delivery.ts'
import type { RecordHandler } from '../handler/record-handler.ts'
import type { ContextAttributes } from '../logger/context-attributes.ts'
import { HeldEncoder } from '../recorder/held-encoder.ts'
import { keyFunction } from '../recorder/record-key.ts'
import { Recorder } from '../recorder/recorder.ts'
import { holdingHandler, recordingHandler, triggeringHandler } from '../recorder/recording-handler.ts'
import { addRequestRecorder, completingRequest } from '../recorder/request-recorders.ts'
import type { Sink } from './sink.ts'
import type { LoggerSettings } from './logger-settings.ts'
import type { OnDiagnostic } from '../options/configuration-error.ts'
import { hasContextManager } from '../otel/api/span-context.ts'

/** The flight recorder of a logger as its other parts use it. */
interface Recording {
  /** The functions of the sink that flush and close exporters. The recorder is closed with them. */
  readonly delivery: LoggerDelivery
  /**
   * Returns the first handler of the logger.
   *
   * @param handlerBefore - returns the handlers that precede the last one of records that are written, or that may be held
   */
  handlerWith(handlerBefore: (last: RecordHandler, written?: RecordHandler) => RecordHandler): RecordHandler
}

/** Starts the flight recorder of a logger. Returns undefined if the logger has none. */
export function startRecording(
  { runtime: { platform }, checked: { recorder: settings, exit, rules }, clock, reportDiagnostic }: LoggerSettings,
  contexts: { get(): ContextAttributes | undefined },
  { handler, targets, delivery }: Sink,
): Recording | undefined {
  if (settings === undefined || targets === undefined) return undefined
  const currentRequest = () => completingRequest() ?? contexts.get()?.request
  // At the end of the turn, because programs often set up OpenTelemetry after their first record.
  const onNoTrace = () => void platform.endOfTurn(() => reportMissingTraces(reportDiagnostic))
  const recorder = new Recorder(
    settings,
    keyFunction(settings.by, currentRequest, onNoTrace),
    platform,
    clock === Date.now,
  )
  const stop = callAll([
    ...(settings.by === 'request' ? [addRequestRecorder(recorder)] : []),
    ...(exit.handleExit && platform.onFailure !== undefined
      ? [platform.onFailure(releaseAllOf(recorder, exit.exitTimeoutMillis))]
      : []),
  ])
  whenCollected(recorder, stop)
  const owners = targets.map(({ owner }) => owner)
  return {
    delivery: {
      ...delivery,
      shutdown(options) {
        stop()
        recorder.close()
        return delivery.shutdown(options)
      },
    },
    handlerWith(handlerBefore) {
      const holding = holdingHandler(recorder, new HeldEncoder(targets, owners, rules), handler)
      const triggering = triggeringHandler(recorder, handler)
      return recordingHandler(handlerBefore(triggering), handlerBefore(holding, triggering))
    },
  }
}

/** Reports that no record can have a trace, unless a context manager of OpenTelemetry is registered. */
function reportMissingTraces(reportDiagnostic: OnDiagnostic): void {
  if (!hasContextManager()) reportDiagnostic({ code: 'SLUICE_RECORDER_NO_TRACE', message: noTraceMessage })
}

const noTraceMessage =
  "the recorder holds nothing, because OpenTelemetry is not set up and records have no trace; set recorder.by to 'request' or an attribute"

/**
 * Returns a function that releases all records of a recorder. It refers to the recorder weakly, so that a logger can be garbage collected.
 * While records are held, the timer of the recorder refers to it.
 */
function releaseAllOf(recorder: Recorder, timeoutMillis: number): () => void {
  const reference = new WeakRef(recorder)
  return () => reference.deref()?.releaseAll(timeoutMillis)
}

// A function outside of `startRecording`: what is created there refers to the recorder, because closures of a call share their variables.
function callAll(functions: readonly (() => void)[]): () => void {
  return () => {
    for (const each of functions) each()
  }
}
