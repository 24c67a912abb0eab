import { failingWrites, strace } from '../harness/injection.ts'
import { tooLate } from '../harness/judge.ts'
import { readSink } from '../harness/oracle.ts'
import { openOutlet } from '../harness/outlets.ts'
import { play, seconds, type Scenario } from '../harness/scenario.ts'
import type { Row, RowBench } from './row.ts'

const SLOW = 'delay_enter=100000'
const how = `\`strace -e inject=write:${SLOW}\` on the path of the file: each write takes 100 ms`

/** Each write takes long. */
export const slowDisks: readonly Row[] = [
  {
    row: 10,
    fault: 'the disk of a file is slow, and log calls stay fast until the queue limit is reached',
    how,
    needs: strace,
    run: (bench) =>
      withSlowDisk(bench, {
        // One write finds out; were each turn to wait for one, 100 turns would take 10 s.
        story: async ({ log }) => {
          const { elapsed } = await log(100, { perTurn: 1 })
          return elapsed < 2_000 ? [] : [tooLate(`100 turns that log take ${seconds(elapsed)}`)]
        },
        turnMillis: 600,
      }),
  },
  ...(['dropNewest', 'dropOldest', 'dropLowest'] as const).map((onFull): Row => ({
    row: 10,
    fault: `the disk of a file is too slow for what is logged, and ${onFull} holds`,
    how,
    needs: strace,
    onlyOurs: 'what happens at a bound is a setting of ours',
    run: (bench) => atBound(bench, onFull),
  })),
  {
    row: 10,
    fault: 'the disk of a file is too slow for what is logged, and block waits for it',
    how,
    needs: strace,
    onlyOurs: 'what happens at a bound is a setting of ours',
    run: (bench) =>
      withSlowDisk(bench, {
        start: { options: { exporter: { maxQueueBytes: 150_000, onFull: 'block' } } },
        story: async ({ log }) => void (await log(2_000, { perTurn: 500 })),
      }),
  },
]

async function withSlowDisk(bench: RowBench, scenario: Omit<Scenario, 'outlet'>): Promise<string[]> {
  const outlet = await openOutlet('file', bench.path('sink'))
  return play(bench, {
    outlet,
    endMillis: 10_000,
    ...scenario,
    start: { ...scenario.start, wrap: failingWrites(outlet.path, SLOW) },
  })
}

async function atBound(bench: RowBench, onFull: 'dropNewest' | 'dropOldest' | 'dropLowest'): Promise<string[]> {
  return withSlowDisk(bench, {
    start: { options: { exporter: { maxQueueBytes: 150_000, onFull } } },
    losses: 'told',
    reasons: ['queue_full'],
    recovered: true,
    turnMillis: 600,
    afterwards: (text, { pid }) => kept(pid, text, bench.run, onFull),
    story: async ({ log, flush }) => {
      await log(20)
      // The first write has found out that the disk is slow.
      await flush()
      await log(3_000)
      await flush()
      await log(10)
      await flush()
    },
  })
}

/** What the policy says of the middle of three bursts: 20, then 3,000 of which each tenth is a warning, then 10. */
function kept(pid: number, text: string, run: string, onFull: string): string[] {
  const middle = (readSink(text, run).seqs.get(pid) ?? []).filter((seq) => seq >= 20 && seq < 3_020)
  const warnings = middle.filter((seq) => seq % 10 === 0).length
  switch (onFull) {
    case 'dropNewest':
      // Some 500 fit; what comes later finds room now and then.
      return middle[299] === 319 ? [] : ['it is not the newest that gave way']
    case 'dropOldest':
      // What the exporter had does not give way.
      return middle.at(-1) === 3_019 ? [] : ['it is not the oldest that gave way']
    default:
      return warnings === 300 ? [] : [`${300 - warnings} warnings gave way, and ${middle.length} others did not`]
  }
}
