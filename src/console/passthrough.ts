import { isMainThread } from '../platform/node/main-thread.ts'
import { plainLines } from '../encode/plain-lines.ts'
import { plainRules } from '../encode/plain-data.ts'
import type { LoggerDelivery } from '../lifecycle/logger-delivery.ts'
import { diagnosticReporter } from '../lifecycle/diagnostic-reporter.ts'
import { fdExporter } from '../exporters/fd/fd-exporter.ts'
import { fileExporter } from '../exporters/file/file-exporter.ts'
import { definedOptions, pickDeliveryOptions } from '../exporters/exporter-options.ts'
import { writeStderrLine } from '../exporters/stderr.ts'
import { streamExporter, type TextStream } from '../exporters/stream-exporter.ts'
import { scheduleOf } from '../exporters/line-exporter-options.ts'
import { encodingHandler, type PipelineTarget } from '../handler/encoding-handler.ts'
import type { Exporter } from '../pipeline/exporter.ts'
import { emptyBoundState } from '../record/bound.ts'
import { newRecord, type LogRecord } from '../record/record.ts'
import { standardSeverities } from '../record/severity.ts'
import type { Redaction } from '../redact/redact.ts'
import { nodePlatform } from '../platform/node/platform.ts'
import { replacementWriter } from '../platform/node/replacement-writer.ts'
import { asStandardStream } from '../platform/node/standard-streams.ts'
import { openTextPipelines } from '../platform/node/text-pipelines.ts'
import type { ConsoleInterceptor, ConsoleInterceptors, Method, Methods } from './interceptors.ts'
import type { PassthroughOptions } from './options.ts'
import { withStallTimeout } from './stall-timeout.ts'
import { redactPrintedBytes } from './redact-printed-bytes.ts'
import { createStreamProxy, type StreamProxy, type Terminal } from './stream-proxy.ts'
import { format } from 'node:util'
import type { TextPatterns } from '../redact/patterns/text-patterns.ts'
import type { ConsoleMethod } from './methods.ts'
import { redactedArguments } from './redacted-arguments.ts'
import { stackOf } from './trace.ts'
import { define } from '../options/define-member.ts'

/** The interception of console text and its delivery to the output. */
export interface Passthrough {
  readonly interceptor: ConsoleInterceptor
  readonly delivery: LoggerDelivery
}

/**
 * Opens the pipelines for console text. Standard output and standard error have one pipeline each, so that neither waits for the
 * other. If both are the same file, they share a queue, so that lines keep the order of the calls.
 *
 * @throws ConfigurationError when other code in this process writes to the same destination with other options.
 */
export function openPassthrough(
  options: PassthroughOptions,
  redaction: Redaction,
  interceptors: ConsoleInterceptors,
): Passthrough {
  const reportDiagnostic = diagnosticReporter(options.onDiagnostic, writeStderrLine, nodePlatform.monotonic)
  const exporters = exportersOf(options, () => targets)
  const { targets, delivery } = openTextPipelines(exporters, reportDiagnostic, options)
  const standardStream = asStandardStream(options.stream)
  const callReplacementWrite =
    standardStream && replacementWriter(standardStream, targets[0]!, delivery.flushSync, reportDiagnostic)
  const isRedirected = options.path !== undefined || options.stream !== undefined
  const rules = { ...plainRules, redaction }
  const { patterns } = redaction

  function createStream(name: 'stdout' | 'stderr', target: PipelineTarget): StreamProxy {
    const handler = encodingHandler([target], rules)
    const record = createTextRecord(name)
    const originalStream = (): Terminal => interceptors.beneath(name)
    const write = (text: string) => {
      if (!isRedirected && !text.endsWith('\n')) return writeDirectly(text, name)
      const redactedText = patterns === undefined ? text : redactPrintedBytes(text, patterns)
      // Other code has replaced `write` of the stream, for example a test runner, and receives the text.
      if (standardStream?.isWriteReplaced === true) {
        target.owner.counters.emitted++
        // The text bypasses the handler, which would apply the patterns.
        return callReplacementWrite!(patterns?.redact(redactedText) ?? redactedText, record.severity)
      }
      record.body = redactedText
      handler.handle(record)
    }
    if (options.path !== undefined) return createStreamProxy(write, () => undefined)
    return createStreamProxy(write, options.stream === undefined ? originalStream : () => options.stream)
  }

  /** Writes text that is not a line, such as the codes that clear a screen, directly: it cannot be queued among lines. */
  function writeDirectly(text: string, name: 'stdout' | 'stderr'): void {
    delivery.flushSync(undefined)
    interceptors.beneath(name).write(text)
  }

  const streams = { stdout: createStream('stdout', targets[0]!), stderr: createStream('stderr', targets.at(-1)!) }
  const interceptor: ConsoleInterceptor = { ...streams, wrap: patterns && createRedactingWrap(patterns) }
  return { interceptor, delivery }
}

