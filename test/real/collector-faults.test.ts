import { afterAll, afterEach, expect } from '@jest/globals'
import { closeLoggers, numbers, otlpLogger } from '../exporters/otlp/otlp-logger.ts'
import { type Collector, hasCollector, startCollector } from '../support/otlp/collector.ts'
import { needs } from '../support/needs.ts'
import { temporaryDirectory } from '../support/files/pipes.ts'
import { tcpProxy } from '../support/processes/tcp-proxy.ts'
import { waitUntil } from '../support/wait-until.ts'

const testCollector = needs('the Collector (`npm run real-parts`)', hasCollector)
const directory = temporaryDirectory()

const PATIENCE_MILLIS = 30_000
const patiently = { timeoutMillis: PATIENCE_MILLIS }

afterEach(closeLoggers)
afterAll(() => directory.remove())

/** Returns the settings of a Collector that forwards all records to another one through a queue. */
function forwardingTo(next: Collector, sending_queue: object): object {
  const retry_on_failure = { initial_interval: '20ms', max_interval: '100ms', max_elapsed_time: 0 }
  return {
    extensions: { 'file_storage/queue': { directory: '${env:QUEUE}', create_directory: true, fsync: true } },
    exporters: { 'otlp_http/next': { endpoint: next.httpUrl, retry_on_failure, sending_queue } },
    service: { extensions: ['file_storage/queue'], pipelines: { logs: { exporters: ['otlp_http/next'] } } },
  }
}

/** Returns the sequence numbers of the records in a Collector's file. */
function numbersIn(collector: Collector): number[] {
  const attributes = collector.records().flatMap(({ attributes }) => attributes)
  return attributes.flatMap(({ key, value }) => (key === 'seq' && 'intValue' in value ? [Number(value.intValue)] : []))
}

const inOrder = (list: Iterable<number>): number[] => [...list].toSorted((a, b) => a - b)

/** Returns the items that occur more than once. */
function repeatedIn(list: readonly number[]): number[] {
  return [...new Set(list)].filter((item) => list.indexOf(item) !== list.lastIndexOf(item))
}

/** Returns the number of records in each drop report. */
function droppedCountsIn(collector: Collector): number[] {
  const reports = collector.records().filter(({ eventName }) => eventName === 'sluice.records_dropped')
  const counts = reports.map(({ attributes }) => attributes.find(({ key }) => key === 'dropped')!.value)
  return counts.map((value) => ('intValue' in value ? Number(value.intValue) : NaN))
}

const sum = (list: readonly number[]): number => list.reduce((total, item) => total + item, 0)

/** Starts a Collector that stores accepted records on disk and forwards them to a second one. */
async function chain(name: string, sending_queue: object = { storage: 'file_storage/queue' }) {
  const last = await startCollector(directory.path(`${name}/last`))
  const first = await startCollector(directory.path(name), { config: forwardingTo(last, sending_queue) })
  return {
    first,
    last,
    url: `${first.httpUrl}/v1/logs`,
    /** Waits until `least` distinct records have arrived, and stops both. */
    async end(least: number): Promise<number[]> {
      await waitUntil(() => new Set(numbersIn(last)).size >= least, PATIENCE_MILLIS)
      await first.stop()
      await last.stop()
      return numbersIn(last)
    },
  }
}

// Requirements: OTL8
// Fault rows: 38
testCollector('records are retried without loss until the full queue of a Collector has space', async () => {
  const { last, url, end } = await chain('full', { queue_size: 1, num_consumers: 1 })
  await last.kill('SIGKILL')
  const { log, logAll, deliveryStats, problems } = otlpLogger({ url, maxExportBatchSize: 10 })
  logAll(100)
  await waitUntil(() =>
    problems.some(({ message }) => message.endsWith('responded with status 503 (sending queue is full)')),
  )
  const { written, queued } = deliveryStats()
  expect(written).toBeLessThan(100)
  expect([written + queued, deliveryStats().dropped.total]).toEqual([100, 0])
  await last.restart()
  expect(await log.shutdown(patiently)).toEqual({ ok: true, pending: 0, dropped: 0 })
  expect(deliveryStats()).toMatchObject({ emitted: 100, accepted: 100, written: 100, unknown: 0, maybeDuplicated: 0 })
  const found = await end(100)
  expect(inOrder(found)).toEqual(numbers(100))
})

