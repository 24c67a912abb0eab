import type { Death } from '../harness/commands.ts'
import { openOutlet } from '../harness/outlets.ts'
import { play } from '../harness/scenario.ts'
import type { Row, RowBench } from './row.ts'

const deaths: readonly { readonly row: number; readonly death: Death; readonly how: string }[] = [
  { row: 15, death: 'exit', how: 'process.exit' },
  { row: 16, death: 'throw', how: 'an uncaught exception' },
  { row: 16, death: 'reject', how: 'an unhandled rejection' },
  { row: 17, death: 'SIGTERM', how: 'SIGTERM' },
  { row: 17, death: 'SIGINT', how: 'SIGINT' },
  { row: 17, death: 'SIGHUP', how: 'SIGHUP' },
]

/** The process ends in the turn in which it has logged 2,000 records. */
export const ends: readonly Row[] = deaths.flatMap(({ row, death, how }) =>
  (['file', 'pipe'] as const).map((kind) => ({
    row,
    fault: `a burst to a ${kind} is followed by ${how}`,
    how: '2,000 records and the end in one turn',
    run: (bench) => burst(bench, kind, death),
  })),
)

async function burst(bench: RowBench, kind: 'file' | 'pipe', death: Death): Promise<string[]> {
  const code = { exit: 3, throw: 1, reject: 1 }[death as 'exit'] ?? null
  return play(bench, {
    outlet: await openOutlet(kind, bench.path('sink')),
    end: 'story',
    ending: { code, signal: code === null ? (death as NodeJS.Signals) : null },
    story: async ({ log }) => void (await log(2_000, { then: death })),
  })
}
