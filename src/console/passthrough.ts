import { isMainThread } from '../platform/node/main-thread.ts'
import { plainLines } from '../encode/plain-lines.ts'
import { plainRules } from '../encode/plain.ts'
import type { LoggerDelivery } from '../lifecycle/logger-delivery.ts'
import { diagnosticReporter } from '../lifecycle/diagnostic-reporter.ts'
import { fdExporter } from '../exporters/fd/fd-exporter.ts'
import { fileExporter } from '../exporters/file/file-exporter.ts'
import { definedOptions, pickDeliveryOptions } from '../exporters/exporter-options.ts'
import { stderrLine } from '../exporters/stderr.ts'
import { streamExporter, type TextStream } from '../exporters/stream-exporter.ts'
import { scheduleOf } from '../exporters/line-exporter-options.ts'
import { encodingHandler, type PipelineTarget } from '../handler/encoding-handler.ts'
import type { Exporter } from '../pipeline/exporter.ts'
import { unbound } from '../record/bound.ts'
import { newRecord, type LogRecord } from '../record/record.ts'
import { severityOf } from '../record/severity.ts'
import type { Redaction } from '../redact/redact.ts'
import { nodePlatform } from '../platform/node/platform.ts'
import { replacedWrite } from '../platform/node/replaced-write.ts'
import { asStandardStream } from '../platform/node/standard-streams.ts'
import { openTextPipelines } from '../platform/node/text-pipelines.ts'
import type { ConsoleInterceptor, Hooks, Method, Methods } from './hooks.ts'
import type { PassthroughOptions } from './options.ts'
import { withStallTimeout } from './stall-timeout.ts'
import { redactPrintedBytes } from './shown-bytes.ts'
import { streamProxy, type StreamProxy, type Terminal } from './stream-proxy.ts'
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
export function passthrough(options: PassthroughOptions, redaction: Redaction, hooks: Hooks): Passthrough {
  const reportDiagnostic = diagnosticReporter(options.onDiagnostic, stderrLine, nodePlatform.monotonic)
  const exporters = exportersOf(options, () => outputs)
  const { outputs, delivery } = openTextPipelines(exporters, reportDiagnostic, options)
  const standard = asStandardStream(options.stream)
  const passOn = standard && replacedWrite(standard, outputs[0]!, delivery.flushSync, reportDiagnostic)
  const isOurs = options.path !== undefined || options.stream !== undefined
  const rules = { ...plainRules, redaction }
  const { patterns } = redaction

  function streamOf(name: 'stdout' | 'stderr', output: PipelineTarget): StreamProxy {
    const handler = encodingHandler([output], rules)
    const record = recordOf(name)
    const beneath = (): Terminal => hooks.beneath(name)
    const write = (text: string) => {
      if (!isOurs && !text.endsWith('\n')) return writeDirectly(text, name)
      const shown = patterns === undefined ? text : redactPrintedBytes(text, patterns)
      if (standard?.isReplaced === true) {
        output.owner.counters.emitted++
        return passOn!(patterns?.redacted(shown) ?? shown, record.severity)
      }
      record.body = shown
      handler.handle(record)
    }
    if (options.path !== undefined) return streamProxy(write, () => undefined)
    return streamProxy(write, options.stream === undefined ? beneath : () => options.stream)
  }

  /** Writes text that is not a line, such as the codes that clear a screen, directly: it cannot be queued among lines. */
  function writeDirectly(text: string, name: 'stdout' | 'stderr'): void {
    delivery.flushSync(undefined)
    hooks.beneath(name).write(text)
  }

  const streams = { stdout: streamOf('stdout', outputs[0]!), stderr: streamOf('stderr', outputs.at(-1)!) }
  const interceptor: ConsoleInterceptor = { ...streams, wrap: patterns && redactingMethod(patterns) }
  return { interceptor, delivery }
}

/** Returns one exporter for both streams, or one for each. `outputs` returns their pipelines once these are open. */
function exportersOf(options: PassthroughOptions, outputs: () => readonly PipelineTarget[]): readonly Exporter[] {
  const { path, stream, write } = options
  const deliveryOptions = pickDeliveryOptions(options)
  const batches = definedOptions(options, ['batchBytes'])
  const schedule = scheduleOf(write, deliveryOptions)
  const toStream = (to: TextStream) => streamExporter(to, { schedule, delivery: deliveryOptions, ...batches })
  const standard = asStandardStream(stream)
  if (stream !== undefined && standard === undefined) return [toStream(stream)]
  const linesTo = (exporter: Exporter): Exporter => {
    // Applied here because writers that share a destination must agree only on options that the user set.
    const delivery = { onFull: 'block' as const, ...exporter.delivery }
    return withStallTimeout({ ...exporter, encoding: plainLines(), schedule, delivery, ...batches }, () => {
      for (const { processor } of outputs()) processor.drain(nodePlatform.monotonic(), false)
    })
  }
  const lines = { ...deliveryOptions, format: 'json' as const }
  const toDescriptor = (fd: number) => linesTo(fdExporter({ ...lines, fd, ...definedOptions(options, ['write']) }))
  if (standard !== undefined) return [toDescriptor(standard.fd)]
  if (path !== undefined) return [linesTo(fileExporter({ ...lines, path, ...definedOptions(options, ['mkdir']) }))]
  // The output of a worker thread goes to the streams that its parent configured.
  if (!isMainThread) return [toStream(process.stdout), toStream(process.stderr)]
  return [toDescriptor(1), toDescriptor(2)]
}

/** Returns the one record that is used for all text of a stream: only its body changes, because the encoder reads nothing else. */
function recordOf(name: 'stdout' | 'stderr'): LogRecord {
  const record = newRecord(0, name === 'stdout' ? severityOf.info : severityOf.error, '', unbound)
  record.literal = true
  return record
}

/** Wraps the methods of a console so that patterns are applied to the arguments before Node formats and truncates them. */
function redactingMethod(patterns: TextPatterns): (name: ConsoleMethod, methods: Methods) => Method {
  return (name, methods) => {
    function redacting(...args: unknown[]): unknown {
      const shown = redactedArguments(name, args, patterns)
      // Built here, because the console's own trace would include a frame of this package.
      return name === 'trace' ? methods.error(stackOf(format(...shown), redacting)) : methods[name](...shown)
    }
    define(redacting, 'name', { value: name, configurable: true })
    return redacting
  }
}
