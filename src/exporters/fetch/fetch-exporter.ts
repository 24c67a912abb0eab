import { runAs } from '../../lifecycle/exit-guard-place.ts'
import { delay } from '../../platform/edge/timers.ts'
import { otlpEncoding } from '../../encode/otlp/otlp-request.ts'
import type { Exporter } from '../../pipeline/exporter.ts'
import { fetchSettings, type FetchExporterOptions } from './options.ts'
import { FetchSender } from './sender.ts'
import { retrying, type RetryTiming } from '../retry/retrying.ts'

/** The most bytes of several records in one batch: with what is around them less than the MiB that proxies take by default. */
const batchBytes = 512 * 1024
/** A third of what may be kept alive, and less: text that is not ASCII takes up to three times the bytes. */
const keptAliveBatchBytes = 17 * 1024

/** On Node, what a try starts during a natural exit counts as the exporter's. */
const timing: RetryTiming = {
  delay: (millis, callback) => delay(millis, () => runAs('exporter', callback)),
  random: Math.random,
}

/**
 * Sends records by OTLP/HTTP over `fetch`, where there is no Node: batches of at most 512 after at most a second, with the
 * retries and counts of `otlpExporter`, while at most 2,048 records and 2 MiB wait.
 *
 * Nobody is told when a page or an isolate ends: what waits then is lost, and `onFull: 'block'` is refused by the logger.
 * `flush()` in time is up to the program; see the guide for browsers and the edge.
 *
 * @throws ConfigurationError when the options are wrong.
 */
export function fetchExporter(options: FetchExporterOptions): Exporter {
  const settings = fetchSettings(options)
  const { url, protocol, delivery, delayMillis, maxRequestBytes, keepalive } = settings
  const encoding = otlpEncoding(protocol)
  // Not more of the URL: some vendors have a token in the path.
  const name = `otlp:${url.origin}`
  const sender = new FetchSender(name, settings, encoding)
  const once: Exporter = {
    name,
    component: {
      type: protocol === 'http/json' ? 'otlp_http_json_log_exporter' : 'otlp_http_log_exporter',
      serverAddress: url.hostname,
      serverPort: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
    },
    encoding,
    schedule: { delayMillis },
    delivery,
    batchBytes: Math.min(keepalive ? keptAliveBatchBytes : batchBytes, maxRequestBytes),
    start: (host) => sender.start(host),
    export: (batch, signal) => sender.export(batch, signal),
    abandon: () => sender.abandon(),
    shutdown: async () => sender.shutdown(),
  }
  return retrying(once, settings.retry, timing)
}
