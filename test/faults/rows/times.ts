import { globSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { openOutlet } from '../harness/outlets.ts'
import { play } from '../harness/scenario.ts'
import { recordIn } from '../harness/records.ts'
import type { Row, RowBench } from './row.ts'

const [fakeTime] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
const quotas = '/sys/fs/cgroup/cpu'

/** Each jump, and about when it is then, in ms. */
const jumps: readonly { readonly to: string; readonly set: string; readonly expected: () => number }[] = [
  { to: 'an hour ahead', set: '+3600', expected: () => Date.now() + 3_600_000 },
  { to: 'an hour back', set: '-3600', expected: () => Date.now() - 3_600_000 },
  { to: 'to 1970', set: '@1970-01-01 00:00:01', expected: () => 1_000 },
  { to: 'to the year 9999', set: '@9999-12-31 00:00:00', expected: () => Date.UTC(9999, 11, 31) },
]

const deadlines = 'others have no deadline at their exit'

/** The wall clock jumps, the event loop stands still, the processor is scarce. */
export const times: readonly Row[] = [
  ...jumps.map((jump) => clockRow(jump.to, (bench) => jumping(bench, jump))),
  clockRow('an hour ahead while process.exit waits for a reader', aheadAtExit, deadlines),
  clockRow('an hour back while process.exit waits for a reader', backAtExit, deadlines),
  {
    row: 27,
    fault: 'the event loop is blocked for five seconds after a burst',
    how: 'a loop that is busy',
    run: (bench) => blocked(bench, false),
  },
  {
    row: 27,
    fault: 'the event loop stands still for five seconds while a flush waits for a reader',
    how: 'a loop that is busy; the reader of the pipe stands still for the first second',
    onlyOurs: 'others block on a reader that stands still, which is row 11',
    run: (bench) => blocked(bench, true),
  },
  {
    row: 27,
    fault: 'the process is limited to a tenth of a CPU',
    how: 'a cgroup (version 1) whose `cpu.cfs_quota_us` is a tenth',
    needs: { what: 'a cgroup (version 1) of processor time', isThere: quotaIsThere },
    run: throttled,
  },
]

function clockRow(what: string, run: Row['run'], onlyOurs?: string): Row {
  return {
    row: 26,
    fault: `the clock jumps ${what}`,
    how: 'libfaketime (`FAKETIME_TIMESTAMP_FILE`); the monotonic clock is left alone',
    needs: { what: 'libfaketime', isThere: () => fakeTime !== undefined },
    ...(onlyOurs === undefined ? {} : { onlyOurs }),
    run,
  }
}

/** A clock for a process, which can be set while that runs. */
function clock(bench: RowBench): { readonly env: Readonly<Record<string, string>>; set(to: string): void } {
  const file = bench.path('time')
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

async function jumping(bench: RowBench, { set, expected, to }: (typeof jumps)[number]): Promise<string[]> {
  const wall = clock(bench)
  let then = 0
  return play(bench, {
    outlet: await openOutlet('pipe', bench.path('sink')),
    start: { env: wall.env },
    afterwards: (text) => {
      const last = timeOf(text, 1_999)
      if (Number.isNaN(last)) return ['the last record has no time']
      return Math.abs(last - then) < 60_000
        ? []
        : [`after the jump ${to} a record says ${new Date(last).toISOString().slice(0, 13)} h`]
    },
    story: async ({ log, flush }) => {
      await log(1_000, { perTurn: 20 })
      wall.set(set)
      await log(1_000, { perTurn: 20 })
      then = expected()
      return (await flush()) ? [] : ['a flush does not succeed']
    },
  })
}

/** Nothing may be given up before its time. */
async function aheadAtExit(bench: RowBench): Promise<string[]> {
  const wall = clock(bench)
  return play(bench, {
    outlet: await openOutlet('pipe', bench.path('sink')),
    start: { env: wall.env, options: { logger: { exitTimeoutMillis: 5_000 } } },
    end: 'exit',
    endMillis: 5_000,
    story: async ({ log, outlet }) => {
      outlet.stall()
      await log(2_000, { perTurn: 20 })
      setTimeout(() => wall.set('+3600'), 300)
      setTimeout(() => outlet.goOn(), 700)
    },
  })
}

/** Nothing may be waited for longer than its time. */
async function backAtExit(bench: RowBench): Promise<string[]> {
  const wall = clock(bench)
  return play(bench, {
    outlet: await openOutlet('pipe', bench.path('sink')),
    start: { env: wall.env, options: { logger: { exitTimeoutMillis: 1_000 } } },
    losses: 'told',
    reasons: ['exit_deadline'],
    torn: 1,
    end: 'exit',
    story: async ({ log, outlet }) => {
      outlet.stall()
      await log(2_000, { perTurn: 20 })
      setTimeout(() => wall.set('-3600'), 300)
    },
  })
}

/** When a record says that it was logged, in ms, as loggers write that. */
function timeOf(text: string, seq: number): number {
  for (const line of text.split('\n')) {
    if (!line.includes(`"seq":${seq},`)) continue
    const value = JSON.parse(line) as { timestamp?: string | number; time?: string | number }
    if (recordIn(value)?.seq === seq) return new Date(value.timestamp ?? value.time ?? Number.NaN).getTime()
  }
  return Number.NaN
}

async function blocked(bench: RowBench, stalled: boolean): Promise<string[]> {
  return play(bench, {
    outlet: await openOutlet('pipe', bench.path('sink')),
    endMillis: 5_000,
    story: async ({ child, log, outlet }) => {
      if (stalled) outlet.stall()
      await log(2_000)
      // Whichever is answered first.
      const first = child.ask<'flushed' | 'blocked'>({ do: 'flush', timeoutMillis: 20_000 })
      child.tell({ do: 'block', millis: 5_000 })
      if (stalled) setTimeout(() => outlet.goOn(), 1_000)
      const replies = [await first, await child.next<'flushed' | 'blocked'>()]
      return replies.some((reply) => reply.said === 'flushed' && reply.ok) ? [] : ['a flush does not succeed']
    },
  })
}

function quotaIsThere(): boolean {
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

async function throttled(bench: RowBench): Promise<string[]> {
  const group = `${quotas}/sluice-${bench.run}`
  mkdirSync(group)
  try {
    return await play(bench, {
      outlet: await openOutlet('pipe', bench.path('sink')),
      endMillis: 15_000,
      story: async ({ child, log, flush }) => {
        writeFileSync(`${group}/cpu.cfs_quota_us`, '10000')
        writeFileSync(`${group}/cgroup.procs`, String(child.pid))
        await log(4_000, { perTurn: 100 })
        const ok = await flush()
        const throttled = /nr_throttled ([1-9])/.test(readFileSync(`${group}/cpu.stat`, 'latin1'))
        return [
          ...(ok ? [] : ['a flush does not succeed in 10 s']),
          ...(throttled ? [] : ['it was given all the time that it wanted']),
        ]
      },
    })
  } finally {
    rmdirSync(group)
  }
}
