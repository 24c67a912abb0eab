import { otlpEncoding } from '../../encode/otlp/otlp-request.ts'
import type { Exporter, ExporterHost } from '../../pipeline/exporter.ts'
import type { Environment } from '../../platform/node/env.ts'
import { readOtlpEnvironment } from '../../platform/node/otel-env.ts'
import { canSendAtExit } from './at-exit.ts'
import { otlpSettings, type OtlpExporterOptions, type OtlpSettings } from './options.ts'
import { OtlpSender } from './sender.ts'
import { realTiming } from '../retry/retry.ts'
import { retrying, type RetryTiming } from '../retry/retrying.ts'
import { otlpSpoolEnd } from './spool-end.ts'
import { spoolable } from '../spool/spoolable.ts'

/** The most bytes of several records in one batch: with what is around them less than the MiB that proxies take by default. */
const batchBytes = 512 * 1024

/**
 * Sends records by OTLP/HTTP to an OpenTelemetry Collector or whatever else speaks it: batches of at most 512 after at most a
 * second, with retries, while at most 16,384 records and 16 MiB wait. What code does not say, the `OTEL_EXPORTER_OTLP_…`
 * variables say. Requests go through the proxies that Node's own agent uses when the exporter is created.
 *
 * A batch that is not taken is tried again for two minutes, as OTLP prescribes (OTL8 to OTL10). So its `exportTimeoutMillis`
 * is none by default: `timeoutMillis` bounds each try, `retry.maxElapsedMillis` all of them. When the process ends, a worker
 * thread sends what waits while this thread stands still, at most `exitTimeoutMillis`. Where that cannot be (an `agent`, a
 * bundle without the worker's file, `--permission` without workers) the process stays alive until all is sent or given up,
 * `process.exit()` loses what waits, and `onFull: 'block'` is refused by the logger.
 *
 * @throws ConfigurationError when the options are wrong. The environment never makes it throw.
 */
export function otlpExporter(options: OtlpExporterOptions = {}): Exporter {
  return otlpExporterIn(process.env, options)
}

/** The same in an environment, and with a time, of one's own. */
export function otlpExporterIn(
  env: Environment,
  options: OtlpExporterOptions,
  timing: RetryTiming = realTiming,
): Exporter {
  const settings = otlpSettings(options, env)
  const exporter = retrying(onceIn(env, settings), settings.retry, timing)
  return spoolable(exporter, () => otlpSpoolEnd(options, settings, (spooled) => onceIn(env, spooled), env))
}

/** The exporter that tries each batch once. */
function onceIn(env: Environment, settings: OtlpSettings): Exporter {
  const { delivery, delayMillis, maxRequestBytes } = settings
  const encoding = otlpEncoding(settings.protocol)
  // Not more of the URL: some vendors have a token in the path.
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
      readOtlpEnvironment(({ code, message }) => host.reportDiagnostic(code, message), env)
      sender.start(host)
    },
    export: (batch, signal) => sender.export(batch, signal),
    // Without it the process stays alive until all is sent: nobody could send it afterwards.
    ...(settings.agent === undefined && canSendAtExit()
      ? { exportSync: (batch, deadline, final) => sender.exportSync(batch, deadline, final) }
      : {}),
    keepAlive: (alive) => sender.keepAlive(alive),
    shutdown: () => sender.shutdown(),
  }
}
