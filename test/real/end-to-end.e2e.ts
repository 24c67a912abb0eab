import { afterAll, expect } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isThere } from '../../scripts/real-parts/install.ts'
import { kafka } from '../../scripts/real-parts/kafka.ts'
import { folderOf } from '../../scripts/real-parts/part.ts'
import { columnStore } from '../../scripts/real-parts/python.ts'
import { collectorIsThere, startCollector } from '../support/otlp/collector.ts'
import { needs } from '../support/needs.ts'
import { temporaryDirectory } from '../support/files/pipes.ts'
import { start, type Started } from '../support/processes/started.ts'
import { startBroker } from './end-to-end/broker.ts'
import { type Application, judge, type LedgerReport, type Stored } from './end-to-end/oracle.ts'

const areThere = collectorIsThere && isThere(kafka) && isThere(columnStore)
const testChain = needs('the Collector, Kafka and the column store (`npm run real-parts`)', areThere)
const directory = temporaryDirectory()
const python = join(folderOf(columnStore), columnStore.mainFile)
const programs = join(import.meta.dirname, 'end-to-end')
const application = fileURLToPath(new URL('end-to-end/application.ts', import.meta.url))
const table = directory.path('table')

const RECORDS_PER_SECOND = 500
const ROUNDS = 2
/** How many records of each application go on their way between one fault and the next. */
const BETWEEN_FAULTS = 500
const MOST_MILLIS = 300_000
const STALLED_MILLIS = 60_000

afterAll(() => directory.remove())

/** A running application, and the last that it said of its ledger. */
interface Running extends Started {
  last(): LedgerReport
}

async function startApplication(run: string, url: string): Promise<Running> {
  const told: Application = { run, url, recordsPerSecond: RECORDS_PER_SECOND, pipe: 3 }
  let last: LedgerReport | undefined
  const program = await start({
    command: process.execPath,
    args: [application, JSON.stringify(told)],
    ready: /ready/,
    reports: (line) => (last = JSON.parse(line) as LedgerReport),
  })
  return { ...program, last: () => last ?? { ...nothing, pid: program.pid } }
}

const nothing = { emitted: 0, written: 0, queued: 0, unknown: 0, dropped: 0, maybeDuplicated: 0, ended: false }

/** Waits for a number to reach at least `least`. Whoever stands still for a minute never will. */
async function reaches(what: string, least: number, now: () => number, said = () => ''): Promise<void> {
  let [best, since] = [-1, performance.now()]
  for (; now() < least; await sleep(50)) {
    if (now() > best) [best, since] = [now(), performance.now()]
    else if (performance.now() - since > STALLED_MILLIS)
      throw new Error(`${what} stands still at ${best} of ${least}: ${said()}`)
  }
}

const writesMore = ({ last, said }: Running): Promise<void> =>
  reaches('written', last().written + BETWEEN_FAULTS, () => last().written, said)

testChain(
  'what the SDK says is written is found by SQL, whichever of application, Collector, broker and loader is killed (row 48)',
  async () => {
    const run = `run-${Date.now()}`
    const broker = await startBroker(directory.path('broker'))
    const env = { KAFKA: broker.address }
    const collector = await startCollector(directory.path('to-kafka'), { file: 'to-kafka.yaml', env })
    const other = await startCollector(directory.path('from-kafka'), { file: 'from-kafka.yaml', env })
    const startLoader = (): Promise<Started> =>
      start({ command: python, args: [join(programs, 'loader.py'), broker.address, table], ready: /ready/ })
    let loader = await startLoader()
    const url = `${collector.httpUrl}/v1/logs`
    const applications = [await startApplication(run, url), await startApplication(run, url)]
    const ended: Running[] = []
    const moreWritten = (): Promise<void[]> => Promise.all(applications.map(writesMore))

    for (let round = 0; round < ROUNDS; round++) {
      // The broker, while the Collector's disk takes what comes.
      await moreWritten()
      await broker.kill('SIGKILL')
      await moreWritten()
      await broker.restart()

      // The Collector, which begins again with what is on its disk.
      await moreWritten()
      await collector.kill('SIGKILL')
      await collector.restart()

      // Both: what waits for the broker has to outlive the Collector.
      await moreWritten()
      await broker.kill('SIGKILL')
      await moreWritten()
      await collector.kill('SIGKILL')
      await collector.restart()
      await moreWritten()
      await broker.restart()

      // Whoever takes it from Kafka to the table.
      await moreWritten()
      await loader.kill('SIGKILL')
      loader = await startLoader()

      // An application: another takes its place.
      await moreWritten()
      await applications[0]!.kill('SIGKILL')
      ended.push(...applications.splice(0, 1, await startApplication(run, url)))
    }
    await moreWritten()
    await Promise.all(applications.map((application) => application.kill('SIGUSR2')))

    const ledgers = [...ended, ...applications].map((application) => application.last())
    const written = ledgers.reduce((sum, ledger) => sum + ledger.written, 0)
    const loaded = (): number => Number(/.*loaded (\d+)/s.exec(loader.said())?.[1] ?? 0)
    await reaches('loaded', written, loaded, loader.said)
    const inFile = (): number => new Set(other.records().map(identityOf)).size
    await reaches('in the file', written, inFile, other.said)
    await loader.stop()
    await Promise.all([collector.stop(), other.stop()])
    await broker.stop()

    const rows = JSON.parse(execFileSync(python, [join(programs, 'count.py'), table], { encoding: 'utf8' })) as Stored[]
    const verdicts = ledgers.map((ledger) =>
      judge(
        ledger,
        rows.find((row) => row.run === run && row.pid === ledger.pid),
      ),
    )
    console.log(
      verdicts.map(({ records, duplicates }, i) => ({ ...ledgers[i], records, duplicates })),
      `${inFile()} in the file of the second Collector, ${other.records().length} with those that came twice`,
    )
    expect(verdicts.flatMap(({ problems }) => problems)).toEqual([])
    expect(ledgers.filter((ledger) => ledger.ended).length).toBe(applications.length)
    expect(rows.length).toBe(ledgers.length)
  },
  MOST_MILLIS,
)

testChain(
  'a request that is four times as large as a message of Kafka may be arrives whole',
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

/** What tells one record of the chain from another. */
function identityOf({
  attributes,
}: {
  readonly attributes: readonly { readonly key: string; readonly value: object }[]
}): string {
  return JSON.stringify(attributes.filter(({ key }) => key === 'pid' || key === 'seq'))
}
