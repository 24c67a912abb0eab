import { openSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { commandNeed, mountNamespace, prlimit } from '../harness/injection.ts'
import { fileOutput, openOutput } from '../harness/outputs.ts'
import { mountDirectory } from '../harness/mounted-directory.ts'
import { runScenario } from '../harness/scenario.ts'
import { waitUntil } from '../../support/wait-until.ts'
import type { FaultRow, FaultHarness } from './row.ts'

const tmpfs = ['-t', 'tmpfs', '-o', 'size=200k', 'none']

/** The disk is full, or the file is at its size limit. */
export const fullDisks: readonly FaultRow[] = [
  {
    row: 6,
    fault: 'the disk of a file is temporarily full',
    how: 'a tmpfs of 200 kB in a mount namespace, with 50 kB free until another file is deleted',
    needs: mountNamespace,
    run: (harness) => spaceReturns(harness, {}),
  },
  {
    row: 6,
    fault: 'the disk of a file is full for longer than the queue can hold all records',
    how: 'the same, with a queue of 20 kB',
    needs: mountNamespace,
    run: (harness) => spaceReturns(harness, { options: { exporter: { maxQueueBytes: 20_000 } }, losses: 'reported' }),
  },
  ...(['end', 'exit'] as const).flatMap((end): FaultRow[] => [
    {
      row: 7,
      fault: `standard output is a full device when ${nameOf(end)}`,
      how: '`> /dev/full`',
      needs: { what: '/dev/full', isAvailable: commandNeed('', 'test', '-c', '/dev/full').isAvailable },
      run: (harness) => fullDevice(harness, end),
    },
    {
      row: 7,
      fault: `the disk of a file is full when ${nameOf(end)}`,
      how: 'a tmpfs of 200 kB in a mount namespace',
      needs: mountNamespace,
      run: (harness) => fullAtEnd(harness, end),
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
  harness: FaultHarness,
  { options, losses }: { options?: object; losses?: 'reported' },
): Promise<readonly string[]> {
  const directory = await mountDirectory(harness.path('small'), ...tmpfs)
  try {
    writeFileSync(directory.outside('ballast'), Buffer.alloc(150_000))
    return await runScenario(harness, {
      output: fileOutput(directory.outside('sink'), { sink: { to: 'file', path: directory.inside('sink') } }),
      start: { wrap: directory.enter, ...(options === undefined ? {} : { options }) },
      ...(losses === undefined ? {} : { losses, reasons: ['queue_full'], recovered: true }),
      turnMillis: 500,
      steps: async ({ log, flush }) => {
        await log(400, { perTurn: 10, everyMillis: 2 })
        // Some loggers write at intervals.
        await waitUntil(() => statfsSync(directory.outside('.')).bavail === 0)
        rmSync(directory.outside('ballast'))
        const ok = await flush()
        await log(20)
        return ok && (await flush()) ? [] : ['a flush does not succeed afterwards']
      },
    })
  } finally {
    directory.close()
  }
}

async function fullDevice(harness: FaultHarness, end: 'end' | 'exit'): Promise<readonly string[]> {
  const stdout = openSync('/dev/full', 'w')
  const output = { ...fileOutput('/dev/full', { sink: { to: 'stdout' }, stdout }), text: async () => '' }
  return runScenario(harness, {
    output,
    losses: 'reported',
    reasons: ['io_error'],
    end,
    steps: async ({ log }) => void (await log(1_000, { perTurn: 100 })),
  })
}

async function fullAtEnd(harness: FaultHarness, end: 'end' | 'exit'): Promise<readonly string[]> {
  const directory = await mountDirectory(harness.path('small'), ...tmpfs)
  try {
    return await runScenario(harness, {
      output: fileOutput(directory.outside('sink'), { sink: { to: 'file', path: directory.inside('sink') } }),
      start: { wrap: directory.enter },
      losses: 'reported',
      reasons: ['io_error'],
      torn: 1,
      end,
      steps: async ({ log }) => void (await log(2_000, { perTurn: 100 })),
    })
  } finally {
    directory.close()
  }
}

async function sizeRaised(harness: FaultHarness): Promise<readonly string[]> {
  return runScenario(harness, {
    output: await openOutput('file', harness.path('sink')),
    start: { wrap: ['prlimit', '--fsize=50000:unlimited'] },
    steps: async ({ child, log, flush }) => {
      await log(1_000, { perTurn: 20 })
      execFileSync('prlimit', [`--pid=${child.pid}`, '--fsize=unlimited'])
      return (await flush()) ? [] : ['a flush does not succeed afterwards']
    },
  })
}

async function sizeLimited(harness: FaultHarness): Promise<readonly string[]> {
  return runScenario(harness, {
    output: await openOutput('file', harness.path('sink')),
    start: { wrap: ['prlimit', '--fsize=50000'] },
    losses: 'reported',
    reasons: ['io_error'],
    torn: 1,
    end: 'exit',
    steps: async ({ log }) => void (await log(1_000, { perTurn: 20 })),
  })
}
