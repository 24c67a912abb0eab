import { afterAll, expect } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isInstalled } from '../../scripts/real-parts/install.ts'
import { kafka } from '../../scripts/real-parts/kafka.ts'
import { folderOf } from '../../scripts/real-parts/part.ts'
import { columnStore } from '../../scripts/real-parts/python.ts'
import { hasCollector, startCollector } from '../support/otlp/collector.ts'
import { needs } from '../support/needs.ts'
import { runs } from '../support/runs.ts'
import { temporaryDirectory } from '../support/files/pipes.ts'
import { startProgram, type RunningProgram } from '../support/processes/start-program.ts'
import { startBroker } from './end-to-end/broker.ts'
import { type Application, verifyStored, type StatsReport, type Stored } from './end-to-end/oracle.ts'

const areThere = hasCollector && isInstalled(kafka) && isInstalled(columnStore)
const testChain = needs('the Collector, Kafka and the column store (`npm run real-parts`)', areThere)
const directory = temporaryDirectory()
const python = join(folderOf(columnStore), columnStore.mainFile)
const programs = join(import.meta.dirname, 'end-to-end')
const application = fileURLToPath(new URL('end-to-end/application.ts', import.meta.url))
const table = directory.path('table')

const RECORDS_PER_SECOND = 500
const ROUNDS = runs > 1 ? 2 : 1
/** The number of records of each application between two faults. */
const BETWEEN_FAULTS = 500
const MOST_MILLIS = 300_000
const STALLED_MILLIS = 60_000

afterAll(() => directory.remove())

/** A running application with its last delivery report. */
interface Running extends RunningProgram {
  last(): StatsReport
}

async function startApplication(run: string, url: string): Promise<Running> {
  const options: Application = { run, url, recordsPerSecond: RECORDS_PER_SECOND, pipe: 3 }
  let last: StatsReport | undefined
  const program = await startProgram({
    command: process.execPath,
    args: [application, JSON.stringify(options)],
    ready: /ready/,
    onReport: (line) => (last = JSON.parse(line) as StatsReport),
  })
  return { ...program, last: () => last ?? { ...nothing, pid: program.pid } }
}

const nothing = { emitted: 0, written: 0, queued: 0, unknown: 0, dropped: 0, maybeDuplicated: 0, ended: false }

/** Waits for a number to reach at least `least`. Throws if it does not increase for a minute. */
async function reaches(what: string, least: number, now: () => number, output = () => ''): Promise<void> {
  let [best, since] = [-1, performance.now()]
  for (; now() < least; await sleep(50)) {
    if (now() > best) [best, since] = [now(), performance.now()]
    else if (performance.now() - since > STALLED_MILLIS)
      throw new Error(`${what} stopped at ${best} of ${least}: ${output()}`)
  }
}

const writesMore = ({ last, output }: Running): Promise<void> =>
  reaches('written', last().written + BETWEEN_FAULTS, () => last().written, output)

// Fault rows: 48
testChain(
  'SQL finds every record counted as written when the application, the Collector, the broker or the loader is killed',
  async () => {
    const run = `run-${Date.now()}`
    const broker = await startBroker(directory.path('broker'))
    const env = { KAFKA: broker.address }
    const collector = await startCollector(directory.path('to-kafka'), { file: 'to-kafka.yaml', env })
    const other = await startCollector(directory.path('from-kafka'), { file: 'from-kafka.yaml', env })
    const startLoader = (): Promise<RunningProgram> =>
      startProgram({ command: python, args: [join(programs, 'loader.py'), broker.address, table], ready: /ready/ })
    let loader = await startLoader()
    const url = `${collector.httpUrl}/v1/logs`
    const applications = [await startApplication(run, url), await startApplication(run, url)]
    const ended: Running[] = []
    const moreWritten = (): Promise<void[]> => Promise.all(applications.map(writesMore))

    for (let round = 0; round < ROUNDS; round++) {
      // Kill the broker; the Collector queues records on disk.
      await moreWritten()
      await broker.kill('SIGKILL')
      await moreWritten()
      await broker.restart()

      // Kill the Collector, which resumes from its disk queue.
      await moreWritten()
      await collector.kill('SIGKILL')
      await collector.restart()

      // Kill both: records queued for the broker must survive the Collector.
      await moreWritten()
      await broker.kill('SIGKILL')
      await moreWritten()
      await collector.kill('SIGKILL')
      await collector.restart()
      await moreWritten()
      await broker.restart()

      // Kill the loader, which copies records from Kafka to the table.
      await moreWritten()
      await loader.kill('SIGKILL')
      loader = await startLoader()

      // Kill an application, and start another.
      await moreWritten()
      await applications[0]!.kill('SIGKILL')
      ended.push(...applications.splice(0, 1, await startApplication(run, url)))
    }
    await moreWritten()
    await Promise.all(applications.map((application) => application.kill('SIGUSR2')))

    const reports = [...ended, ...applications].map((application) => application.last())
    const written = reports.reduce((sum, report) => sum + report.written, 0)
    const loaded = (): number => Number(/.*loaded (\d+)/s.exec(loader.output())?.[1] ?? 0)
    await reaches('loaded', written, loaded, loader.output)
    const inFile = (): number => new Set(other.records().map(identityOf)).size
    await reaches('in the file', written, inFile, other.output)
    await loader.stop()
    await Promise.all([collector.stop(), other.stop()])
    await broker.stop()

    const rows = JSON.parse(execFileSync(python, [join(programs, 'count.py'), table], { encoding: 'utf8' })) as Stored[]
    const verdicts = reports.map((report) =>
      verifyStored(
        report,
        rows.find((row) => row.run === run && row.pid === report.pid),
      ),
    )
    console.log(
      verdicts.map(({ records, duplicates }, i) => ({ ...reports[i], records, duplicates })),
      `${inFile()} in the file of the second Collector, ${other.records().length} with duplicates`,
    )
    expect(verdicts.flatMap(({ problems }) => problems)).toEqual([])
    expect(reports.filter((report) => report.ended).length).toBe(applications.length)
    expect(rows.length).toBe(reports.length)
  },
  MOST_MILLIS,
)

testChain(
  'a request four times as large as the maximum Kafka message arrives completely',
  async () => {
    const broker = await startBroker(directory.path('large/broker'))
    const env = { KAFKA: broker.address }
    const collector = await startCollector(directory.path('large/to-kafka'), { file: 'to-kafka.yaml', env })
    const other = await startCollector(directory.path('large/from-kafka'), { file: 'from-kafka.yaml', env })
    const logRecords = Array.from({ length: 4_000 }, (_, seq) => ({
      body: { stringValue: 'x'.repeat(1_000) },
      attributes: [{ key: 'seq', value: { intValue: String(seq) } }],
    }))
    const { status } = await fetch(`${collector.httpUrl}/v1/logs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }),
    })
    const found = await other.atLeast(logRecords.length)
    await Promise.all([collector.stop(), other.stop()])
    await broker.stop()
    expect([status, found.length, new Set(found.map(identityOf)).size]).toEqual([200, 4_000, 4_000])
  },
  MOST_MILLIS,
)

/** Returns a key that identifies a record. */
function identityOf({
  attributes,
}: {
  readonly attributes: readonly { readonly key: string; readonly value: object }[]
}): string {
  return JSON.stringify(attributes.filter(({ key }) => key === 'pid' || key === 'seq'))
}
