import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { heartbeatMillis } from '../../../src/exporters/spool/owner.ts'
import type { SpoolStats } from '../../../src/exporters/spool/stats.ts'
import { delay } from '../../../src/platform/node/end-of-turn.ts'
import { startFaultChild, type FaultChild } from '../../faults/harness/fault-child.ts'
import type { ReportedStats } from '../../faults/harness/oracle.ts'
import { fakeCollector, status, type FakeCollector } from '../../support/otlp/fake-collector.ts'
import { closeSpools, folder, spoolLogger, type SpoolPlan } from './spool-logger.ts'

const mebibyte = 2 ** 20
let server: FakeCollector
let directory: string
const children = new Set<FaultChild>()
beforeEach(async () => {
  server = await fakeCollector()
  server.respondAlways(status(503))
  directory = folder()
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all([...children].map(({ ended }) => ended))
  children.clear()
  await closeSpools()
  await server.close()
})

/** The total size of all spool files, in bytes. */
function total(): number {
  const sizes = fs
    .globSync('{owner,free}-*/*.jsonl', { cwd: directory })
    .concat(fs.globSync('quarantine/*', { cwd: directory }))
    .map((path) => fs.statSync(join(directory, path), { throwIfNoEntry: false })?.size ?? 0)
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** The largest total size while `action` runs. */
async function largestDuring(action: Promise<unknown>): Promise<number> {
  let largest = 0
  const timer = setInterval(() => (largest = Math.max(largest, total())), 2)
  try {
    await action
  } finally {
    clearInterval(timer)
  }
  return Math.max(largest, total())
}

async function start(spool: Partial<SpoolPlan>): Promise<FaultChild> {
  const child = await startFaultChild({
    subject: 'spool',
    run: 'quota',
    sink: { to: 'file', path: directory },
    options: { url: server.url, spool },
  })
  children.add(child)
  void child.ended.then(() => children.delete(child))
  return child
}

async function logRounds(child: FaultChild, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await child.request({ do: 'log', count: 100, padding: 2_000 })
    await child.request({ do: 'flush' })
  }
}

type Reported = ReportedStats & { readonly spool: SpoolStats }
const isSum = ({ spooled, replayed, expired, corrupt, waiting }: SpoolStats): boolean =>
  spooled === replayed + expired + corrupt + waiting

describe('maxDirectoryBytes', () => {
  it('limits the files of several concurrent processes, and every record is counted', async () => {
    const spool = { maxBytes: 4 * mebibyte, maxDirectoryBytes: 3 * mebibyte }
    const all = await Promise.all([1, 2, 3, 4].map(() => start(spool)))
    const largest = await largestDuring(Promise.all(all.map((child) => logRounds(child, 12))))
    expect(largest).toBeGreaterThan(mebibyte)
    expect(largest).toBeLessThanOrEqual(3 * mebibyte)
    for (const child of all) {
      await child.request({ do: 'stats' })
      const { spool: counts, ...reported } = child.stats as Reported
      expect(isSum(counts)).toBe(true)
      expect(reported.written + reported.dropped.total + reported.queued).toBe(reported.accepted)
    }
    const expired = all.reduce((sum, child) => sum + (child.stats as Reported).spool.overflowed, 0)
    expect(expired).toBeGreaterThan(0)
  })

  it('limits the files of processes that are killed repeatedly', async () => {
    const spool = { maxBytes: mebibyte, maxDirectoryBytes: 2 * mebibyte }
    for (let round = 0; round < 2; round++) {
      const all = await Promise.all([1, 2, 3].map(() => start(spool)))
      const largest = await largestDuring(Promise.all(all.map((child) => logRounds(child, 6))))
      expect(largest).toBeLessThanOrEqual(2 * mebibyte)
      for (const child of all) child.kill('SIGKILL')
      await Promise.all(all.map(({ ended }) => ended))
    }
    expect(total()).toBeGreaterThan(mebibyte)
    expect(total()).toBeLessThanOrEqual(2 * mebibyte)
  })

  it('drops the files of ended processes before those of the current process', async () => {
    const plan = { url: server.url, otlp: { retry: { initialDelayMillis: 60_000, maxDelayMillis: 60_000 } } }
    for (let round = 0; round < 3; round++) {
      const left = spoolLogger({ ...plan, directory: `${directory}/${round}`, maxBytes: mebibyte })
      left.logAll(600, { pad: 'x'.repeat(1_000) })
      await left.log.shutdown()
      fs.cpSync(`${directory}/${round}`, directory, { recursive: true, preserveTimestamps: true })
    }
    const harness = spoolLogger({ ...plan, directory, maxBytes: mebibyte, maxDirectoryBytes: 2 * mebibyte })
    const { adopted } = harness.stats()
    expect(adopted).toBe(600)
    harness.logAll(100, { pad: 'x'.repeat(1_000) })
    await harness.log.flush()
    expect(total()).toBeLessThanOrEqual(2 * mebibyte)
    expect(harness.stats()).toMatchObject({ adopted: 1_200, expired: 600, overflowed: 600, waiting: 700 })
    expect(harness.problems).toContainEqual({
      code: 'SLUICE_SPOOL_LOST',
      message: '600 records are lost: the spool directory has reached maxDirectoryBytes',
    })
  })

  it('makes a process with more than an equal share free space for another process', async () => {
    // The test triggers the heartbeats.
    const beats: (() => void)[] = []
    const timing = {
      random: () => 0.5,
      delay(millis: number, call: () => void) {
        if (millis !== heartbeatMillis) return delay(millis, call)
        beats.push(call)
        return { cancel() {}, keepAlive() {} }
      },
    }
    const retry = { initialDelayMillis: 60_000, maxDelayMillis: 60_000, maxElapsedMillis: 1 }
    const plan = {
      url: server.url,
      directory,
      maxBytes: 4 * mebibyte,
      maxDirectoryBytes: 2 * mebibyte,
      otlp: { retry },
    }
    const first = spoolLogger({ ...plan, timing })
    for (let batch = 0; batch < 30; batch++) {
      first.logAll(100, { pad: 'x'.repeat(1_000) })
      await first.log.flush()
    }
    const before = first.stats()
    expect(before.overflowed).toBeGreaterThan(0)
    const second = spoolLogger(plan)
    second.logAll(100, { pad: 'x'.repeat(1_000) })
    await second.log.flush()
    expect(second.problems).toContainEqual({
      code: 'SLUICE_SPOOL_FAILED',
      message: expect.stringContaining('(EDQUOT)'),
    })
    expect(second.deliveryStats().dropped.byReason.io_error).toBe(100)
    beats.at(-1)!()
    expect(first.stats().waiting).toBeLessThan(before.waiting)
    second.logAll(10)
    await second.log.flush()
    expect(second.stats().waiting).toBeGreaterThan(0)
    expect(total()).toBeLessThanOrEqual(2 * mebibyte)
  })
})
