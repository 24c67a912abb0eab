import { failingWrites, strace } from '../harness/injection.ts'
import { tooLate } from '../harness/check-outcome.ts'
import { readSink } from '../harness/oracle.ts'
import { openOutput } from '../harness/outputs.ts'
import { runScenario, seconds, type Scenario } from '../harness/scenario.ts'
import type { FaultRow, FaultHarness } from './row.ts'

const SLOW = 'delay_enter=100000'
const how = `\`strace -e inject=write:${SLOW}\` on the path of the file: every write takes 100 ms`

/** Every write is slow. */
export const slowDisks: readonly FaultRow[] = [
  {
    row: 10,
    fault: 'the disk of a file is slow, and log calls stay fast until the queue limit is reached',
    how,
    needs: strace,
    run: (harness) =>
      withSlowDisk(harness, {
        // One write detects the slow disk. If each turn waited for a write, 100 turns would take 10 s.
        steps: async ({ log }) => {
          const { elapsed } = await log(100, { perTurn: 1 })
          return elapsed < 2_000 ? [] : [tooLate(`100 turns that log take ${seconds(elapsed)}`)]
        },
        turnMillis: 600,
      }),
  },
  ...(['dropNewest', 'dropOldest', 'dropLowest'] as const).map((onFull): FaultRow => ({
    row: 10,
    fault: `the disk of a file is too slow for the log calls, with ${onFull}`,
    how,
    needs: strace,
    onlyOursBecause: 'the overflow policy is an option of sluice',
    run: (harness) => atQueueLimit(harness, onFull),
  })),
  {
    row: 10,
    fault: 'the disk of a file is too slow for the log calls, with block',
    how,
    needs: strace,
    onlyOursBecause: 'the overflow policy is an option of sluice',
    run: (harness) =>
      withSlowDisk(harness, {
        start: { options: { exporter: { maxQueueBytes: 150_000, onFull: 'block' } } },
        steps: async ({ log }) => void (await log(2_000, { perTurn: 500 })),
      }),
  },
]

async function withSlowDisk(harness: FaultHarness, scenario: Omit<Scenario, 'output'>): Promise<string[]> {
  const output = await openOutput('file', harness.path('sink'))
  return runScenario(harness, {
    output,
    endMillis: 10_000,
    ...scenario,
    start: { ...scenario.start, wrap: failingWrites(output.path, SLOW) },
  })
}

async function atQueueLimit(
  harness: FaultHarness,
  onFull: 'dropNewest' | 'dropOldest' | 'dropLowest',
): Promise<string[]> {
  return withSlowDisk(harness, {
    start: { options: { exporter: { maxQueueBytes: 150_000, onFull } } },
    losses: 'reported',
    reasons: ['queue_full'],
    recovered: true,
    turnMillis: 600,
    check: (text, { pid }) => checkRetained(pid, text, harness.run, onFull),
    steps: async ({ log, flush }) => {
      await log(20)
      // The first write has detected the slow disk.
      await flush()
      await log(3_000)
      await flush()
      await log(10)
      await flush()
    },
  })
}

/** Checks which records of the second of three bursts remain: 20, then 3,000 of which every tenth is a warning, then 10. */
function checkRetained(pid: number, text: string, run: string, onFull: string): string[] {
  const middle = (readSink(text, run).sequences.get(pid) ?? []).filter((seq) => seq >= 20 && seq < 3_020)
  const warnings = middle.filter((seq) => seq % 10 === 0).length
  switch (onFull) {
    case 'dropNewest':
      // About 500 records fit, and a few later ones.
      return middle[299] === 319 ? [] : ['other records than the newest were dropped']
    case 'dropOldest':
      // Records that were passed to the exporter are not dropped.
      return middle.at(-1) === 3_019 ? [] : ['other records than the oldest were dropped']
    default:
      return warnings === 300 ? [] : [`${300 - warnings} warnings gave cause, and ${middle.length} others did not`]
  }
}
