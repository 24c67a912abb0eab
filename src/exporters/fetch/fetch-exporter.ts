import { runAs } from '../../lifecycle/exit-guard-place.ts'
import { delay } from '../../platform/edge/timers.ts'
import { otlpEncoding } from '../../encode/otlp/otlp-request.ts'
import type { Exporter } from '../../pipeline/exporter.ts'
import { fetchSettings, type FetchExporterOptions } from './options.ts'
import { FetchSender } from './sender.ts'
import { withRetry } from '../retry/retrying.ts'
import type { RetryTiming } from '../retry/retry-options.ts'

/**
 * The maximum bytes in a batch of several records. With the request around them, this is less than the 1 MiB limit that proxies
 * commonly have by default.
 */
const batchBytes = 512 * 1024
/** Less than a third of the keepalive limit, because text that is not ASCII takes up to three times the bytes. */
const keepaliveBatchBytes = 17 * 1024

/** On Node, requests that a retry starts during a natural exit are attributed to the exporter. */
const timing: RetryTiming = {
  delay: (millis, callback) => delay(millis, () => runAs('exporter', callback)),
  random: Math.random,
}

/**
 * Creates an exporter that sends records by OTLP/HTTP with `fetch`, for runtimes other than Node. It sends batches of at most
 * 512 records after at most one second, with the retries and statistics of `otlpExporter`. The queue holds at most 2,048
 * records and 2 MiB.
 *
 * There is no exit event when a page or an isolate ends: queued records are then lost, and the logger rejects
 * `onFull: 'block'`. Call `flush()` in time; see the guide for browsers and the edge.
 *
 * @throws ConfigurationError if the options are invalid.
 */
export function fetchExporter(options: FetchExporterOptions): Exporter {
  const settings = fetchSettings(options)
  const { url, protocol, delivery, delayMillis, maxRequestBytes, keepalive } = settings
  const encoding = otlpEncoding(protocol)
  // Use only the origin: some vendors have a token in the path.
  const name = `otlp:${url.origin}`
  const sender = new FetchSender(name, settings, encoding)
  const singleAttempt: Exporter = {
    name,
    component: {
      type: protocol === 'http/json' ? 'otlp_http_json_log_exporter' : 'otlp_http_log_exporter',
      serverAddress: url.hostname,
      serverPort: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
    },
    encoding,
    schedule: { delayMillis },
    delivery,
    batchBytes: Math.min(keepalive ? keepaliveBatchBytes : batchBytes, maxRequestBytes),
    start: (host) => sender.start(host),
    export: (batch, signal) => sender.export(batch, signal),
    abandon: () => sender.abandon(),
    shutdown: async () => sender.shutdown(),
  }
  return withRetry(singleAttempt, settings.retry, timing)
}