/** Returns one exporter for both streams, or one for each. `targets` returns their pipelines, after these were opened. */
function exportersOf(options: PassthroughOptions, targets: () => readonly PipelineTarget[]): readonly Exporter[] {
  const { path, stream, write } = options
  const deliveryOptions = pickDeliveryOptions(options)
  const batchOptions = definedOptions(options, ['batchBytes'])
  const schedule = scheduleOf(write, deliveryOptions)
  const exporterForStream = (target: TextStream) =>
    streamExporter(target, { schedule, delivery: deliveryOptions, ...batchOptions })
  const standardStream = asStandardStream(stream)
  if (stream !== undefined && standardStream === undefined) return [exporterForStream(stream)]
  const asConsoleExporter = (exporter: Exporter): Exporter => {
    // The default of `onFull` is set here and not in the options of the exporter: all exporters of a destination must have equal options.
    const delivery = { onFull: 'block' as const, ...exporter.delivery }
    return withStallTimeout({ ...exporter, encoding: plainLines(), schedule, delivery, ...batchOptions }, () => {
      // The deadline is now: write what the streams accept without waiting.
      for (const { processor } of targets()) processor.drain(nodePlatform.monotonic(), false)
    })
  }
  const lineOptions = { ...deliveryOptions, format: 'json' as const }
  const exporterForDescriptor = (fd: number) =>
    asConsoleExporter(fdExporter({ ...lineOptions, fd, ...definedOptions(options, ['write']) }))
  if (standardStream !== undefined) return [exporterForDescriptor(standardStream.fd)]
  if (path !== undefined)
    return [asConsoleExporter(fileExporter({ ...lineOptions, path, ...definedOptions(options, ['mkdir']) }))]
  // The output of a worker thread goes to the streams that its parent configured.
  if (!isMainThread) return [exporterForStream(process.stdout), exporterForStream(process.stderr)]
  return [exporterForDescriptor(1), exporterForDescriptor(2)]
}

/** Creates the record that is used for all text of a stream. Only its body is set for each text: lines contain nothing else. */
function createTextRecord(name: 'stdout' | 'stderr'): LogRecord {
  const record = newRecord(
    0,
    name === 'stdout' ? standardSeverities.info : standardSeverities.error,
    '',
    emptyBoundState,
  )
  record.keepsBraces = true
  return record
}

/** Returns a function that wraps a console method so that patterns are applied to its arguments before Node formats and truncates them. */
function createRedactingWrap(patterns: TextPatterns): (name: ConsoleMethod, methods: Methods) => Method {
  return (name, methods) => {
    function redactAndCall(...args: unknown[]): unknown {
      const redactedArgs = redactedArguments(name, args, patterns)
      // The trace is built here, because the stack in that of the console would include a frame of this package.
      return name === 'trace'
        ? methods.error(stackOf(format(...redactedArgs), redactAndCall))
        : methods[name](...redactedArgs)
    }
    define(redactAndCall, 'name', { value: name, configurable: true })
    return redactAndCall
  }
}
