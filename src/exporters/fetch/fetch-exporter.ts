import { reportAddedPath } from '../../platform/node/otlp-endpoint.ts'
import { attributeWorkTo } from '../../lifecycle/shared-exit-guard.ts'
import { delay } from '../../platform/edge/timers.ts'
import { otlpEncoding } from '../../encode/otlp/otlp-request.ts'
import type { Exporter } from '../../pipeline/exporter.ts'
import { fetchSettings, type FetchExporterOptions } from './options.ts'
import { FetchSender } from './sender.ts'
import { withRetry } from '../retry/with-retry.ts'
import type { RetryTiming } from '../retry/retry-options.ts'

/**
 * The maximum size of a batch of several records with ASCII text, in bytes. With what a request adds, it is less than 1 MiB, a common
 * default limit of proxies. Text that is not ASCII can be up to three times as long, as for any `Exporter.batchBytes`.
 */
const batchBytes = 512 * 1024
/**
 * The maximum size of a batch with `keepalive`, likewise: less than a third of 60 KiB, the longest request that is sent with
 * `keepalive`, so that a batch with text that is not ASCII fits too.
 */
const keepaliveBatchBytes = 17 * 1024

/**
 * The timers and random numbers of retries. What a retry starts, such as a request, is attributed to exporters: on Node, when the event
 * loop of a process is empty, the work of exporters keeps the process alive for a limited time.
 */
const timing: RetryTiming = {
  delay: (millis, callback) => delay(millis, () => attributeWorkTo('exporter', callback)),
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
    start(host) {
      reportAddedPath(host, name, settings)
      sender.start(host)
    },
    export: (batch, signal) => sender.export(batch, signal),
    abandon: () => sender.abandon(),
    shutdown: async () => sender.shutdown(),
  }
  return withRetry(singleAttempt, settings.retry, timing)
}
