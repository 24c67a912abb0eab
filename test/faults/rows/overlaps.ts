import { brokenSums, readSink } from '../harness/oracle.ts'
import { openOutlet } from '../harness/outlets.ts'
import { play } from '../harness/scenario.ts'
import { strace, failingWrites } from '../harness/injection.ts'
import type { Row, RowBench } from './row.ts'

const COUNT = 100

/** Calls overlap, and one destination of two is dead. */
export const overlaps: readonly Row[] = [
  {
    row: 45,
    fault: 'the process is killed as soon as the second of two concurrent flushes reports that everything is written',
    how: 'a file whose writes take 20 ms (`strace -e inject=write:delay_enter=20000`); SIGKILL',
    needs: strace,
    run: secondFlush,
  },
  {
    row: 45,
    fault: 'records are logged during two flushes, during shutdown and after it',
    how: 'a file whose writes take 20 ms (`strace -e inject=write:delay_enter=20000`)',
    needs: strace,
    run: overlapping,
  },
  {
    row: 46,
    fault: 'one destination is a full device, and another works',
    how: '`/dev/full` and a file',
    run: (bench) => besideDead(bench, '/dev/full'),
  },
  {
    row: 46,
    fault: 'one destination is a pipe that is not read, and another works',
    how: 'a named pipe whose reader stands still, and a file',
    run: besideStalled,
  },
]

async function secondFlush(bench: RowBench): Promise<string[]> {
  const outlet = await openOutlet('file', bench.path('sink'))
  const child = await bench.start({ ...outlet.plan, wrap: failingWrites(outlet.path, 'delay_enter=20000') })
  const { ok, next } = await child.ask<'flushed'>({ do: 'overlap', count: COUNT, kill: true })
  await child.ended
  const seqs = new Set(readSink(await outlet.text(), bench.run).seqs.get(child.pid))
  const missing = Array.from({ length: next }, (_, seq) => seq).filter((seq) => !seqs.has(seq))
  return [
    ...(ok ? [] : ['the second flush does not succeed']),
    ...(missing.length === 0 ? [] : [`${missing.length} of ${next} that a flush called there are not`]),
  ]
}

async function overlapping(bench: RowBench): Promise<string[]> {
  const outlet = await openOutlet('file', bench.path('sink'))
  let before = 0
  let after = 0
  return play(bench, {
    outlet,
    start: { wrap: failingWrites(outlet.path, 'delay_enter=20000') },
    losses: 'told',
    reasons: ['shutdown'],
    endMillis: 5_000,
    story: async ({ child, add }) => {
      const { before: first, next } = await child.ask<'overlapped'>({ do: 'overlap', count: COUNT })
      add(next)
      before = first
      after = next - first
    },
    afterwards: (text, { pid, ledger }) => {
      const seqs = new Set(readSink(text, bench.run).seqs.get(pid))
      const lost = Array.from({ length: before }, (_, seq) => seq).filter((seq) => !seqs.has(seq)).length
      const late = ledger?.dropped.byReason['shutdown'] ?? after
      return [
        ...(lost === 0 ? [] : [`${lost} of ${before} logged before the shutdown are not there`]),
        ...(late === after ? [] : [`${late} of ${after} logged after the shutdown are counted as that`]),
      ]
    },
  })
}

async function besideDead(bench: RowBench, dead: string): Promise<string[]> {
  return play(bench, {
    outlet: await openOutlet('file', bench.path('sink')),
    start: { beside: { to: 'file', path: dead } },
    turnMillis: 250,
    story: async ({ log }) => void (await log(2_000, { perTurn: 20 })),
    afterwards: (_, { beside }) => {
      if (beside === undefined) return []
      const { written, dropped } = beside
      const all = written === 0 && dropped.byReason['io_error'] === dropped.total && dropped.total === 2_000
      return [
        ...brokenSums(beside),
        ...(all ? [] : [`of the dead one ${written} were written, ${dropped.total} dropped`]),
      ]
    },
  })
}

async function besideStalled(bench: RowBench): Promise<string[]> {
  const dead = await openOutlet('pipe', bench.path('dead'))
  try {
    dead.stall()
    return await play(bench, {
      outlet: await openOutlet('file', bench.path('sink')),
      start: { beside: { to: 'file', path: dead.path }, options: { logger: { exitTimeoutMillis: 500 } } },
      turnMillis: 250,
      endMillis: 2_000,
      end: 'exit',
      story: async ({ log }) => void (await log(2_000, { perTurn: 20 })),
    })
  } finally {
    dead.close()
  }
}