// Requirements: OTL10
// Fault rows: 37, 48
testCollector('no records are lost when a Collector is killed repeatedly during logging', async () => {
  const { first, url, end } = await chain('killed')
  const { log, logAll, deliveryStats } = otlpLogger({ url, maxExportBatchSize: 50 })
  const logging = setInterval(() => logAll(5), 5)
  for (let kills = 0; kills < 5; kills++) {
    const enough = deliveryStats().written + 100
    await waitUntil(() => deliveryStats().written >= enough && deliveryStats().inFlight > 0, PATIENCE_MILLIS)
    await first.kill('SIGKILL')
    await waitUntil(() => deliveryStats().queued > 100)
    await first.restart()
  }
  clearInterval(logging)
  expect(await log.shutdown(patiently)).toEqual({ ok: true, pending: 0, dropped: 0 })
  const { emitted, written, queued, unknown, dropped } = deliveryStats()
  expect([written, queued, unknown, dropped.total]).toEqual([emitted, 0, 0, 0])
  // The Collector itself may forward records from its disk twice.
  expect(inOrder(new Set(await end(emitted)))).toEqual(numbers(emitted))
})

// Requirements: OTL10
// Fault rows: 41
testCollector('records whose response was cut off are sent again and counted as maybe duplicated', async () => {
  const collector = await startCollector(directory.path('cut'))
  const proxy = await tcpProxy(Number(new URL(collector.httpUrl).port))
  const { log, logAll, deliveryStats } = otlpLogger({ url: proxy.url, maxExportBatchSize: 10 })
  logAll(10)
  await log.flush(patiently)
  proxy.mode = 'cut'
  logAll(20)
  await waitUntil(() => proxy.connectionCount > 2)
  proxy.mode = 'pass'
  expect(await log.shutdown(patiently)).toEqual({ ok: true, pending: 0, dropped: 0 })
  await proxy.refuse()
  await collector.stop()
  const found = numbersIn(collector)
  expect(inOrder(new Set(found))).toEqual(numbers(30))
  expect(repeatedIn(found)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
  expect(deliveryStats()).toMatchObject({ emitted: 30, written: 30, unknown: 0, maybeDuplicated: 10 })
})

// Requirements: OTL18
// Fault rows: 14, 37, 48
testCollector(
  'records dropped while a Collector is down are counted, and the Collector receives all others',
  async () => {
    const { first, last, url, end } = await chain('away')
    const retry = { maxElapsedMillis: 100 }
    const { log, logAll, deliveryStats } = otlpLogger({ url, maxExportBatchSize: 50, maxQueueSize: 200, retry })
    logAll(150)
    await log.flush(patiently)
    await first.kill('SIGKILL')
    logAll(150)
    await waitUntil(() => deliveryStats().dropped.byReason.retry_exhausted > 0)
    logAll(300)
    expect(deliveryStats().dropped.byReason.queue_full).toBeGreaterThan(0)
    await first.restart()
    await log.flush(patiently)
    logAll(10)
    await log.shutdown(patiently)

    const { emitted, accepted, written, queued, unknown } = deliveryStats()
    const lost = deliveryStats().dropped.total
    expect([accepted, queued, written + unknown + lost]).toEqual([emitted, 0, emitted])
    await waitUntil(() => sum(droppedCountsIn(last)) === lost, PATIENCE_MILLIS)
    const arrived = new Set(await end(written - droppedCountsIn(last).length)).size + droppedCountsIn(last).length
    // The outcome of requests in flight during the kill is unknown.
    expect(arrived).toBeGreaterThanOrEqual(written)
    expect(arrived).toBeLessThanOrEqual(written + unknown)
  },
)
