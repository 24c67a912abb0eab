import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { startFaultChild, type FaultChild } from '../../faults/harness/fault-child.ts'
import { inconsistentSums, readSink, countSequence, type ReportedStats } from '../../faults/harness/oracle.ts'
import type { SpoolStats } from '../../../src/exporters/spool/stats.ts'
import {
  fakeCollector,
  status,
  accept,
  type FakeCollector,
  type ReceivedRequest,
} from '../../support/otlp/fake-collector.ts'
import { recordsOf, type OtlpRequest, type OtlpValue } from '../../support/otlp/records.ts'
import { waitUntil } from '../../support/wait-until.ts'
import type { Death } from './dying-files.ts'
import { closeSpools, folder, segmentsIn } from './spool-logger.ts'
import type { SpoolSubjectOptions } from '../../faults/subjects/spool.ts'

let server: FakeCollector
let directory: string
const children = new Set<FaultChild>()
/** The requests that the collector has accepted. */
let acknowledged: ReceivedRequest[]

beforeEach(async () => {
  server = await fakeCollector()
  directory = folder()
  acknowledged = []
  works(false)
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all([...children].map(({ ended }) => ended))
  children.clear()
  await server.close()
  await closeSpools()
})

function works(isUp: boolean): void {
  server.respondAlways((response, request) => {
    if (isUp) acknowledged.push(server.received.at(-1)!)
    return isUp ? accept(response, request) : status(503)(response, request)
  })
}

type SpoolReport = ReportedStats & { readonly spool: SpoolStats }

async function start(options: Omit<SpoolSubjectOptions, 'url'> = {}): Promise<FaultChild> {
  const subject = 'spool'
  const child = await startFaultChild({
    subject,
    run: 'kill',
    sink: { to: 'file', path: directory },
    options: { url: server.url, ...options },
  })
  children.add(child)
  void child.ended.then(() => children.delete(child))
  return child
}

/** Logs and flushes repeatedly, or until the process dies. Returns the number of confirmed records. */
async function logRounds(child: FaultChild, rounds = 6, count = 100): Promise<number> {
  let confirmed = 0
  try {
    for (let round = 0; round < rounds; round++) {
      await child.request({ do: 'log', count, padding: 700 })
      const { ok, next } = await child.request<'flushed'>({ do: 'flush' })
      if (ok) confirmed = next
    }
  } catch {
    // The process died.
  }
  return confirmed
}

/** Opens the directory with a new process, and waits until all records are replayed. */
async function finish(): Promise<SpoolStats> {
  works(true)
  const child = await start()
  const stats = async (): Promise<SpoolStats> => {
    await child.request({ do: 'stats' })
    return (child.stats as SpoolReport).spool
  }
  for (let left = 1; left > 0;) left = (await stats()).segments
  await waitUntil(() => segmentsIn(directory).length === 0)
  child.send({ do: 'exit' })
  await child.ended
  return (child.stats as SpoolReport).spool
}

const plain = (value: OtlpValue): unknown =>
  'intValue' in value ? Number(value.intValue) : (Object.values(value) as unknown[])[0]

/** The records that the collector has accepted, one line each. */
function sink(): string {
  return acknowledged
    .flatMap(({ body }) => recordsOf(JSON.parse(body.toString()) as OtlpRequest))
    .map(({ attributes }) => {
      return `${JSON.stringify({ attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)])) })}\n`
    })
    .join('')
}

const isSum = ({ spooled, replayed, expired, corrupt, waiting }: SpoolStats): boolean =>
  spooled === replayed + expired + corrupt + waiting

const sides = ['before', 'after'] as const

// Fault rows: 18
describe('SIGKILL while records are spooled', () => {
  const deaths: readonly Death[] = [
    ...sides.map((when) => ({ when, at: 'create', nth: 2 }) as const),
    ...sides.map((when) => ({ when, at: 'write', nth: 1 }) as const),
    { when: 'half', at: 'write', nth: 1 },
    { when: 'half', at: 'write', nth: 4 },
    ...sides.map((when) => ({ when, at: 'seal', nth: 1 }) as const),
    ...sides.map((when) => ({ when, at: 'fsync', nth: 3 }) as const),
  ]

  test.each(deaths)('SIGKILL $when $at number $nth neither loses written records nor duplicates any', async (death) => {
    const child = await start({ death, spool: { fsync: death.at === 'fsync' ? 'batch' : 'never' } })
    const confirmed = await logRounds(child)
    expect(await child.ended).toMatchObject({ signal: 'SIGKILL' })
    const deliveryStats = child.stats as SpoolReport
    expect(inconsistentSums(deliveryStats)).toEqual([])
    expect(isSum(deliveryStats.spool)).toBe(true)
    const stats = await finish()
    const found = readSink(sink(), 'kill')
    const { unique, duplicates, disorder } = countSequence(found, child.pid)
    expect(found.torn).toEqual([])
    expect({ duplicates, disorder }).toEqual({ duplicates: 0, disorder: 0 })
    expect(deliveryStats.written).toBeGreaterThanOrEqual(confirmed)
    expect(unique).toBeGreaterThanOrEqual(deliveryStats.written)
    // In addition, at most the batch that was being written.
    expect(unique - deliveryStats.written).toBeLessThanOrEqual(100)
    expect(isSum(stats)).toBe(true)
    expect(stats).toMatchObject({ replayed: unique, quarantined: death.when === 'half' ? 1 : 0, waiting: 0 })
  })
})

// Fault rows: 18
describe('SIGKILL while records are replayed', () => {
  const deaths: readonly Death[] = [
    ...sides.map((when) => ({ when, at: 'claim', nth: 1 }) as const),
    ...sides.map((when) => ({ when, at: 'move in', nth: 2 }) as const),
    ...sides.map((when) => ({ when, at: 'acknowledge', nth: 2 }) as const),
    ...sides.map((when) => ({ when, at: 'delete', nth: 1 }) as const),
  ]

  test.each(deaths)(
    'SIGKILL $when $at number $nth loses no record and duplicates only unacknowledged ones',
    async (death) => {
      const author = await start()
      await logRounds(author, 12, 50)
      author.send({ do: 'exit' })
      await author.ended
      expect(author.stats).toMatchObject({ accepted: 600, written: 600 })
      works(true)
      // Kill two processes in a row at the same point.
      for (let kills = 0; kills < 2; kills++) {
        // The process may die before it is ready.
        const child = await start({ death }).catch(() => undefined)
        const { signal } = (await child?.ended) ?? { signal: 'SIGKILL' }
        expect(signal).toBe('SIGKILL')
      }
      const stats = await finish()
      const found = readSink(sink(), 'kill')
      const { unique, duplicates } = countSequence(found, author.pid)
      const isBetween = death.when === 'before' && (death.at === 'acknowledge' || death.at === 'delete')
      expect(found.torn).toEqual([])
      expect(unique).toBe(600)
      expect(duplicates).toBe(isBetween ? 100 : 0)
      expect(isSum(stats)).toBe(true)
    },
  )
})
