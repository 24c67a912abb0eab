import { inconsistentSums, readSink } from '../harness/oracle.ts'
import { openOutput } from '../harness/outputs.ts'
import { runScenario } from '../harness/scenario.ts'
import { strace, failingWrites } from '../harness/injection.ts'
import type { FaultRow, FaultHarness } from './row.ts'

const COUNT = 100

/** Concurrent calls, and one of two destinations that fails. */
export const overlaps: readonly FaultRow[] = [
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
    run: (harness) => withFullDevice(harness, '/dev/full'),
  },
  {
    row: 46,
    fault: 'one destination is a pipe that is not read, and another works',
    how: 'a named pipe whose reader is stopped, and a file',
    run: withStalledPipe,
  },
]

async function secondFlush(harness: FaultHarness): Promise<string[]> {
  const output = await openOutput('file', harness.path('sink'))
  const child = await harness.start({ ...output.plan, wrap: failingWrites(output.path, 'delay_enter=20000') })
  const { ok, next } = await child.request<'flushed'>({ do: 'overlap', count: COUNT, kill: true })
  await child.ended
  const sequences = new Set(readSink(await output.text(), harness.run).sequences.get(child.pid))
  const missing = Array.from({ length: next }, (_, seq) => seq).filter((seq) => !sequences.has(seq))
  return [
    ...(ok ? [] : ['the second flush does not succeed']),
    ...(missing.length === 0 ? [] : [`${missing.length} of ${next} flushed records are missing`]),
  ]
}

async function overlapping(harness: FaultHarness): Promise<string[]> {
  const output = await openOutput('file', harness.path('sink'))
  let before = 0
  let after = 0
  return runScenario(harness, {
    output,
    start: { wrap: failingWrites(output.path, 'delay_enter=20000') },
    losses: 'reported',
    reasons: ['shutdown'],
    endMillis: 5_000,
    steps: async ({ child, addLogged }) => {
      const { before: first, next } = await child.request<'overlapped'>({ do: 'overlap', count: COUNT })
      addLogged(next)
      before = first
      after = next - first
    },
    check: (text, { pid, stats }) => {
      const sequences = new Set(readSink(text, harness.run).sequences.get(pid))
      const lost = Array.from({ length: before }, (_, seq) => seq).filter((seq) => !sequences.has(seq)).length
      const late = stats?.dropped.byReason['shutdown'] ?? after
      return [
        ...(lost === 0 ? [] : [`${lost} of ${before} logged before shutdown are missing`]),
        ...(late === after ? [] : [`${late} of ${after} logged after shutdown are counted as such`]),
      ]
    },
  })
}

async function withFullDevice(harness: FaultHarness, path: string): Promise<string[]> {
  return runScenario(harness, {
    output: await openOutput('file', harness.path('sink')),
    start: { secondSink: { to: 'file', path } },
    turnMillis: 250,
    steps: async ({ log }) => void (await log(2_000, { perTurn: 20 })),
    check: (_, { secondStats }) => {
      if (secondStats === undefined) return []
      const { written, dropped } = secondStats
      const all = written === 0 && dropped.byReason['io_error'] === dropped.total && dropped.total === 2_000
      return [
        ...inconsistentSums(secondStats),
        ...(all ? [] : [`of the full device ${written} were written, ${dropped.total} dropped`]),
      ]
    },
  })
}

async function withStalledPipe(harness: FaultHarness): Promise<string[]> {
  const stalled = await openOutput('pipe', harness.path('stalled'))
  try {
    stalled.stall()
    return await runScenario(harness, {
      output: await openOutput('file', harness.path('sink')),
      start: { secondSink: { to: 'file', path: stalled.path }, options: { logger: { exitTimeoutMillis: 500 } } },
      turnMillis: 250,
      endMillis: 2_000,
      end: 'exit',
      steps: async ({ log }) => void (await log(2_000, { perTurn: 20 })),
    })
  } finally {
    stalled.close()
  }
}
