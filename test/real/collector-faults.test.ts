import { afterAll, afterEach, expect } from '@jest/globals'
import { closeLoggers, numbers, otlpLogger } from '../exporters/otlp/otlp-logger.ts'
import { type Collector, collectorIsThere, startCollector } from '../support/otlp/collector.ts'
import { needs } from '../support/needs.ts'
import { temporaryDirectory } from '../support/files/pipes.ts'
import { tcpProxy } from '../support/processes/tcp-proxy.ts'
import { until } from '../support/until.ts'

const testCollector = needs('the Collector (`npm run real-parts`)', collectorIsThere)
const directory = temporaryDirectory()

const PATIENCE_MILLIS = 30_000
const patiently = { timeoutMillis: PATIENCE_MILLIS }

afterEach(closeLoggers)
afterAll(() => directory.remove())

/** The settings of a Collector that hands everything on to another one, by a queue that `queue` describes. */
function handingOn(next: Collector, sending_queue: object): object {
  const retry_on_failure = { initial_interval: '20ms', max_interval: '100ms', max_elapsed_time: 0 }
  return {
    extensions: { 'file_storage/queue': { directory: '${env:QUEUE}', create_directory: true, fsync: true } },
    exporters: { 'otlp_http/next': { endpoint: next.httpUrl, retry_on_failure, sending_queue } },
    service: { extensions: ['file_storage/queue'], pipelines: { logs: { exporters: ['otlp_http/next'] } } },
  }
}

/** The numbers of the records in a Collector's file. */
function numbersIn(collector: Collector): number[] {
  const attributes = collector.records().flatMap(({ attributes }) => attributes)
  return attributes.flatMap(({ key, value }) => (key === 'seq' && 'intValue' in value ? [Number(value.intValue)] : []))
}

const inOrder = (list: Iterable<number>): number[] => [...list].toSorted((a, b) => a - b)

/** What stands in a list more than once. */
function repeatedIn(list: readonly number[]): number[] {
  return [...new Set(list)].filter((item) => list.indexOf(item) !== list.lastIndexOf(item))
}

/** How many records each notice of a loss tells of. */
function toldIn(collector: Collector): number[] {
  const notices = collector.records().filter(({ eventName }) => eventName === 'sluice.records_dropped')
  const counts = notices.map(({ attributes }) => attributes.find(({ key }) => key === 'dropped')!.value)
  return counts.map((value) => ('intValue' in value ? Number(value.intValue) : NaN))
}

const sum = (list: readonly number[]): number => list.reduce((total, item) => total + item, 0)

/** A sink that outlives the end of the Collector in front of it, which keeps what it has taken on its disk. */
async function chain(name: string, sending_queue: object = { storage: 'file_storage/queue' }) {
  const last = await startCollector(directory.path(`${name}/last`))
  const first = await startCollector(directory.path(name), { config: handingOn(last, sending_queue) })
  return {
    first,
    last,
    url: `${first.httpUrl}/v1/logs`,
    /** Waits until so many have arrived, whichever came twice, and ends both. */
    async end(least: number): Promise<number[]> {
      await until(() => new Set(numbersIn(last)).size >= least, PATIENCE_MILLIS)
      await first.stop()
      await last.stop()
      return numbersIn(last)
    },
  }
}

testCollector(
  'a Collector whose queue is full is asked again until it is not: nothing is lost (row 38, OTL8)',
  async () => {
    const { last, url, end } = await chain('full', { queue_size: 1, num_consumers: 1 })
    await last.kill('SIGKILL')
    const { log, logAll, ledger, problems } = otlpLogger({ url, maxExportBatchSize: 10 })
    logAll(100)
    await until(() => problems.some(({ message }) => message.endsWith('answered 503 (sending queue is full)')))
    const { written, queued } = ledger()
    expect(written).toBeLessThan(100)
    expect([written + queued, ledger().dropped.total]).toEqual([100, 0])
    await last.restart()
    expect(await log.shutdown(patiently)).toEqual({ ok: true, pending: 0, dropped: 0 })
    expect(ledger()).toMatchObject({ emitted: 100, accepted: 100, written: 100, unknown: 0, maybeDuplicated: 0 })
    const found = await end(100)
    expect(inOrder(found)).toEqual(numbers(100))
  },
)

