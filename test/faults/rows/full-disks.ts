import { openSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { command, mountNamespace, prlimit } from '../harness/injection.ts'
import { fileOutlet, openOutlet } from '../harness/outlets.ts'
import { mountedPlace } from '../harness/places.ts'
import { play } from '../harness/scenario.ts'
import { until } from '../../support/until.ts'
import type { Row, RowBench } from './row.ts'

const tmpfs = ['-t', 'tmpfs', '-o', 'size=200k', 'none']

/** There is no space, or a file may not be longer. */
export const fullDisks: readonly Row[] = [
  {
    row: 6,
    fault: 'the disk of a file is temporarily full',
    how: 'a tmpfs of 200 kB in a mount namespace, full but for 50 kB until the ballast is deleted',
    needs: mountNamespace,
    run: (bench) => spaceReturns(bench, {}),
  },
  {
    row: 6,
    fault: 'the disk of a file is full for longer than the queue can hold all records',
    how: 'the same, with a queue of 20 kB',
    needs: mountNamespace,
    run: (bench) => spaceReturns(bench, { options: { exporter: { maxQueueBytes: 20_000 } }, losses: 'told' }),
  },
  ...(['end', 'exit'] as const).flatMap((end): Row[] => [
    {
      row: 7,
      fault: `standard output is a full device when ${nameOf(end)}`,
      how: '`> /dev/full`',
      needs: { what: '/dev/full', isThere: command('', 'test', '-c', '/dev/full').isThere },
      run: (bench) => fullDevice(bench, end),
    },
    {
      row: 7,
      fault: `the disk of a file is full when ${nameOf(end)}`,
      how: 'a tmpfs of 200 kB in a mount namespace',
      needs: mountNamespace,
      run: (bench) => fullAtEnd(bench, end),
    },
  ]),
  {
    row: 8,
    fault: 'a file reaches its size limit, and the limit is raised later',
    how: '`prlimit --fsize=50000`, raised while the process runs',
    needs: prlimit,
    run: sizeRaised,
  },
  {
    row: 8,
    fault: 'a file is at its size limit when the program ends',
    how: '`prlimit --fsize=50000`',
    needs: prlimit,
    run: sizeLimited,
  },
]

function nameOf(end: 'end' | 'exit'): string {
  return end === 'end' ? 'the program ends' : 'process.exit is called'
}

async function spaceReturns(
  bench: RowBench,
  { options, losses }: { options?: object; losses?: 'told' },
): Promise<readonly string[]> {
  const place = await mountedPlace(bench.path('small'), ...tmpfs)
  try {
    writeFileSync(place.outside('ballast'), Buffer.alloc(150_000))
    return await play(bench, {
      outlet: fileOutlet(place.outside('sink'), { sink: { to: 'file', path: place.inside('sink') } }),
      start: { wrap: place.enter, ...(options === undefined ? {} : { options }) },
      ...(losses === undefined ? {} : { losses, reasons: ['queue_full'], recovered: true }),
      turnMillis: 500,
      story: async ({ log, flush }) => {
        await log(400, { perTurn: 10, everyMillis: 2 })
        // Some loggers write only now and then.
        await until(() => statfsSync(place.outside('.')).bavail === 0)
        rmSync(place.outside('ballast'))
        const ok = await flush()
        await log(20)
        return ok && (await flush()) ? [] : ['a flush does not succeed afterwards']
      },
    })
  } finally {
    place.close()
  }
}

async function fullDevice(bench: RowBench, end: 'end' | 'exit'): Promise<readonly string[]> {
  const stdout = openSync('/dev/full', 'w')
  const outlet = { ...fileOutlet('/dev/full', { sink: { to: 'stdout' }, stdout }), text: async () => '' }
  return play(bench, {
    outlet,
    losses: 'told',
    reasons: ['io_error'],
    end,
    story: async ({ log }) => void (await log(1_000, { perTurn: 100 })),
  })
}

async function fullAtEnd(bench: RowBench, end: 'end' | 'exit'): Promise<readonly string[]> {
  const place = await mountedPlace(bench.path('small'), ...tmpfs)
  try {
    return await play(bench, {
      outlet: fileOutlet(place.outside('sink'), { sink: { to: 'file', path: place.inside('sink') } }),
      start: { wrap: place.enter },
      losses: 'told',
      reasons: ['io_error'],
      torn: 1,
      end,
      story: async ({ log }) => void (await log(2_000, { perTurn: 100 })),
    })
  } finally {
    place.close()
  }
}

async function sizeRaised(bench: RowBench): Promise<readonly string[]> {
  return play(bench, {
    outlet: await openOutlet('file', bench.path('sink')),
    start: { wrap: ['prlimit', '--fsize=50000:unlimited'] },
    story: async ({ child, log, flush }) => {
      await log(1_000, { perTurn: 20 })
      execFileSync('prlimit', [`--pid=${child.pid}`, '--fsize=unlimited'])
      return (await flush()) ? [] : ['a flush does not succeed afterwards']
    },
  })
}

async function sizeLimited(bench: RowBench): Promise<readonly string[]> {
  return play(bench, {
    outlet: await openOutlet('file', bench.path('sink')),
    start: { wrap: ['prlimit', '--fsize=50000'] },
    losses: 'told',
    reasons: ['io_error'],
    torn: 1,
    end: 'exit',
    story: async ({ log }) => void (await log(1_000, { perTurn: 20 })),
  })
}
