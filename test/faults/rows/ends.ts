import type { ExitCause } from '../harness/commands.ts'
import { openOutput } from '../harness/outputs.ts'
import { runScenario } from '../harness/scenario.ts'
import type { FaultRow, FaultHarness } from './row.ts'

const exits: readonly { readonly row: number; readonly death: ExitCause; readonly how: string }[] = [
  { row: 15, death: 'exit', how: 'process.exit' },
  { row: 16, death: 'throw', how: 'an uncaught exception' },
  { row: 16, death: 'reject', how: 'an unhandled rejection' },
  { row: 17, death: 'SIGTERM', how: 'SIGTERM' },
  { row: 17, death: 'SIGINT', how: 'SIGINT' },
  { row: 17, death: 'SIGHUP', how: 'SIGHUP' },
]

/** The process exits in the turn in which it has logged 2,000 records. */
export const ends: readonly FaultRow[] = exits.flatMap(({ row, death: cause, how }) =>
  (['file', 'pipe'] as const).map((kind) => ({
    row,
    fault: `a burst to a ${kind} is followed by ${how}`,
    how: '2,000 records and the exit in one turn',
    run: (harness) => burst(harness, kind, cause),
  })),
)

async function burst(harness: FaultHarness, kind: 'file' | 'pipe', cause: ExitCause): Promise<string[]> {
  const code = { exit: 3, throw: 1, reject: 1 }[cause as 'exit'] ?? null
  return runScenario(harness, {
    output: await openOutput(kind, harness.path('sink')),
    end: 'steps',
    exitStatus: { code, signal: code === null ? (cause as NodeJS.Signals) : null },
    steps: async ({ log }) => void (await log(2_000, { then: cause })),
  })
}