testCollector(
  'a Collector that is killed again and again while a logger talks costs nothing (rows 37 and 48, OTL10)',
  async () => {
    const { first, url, end } = await chain('killed')
    const { log, logAll, ledger } = otlpLogger({ url, maxExportBatchSize: 50 })
    const talking = setInterval(() => logAll(5), 5)
    for (let kills = 0; kills < 5; kills++) {
      const enough = ledger().written + 100
      await until(() => ledger().written >= enough && ledger().inFlight > 0, PATIENCE_MILLIS)
      await first.kill('SIGKILL')
      await until(() => ledger().queued > 100)
      await first.restart()
    }
    clearInterval(talking)
    expect(await log.shutdown(patiently)).toEqual({ ok: true, pending: 0, dropped: 0 })
    const { emitted, written, queued, unknown, dropped } = ledger()
    expect([written, queued, unknown, dropped.total]).toEqual([emitted, 0, 0, 0])
    // What the Collector has on its disk it may hand on twice itself.
    expect(inOrder(new Set(await end(emitted)))).toEqual(numbers(emitted))
  },
)

testCollector(
  'what a Collector took whose answer was cut off is sent again and counted as such: so many came twice (row 41, OTL10)',
  async () => {
    const collector = await startCollector(directory.path('cut'))
    const proxy = await tcpProxy(Number(new URL(collector.httpUrl).port))
    const { log, logAll, ledger } = otlpLogger({ url: proxy.url, maxExportBatchSize: 10 })
    logAll(10)
    await log.flush(patiently)
    proxy.mode = 'cut'
    logAll(20)
    await until(() => proxy.connected > 2)
    proxy.mode = 'pass'
    expect(await log.shutdown(patiently)).toEqual({ ok: true, pending: 0, dropped: 0 })
    await proxy.refuse()
    await collector.stop()
    const found = numbersIn(collector)
    expect(inOrder(new Set(found))).toEqual(numbers(30))
    expect(repeatedIn(found)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
    expect(ledger()).toMatchObject({ emitted: 30, written: 30, unknown: 0, maybeDuplicated: 10 })
  },
)

testCollector(
  'what is dropped while a Collector is away is counted, and what it has afterwards is the rest (rows 14, 37 and 48, OTL18)',
  async () => {
    const { first, last, url, end } = await chain('away')
    const retry = { maxElapsedMillis: 100 }
    const { log, logAll, ledger } = otlpLogger({ url, maxExportBatchSize: 50, maxQueueSize: 200, retry })
    logAll(150)
    await log.flush(patiently)
    await first.kill('SIGKILL')
    logAll(150)
    await until(() => ledger().dropped.byReason.retry_exhausted > 0)
    logAll(300)
    expect(ledger().dropped.byReason.queue_full).toBeGreaterThan(0)
    await first.restart()
    await log.flush(patiently)
    logAll(10)
    await log.shutdown(patiently)

    const { emitted, accepted, written, queued, unknown } = ledger()
    const lost = ledger().dropped.total
    expect([accepted, queued, written + unknown + lost]).toEqual([emitted, 0, emitted])
    await until(() => sum(toldIn(last)) === lost, PATIENCE_MILLIS)
    const arrived = new Set(await end(written - toldIn(last).length)).size + toldIn(last).length
    // Nobody knows of what was under way when it was killed.
    expect(arrived).toBeGreaterThanOrEqual(written)
    expect(arrived).toBeLessThanOrEqual(written + unknown)
  },
)
