import { globSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { openOutput } from '../harness/outputs.ts'
import { runScenario } from '../harness/scenario.ts'
import { recordIn } from '../harness/records.ts'
import type { FaultRow, FaultHarness } from './row.ts'

const [fakeTime] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
const quotas = '/sys/fs/cgroup/cpu'

/** The jumps, with the approximate time after each, in ms. */
const jumps: readonly { readonly to: string; readonly set: string; readonly expected: () => number }[] = [
  { to: 'an hour ahead', set: '+3600', expected: () => Date.now() + 3_600_000 },
  { to: 'an hour back', set: '-3600', expected: () => Date.now() - 3_600_000 },
  { to: 'to 1970', set: '@1970-01-01 00:00:01', expected: () => 1_000 },
  { to: 'to the year 9999', set: '@9999-12-31 00:00:00', expected: () => Date.UTC(9999, 11, 31) },
]

const deadlines = 'other loggers have no exit timeout'

/** The wall clock jumps, the event loop is blocked, or CPU time is limited. */
export const times: readonly FaultRow[] = [
  ...jumps.map((jump) => clockRow(jump.to, (harness) => jumping(harness, jump))),
  clockRow('an hour ahead while process.exit waits for a reader', aheadAtExit, deadlines),
  clockRow('an hour back while process.exit waits for a reader', backAtExit, deadlines),
  {
    row: 27,
    fault: 'the event loop is blocked for five seconds after a burst',
    how: 'a busy loop',
    run: (harness) => blocked(harness, false),
  },
  {
    row: 27,
    fault: 'the event loop is blocked for five seconds while a flush waits for a reader',
    how: 'a busy loop; the reader of the pipe is stopped for the first second',
    onlyOursBecause: 'other loggers block on a stalled reader, which is row 11',
    run: (harness) => blocked(harness, true),
  },
  {
    row: 27,
    fault: 'the process is limited to a tenth of a CPU',
    how: 'a cgroup (version 1) whose `cpu.cfs_quota_us` is a tenth',
    needs: { what: 'a cgroup (v1) for CPU time', isAvailable: hasCpuQuota },
    run: throttled,
  },
]

function clockRow(what: string, run: FaultRow['run'], onlyOurs?: string): FaultRow {
  return {
    row: 26,
    fault: `the clock jumps ${what}`,
    how: 'libfaketime (`FAKETIME_TIMESTAMP_FILE`); the monotonic clock is not changed',
    needs: { what: 'libfaketime', isAvailable: () => fakeTime !== undefined },
    ...(onlyOurs === undefined ? {} : { onlyOursBecause: onlyOurs }),
    run,
  }
}

/** Returns a clock that can be set while a process runs, and the environment for the process. */
function clock(harness: FaultHarness): { readonly env: Readonly<Record<string, string>>; set(to: string): void } {
  const file = harness.path('time')
  const set = (to: string): void => writeFileSync(file, to)
  set('+0')
  const env = {
    LD_PRELOAD: fakeTime!,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    DONT_FAKE_MONOTONIC: '1',
    TZ: 'UTC',
  }
  return { env, set }
}

async function jumping(harness: FaultHarness, { set, expected, to }: (typeof jumps)[number]): Promise<string[]> {
  const wall = clock(harness)
  let then = 0
  return runScenario(harness, {
    output: await openOutput('pipe', harness.path('sink')),
    start: { env: wall.env },
    check: (text) => {
      const last = timeOf(text, 1_999)
      if (Number.isNaN(last)) return ['the last record has no time']
      return Math.abs(last - then) < 60_000
        ? []
        : [`after the jump ${to} a record has the time ${new Date(last).toISOString().slice(0, 13)} h`]
    },
    steps: async ({ log, flush }) => {
      await log(1_000, { perTurn: 20 })
      wall.set(set)
      await log(1_000, { perTurn: 20 })
      then = expected()
      return (await flush()) ? [] : ['a flush does not succeed']
    },
  })
}

/** The exit timeout must not expire early. */
async function aheadAtExit(harness: FaultHarness): Promise<string[]> {
  const wall = clock(harness)
  return runScenario(harness, {
    output: await openOutput('pipe', harness.path('sink')),
    start: { env: wall.env, options: { logger: { exitTimeoutMillis: 5_000 } } },
    end: 'exit',
    endMillis: 5_000,
    steps: async ({ log, output }) => {
      output.stall()
      await log(2_000, { perTurn: 20 })
      setTimeout(() => wall.set('+3600'), 300)
      setTimeout(() => output.resume(), 700)
    },
  })
}

/** The exit timeout must not be prolonged. */
async function backAtExit(harness: FaultHarness): Promise<string[]> {
  const wall = clock(harness)
  return runScenario(harness, {
    output: await openOutput('pipe', harness.path('sink')),
    start: { env: wall.env, options: { logger: { exitTimeoutMillis: 1_000 } } },
    losses: 'reported',
    reasons: ['exit_deadline'],
    torn: 1,
    end: 'exit',
    steps: async ({ log, output }) => {
      output.stall()
      await log(2_000, { perTurn: 20 })
      setTimeout(() => wall.set('-3600'), 300)
    },
  })
}

/** Returns the timestamp of a record of any logger, in ms. */
function timeOf(text: string, seq: number): number {
  for (const line of text.split('\n')) {
    if (!line.includes(`"seq":${seq},`)) continue
    const value = JSON.parse(line) as { timestamp?: string | number; time?: string | number }
    if (recordIn(value)?.seq === seq) return new Date(value.timestamp ?? value.time ?? Number.NaN).getTime()
  }
  return Number.NaN
}

async function blocked(harness: FaultHarness, stalled: boolean): Promise<string[]> {
  return runScenario(harness, {
    output: await openOutput('pipe', harness.path('sink')),
    endMillis: 5_000,
    steps: async ({ child, log, output }) => {
      if (stalled) output.stall()
      await log(2_000)
      // The two replies may arrive in any order.
      const first = child.request<'flushed' | 'blocked'>({ do: 'flush', timeoutMillis: 20_000 })
      child.send({ do: 'block', millis: 5_000 })
      if (stalled) setTimeout(() => output.resume(), 1_000)
      const replies = [await first, await child.nextReply<'flushed' | 'blocked'>()]
      return replies.some((reply) => reply.type === 'flushed' && reply.ok) ? [] : ['a flush does not succeed']
    },
  })
}

function hasCpuQuota(): boolean {
  try {
    mkdirSync(`${quotas}/sluice-probe`)
    writeFileSync(`${quotas}/sluice-probe/cpu.cfs_quota_us`, '10000')
    return true
  } catch {
    return false
  } finally {
    rmdirSync(`${quotas}/sluice-probe`)
  }
}

async function throttled(harness: FaultHarness): Promise<string[]> {
  const group = `${quotas}/sluice-${harness.run}`
  mkdirSync(group)
  try {
    return await runScenario(harness, {
      output: await openOutput('pipe', harness.path('sink')),
      endMillis: 15_000,
      steps: async ({ child, log, flush }) => {
        writeFileSync(`${group}/cpu.cfs_quota_us`, '10000')
        writeFileSync(`${group}/cgroup.procs`, String(child.pid))
        await log(4_000, { perTurn: 100 })
        const ok = await flush()
        const throttled = /nr_throttled ([1-9])/.test(readFileSync(`${group}/cpu.stat`, 'latin1'))
        return [
          ...(ok ? [] : ['a flush does not succeed in 10 s']),
          ...(throttled ? [] : ['the process was not throttled']),
        ]
      },
    })
  } finally {
    rmdirSync(group)
  }
}
