import { reportAddedPath } from '../../platform/node/otlp-endpoint.ts'
import { otlpEncoding } from '../../encode/otlp/otlp-request.ts'
import type { Exporter, ExporterHost } from '../../pipeline/exporter.ts'
import type { Environment } from '../../platform/node/variables.ts'
import { readOtlpEnvironment } from '../../platform/node/otel-env.ts'
import { canSendAtExit } from './exit-sender.ts'
import { otlpSettings, type OtlpExporterOptions, type OtlpSettings } from './options.ts'
import { OtlpSender } from './sender.ts'
import { nodeTiming } from '../retry/retry.ts'
import { withRetry } from '../retry/with-retry.ts'
import type { RetryTiming } from '../retry/retry-options.ts'
import { otlpSpoolTarget } from './spool-target.ts'
import { setSpoolTarget } from '../spool/spool-target.ts'

/**
 * The maximum size of a batch of several records with ASCII text, in bytes. With what a request adds, it is less than 1 MiB, a common
 * default limit of proxies. Text that is not ASCII can be up to three times as long, as for any `Exporter.batchBytes`.
 */
const batchBytes = 512 * 1024

/**
 * Creates an exporter that sends records by OTLP/HTTP to an OpenTelemetry Collector or any other OTLP backend. It sends batches
 * of at most 512 records after at most one second, with retries. The queue holds at most 16,384 records and 16 MiB. Options
 * that are not set are read from the `OTEL_EXPORTER_OTLP_…` environment variables. Requests use the proxies that Node's own
 * agent uses when the exporter is created.
 *
 * A batch that is not accepted is retried for two minutes, as OTLP prescribes. So there is no default `exportTimeoutMillis`:
 * `timeoutMillis` limits each attempt, `retry.maxElapsedMillis` all of them. At process exit, a worker thread sends queued
 * records while this thread is blocked, for at most `exitTimeoutMillis`. If that is not possible (with an `agent`, in a bundle
 * without the worker's file, or under `--permission` without workers), the process stays alive until all records are sent or
 * dropped, `process.exit()` loses queued records, and the logger rejects `onFull: 'block'`.
 *
 * @throws ConfigurationError if the options are invalid. The environment never causes an error.
 */
export function otlpExporter(options: OtlpExporterOptions = {}): Exporter {
  return otlpExporterIn(process.env, options)
}

/** Creates the same exporter for a given environment and timing. */
export function otlpExporterIn(
  env: Environment,
  options: OtlpExporterOptions,
  timing: RetryTiming = nodeTiming,
): Exporter {
  const settings = otlpSettings(options, env)
  const exporter = withRetry(singleAttemptExporter(env, settings), settings.retry, timing)
  return setSpoolTarget(exporter, () =>
    otlpSpoolTarget(options, settings, (spoolSettings) => singleAttemptExporter(env, spoolSettings), env),
  )
}

/** Creates an exporter that attempts each batch once. */
function singleAttemptExporter(env: Environment, settings: OtlpSettings): Exporter {
  const { delivery, delayMillis, maxRequestBytes } = settings
  const encoding = otlpEncoding(settings.protocol)
  // Use only the origin: some vendors have a token in the path.
  const name = `otlp:${settings.url.origin}`
  const sender = new OtlpSender(name, settings, encoding)
  return {
    name,
    component: {
      type: settings.protocol === 'http/json' ? 'otlp_http_json_log_exporter' : 'otlp_http_log_exporter',
      serverAddress: settings.url.hostname,
      serverPort: Number(settings.url.port || (settings.url.protocol === 'https:' ? 443 : 80)),
    },
    encoding,
    schedule: { delayMillis },
    delivery,
    batchBytes: Math.min(batchBytes, maxRequestBytes),
    start(host: ExporterHost) {
      // Only reports invalid variables. The settings were read when the exporter was created.
      readOtlpEnvironment(({ code, message }) => host.reportDiagnostic(code, message), env)
      reportAddedPath(host, name, settings)
      sender.start(host)
    },
    export: (batch, signal) => sender.export(batch, signal),
    // Without `exportSync`, the process stays alive until all records are sent, because they cannot be sent while it exits.
    ...(settings.agent === undefined && canSendAtExit()
      ? { exportSync: (batch, deadline, final) => sender.exportSync(batch, deadline, final) }
      : {}),
    keepAlive: (alive) => sender.keepAlive(alive),
    shutdown: () => sender.shutdown(),
  }
}
