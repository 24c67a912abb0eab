import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { startFaultChild, type FaultChild } from '../../faults/harness/fault-child.ts'
import { brokenSums, readSink, tally, type ToldLedger } from '../../faults/harness/oracle.ts'
import type { SpoolStats } from '../../../src/exporters/spool/stats.ts'
import { fakeCollector, status, taken, type FakeCollector, type Received } from '../../support/otlp/fake-collector.ts'
import { recordsOf, type OtlpRequest, type OtlpValue } from '../../support/otlp/records.ts'
import { until } from '../../support/until.ts'
import type { Death } from './dying-files.ts'
import { closeSpools, folder, segmentsIn } from './spool-logger.ts'
import type { SpoolSubjectOptions } from '../../faults/subjects/spool.ts'

let server: FakeCollector
let directory: string
const children = new Set<FaultChild>()
/** The requests that the collector has taken. */
let acknowledged: Received[]

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
  server.answerAlways((response, request) => {
    if (isUp) acknowledged.push(server.received.at(-1)!)
    return isUp ? taken(response, request) : status(503)(response, request)
  })
}

type Told = ToldLedger & { readonly spool: SpoolStats }

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

/** Logs and flushes, some times, or until it dies. Returns how many records were confirmed. */
async function logRounds(child: FaultChild, rounds = 6, count = 100): Promise<number> {
  let confirmed = 0
  try {
    for (let round = 0; round < rounds; round++) {
      await child.ask({ do: 'log', count, padding: 700 })
      const { ok, next } = await child.ask<'flushed'>({ do: 'flush' })
      if (ok) confirmed = next
    }
  } catch {
    // it died
  }
  return confirmed
}

/** Opens the directory with a process that lives, until nothing waits. */
async function finish(): Promise<SpoolStats> {
  works(true)
  const child = await start()
  const stats = async (): Promise<SpoolStats> => {
    await child.ask({ do: 'ledger' })
    return (child.ledger as Told).spool
  }
  for (let left = 1; left > 0;) left = (await stats()).segments
  await until(() => segmentsIn(directory).length === 0)
  child.tell({ do: 'exit' })
  await child.ended
  return (child.ledger as Told).spool
}

const plain = (value: OtlpValue): unknown =>
  'intValue' in value ? Number(value.intValue) : (Object.values(value) as unknown[])[0]

/** What the collector has taken, for the oracle: a line for each record. */
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

describe('SIGKILL while records come in loses none that was called written, and doubles none (row 18)', () => {
  const deaths: readonly Death[] = [
    ...sides.map((when) => ({ when, at: 'create', nth: 2 }) as const),
    ...sides.map((when) => ({ when, at: 'write', nth: 1 }) as const),
    { when: 'half', at: 'write', nth: 1 },
    { when: 'half', at: 'write', nth: 4 },
    ...sides.map((when) => ({ when, at: 'seal', nth: 1 }) as const),
    ...sides.map((when) => ({ when, at: 'fsync', nth: 3 }) as const),
  ]

  test.each(deaths)('$when $at, the time $nth', async (death) => {
    const child = await start({ death, spool: { fsync: death.at === 'fsync' ? 'batch' : 'never' } })
    const confirmed = await logRounds(child)
    expect(await child.ended).toMatchObject({ signal: 'SIGKILL' })
    const told = child.ledger as Told
    expect(brokenSums(told)).toEqual([])
    expect(isSum(told.spool)).toBe(true)
    const stats = await finish()
    const found = readSink(sink(), 'kill')
    const { unique, duplicates, disorder } = tally(found, child.pid)
    expect(found.torn).toEqual([])
    expect({ duplicates, disorder }).toEqual({ duplicates: 0, disorder: 0 })
    expect(told.written).toBeGreaterThanOrEqual(confirmed)
    expect(unique).toBeGreaterThanOrEqual(told.written)
    // Beyond that there is at most what was being written.
    expect(unique - told.written).toBeLessThanOrEqual(100)
    expect(isSum(stats)).toBe(true)
    expect(stats).toMatchObject({ replayed: unique, setAside: death.when === 'half' ? 1 : 0, waiting: 0 })
  })
})

describe('SIGKILL while records are replayed loses none, and doubles a line only between answer and acknowledgement (row 18)', () => {
  const deaths: readonly Death[] = [
    ...sides.map((when) => ({ when, at: 'claim', nth: 1 }) as const),
    ...sides.map((when) => ({ when, at: 'move in', nth: 2 }) as const),
    ...sides.map((when) => ({ when, at: 'acknowledge', nth: 2 }) as const),
    ...sides.map((when) => ({ when, at: 'delete', nth: 1 }) as const),
  ]

  test.each(deaths)('$when $at, the time $nth', async (death) => {
    const author = await start()
    await logRounds(author, 12, 50)
    author.tell({ do: 'exit' })
    await author.ended
    expect(author.ledger).toMatchObject({ accepted: 600, written: 600 })
    works(true)
    // Repeated: each one that is killed is followed by one that is killed at the same point.
    for (let kills = 0; kills < 2; kills++) {
      // It may die before it says hello.
      const child = await start({ death }).catch(() => undefined)
      const { signal } = (await child?.ended) ?? { signal: 'SIGKILL' }
      expect(signal).toBe('SIGKILL')
    }
    const stats = await finish()
    const found = readSink(sink(), 'kill')
    const { unique, duplicates } = tally(found, author.pid)
    const isBetween = death.when === 'before' && (death.at === 'acknowledge' || death.at === 'delete')
    expect(found.torn).toEqual([])
    expect(unique).toBe(600)
    expect(duplicates).toBe(isBetween ? 100 : 0)
    expect(isSum(stats)).toBe(true)
  })
})
