import { python } from '../harness/injection.ts'
import { openOutput } from '../harness/outputs.ts'
import { runScenario } from '../harness/scenario.ts'
import type { FaultRow, FaultHarness } from './row.ts'

// fcntl(2): F_GETFL 3, F_SETFL 4; F_SETPIPE_SZ 1031.
const set = [
  'import fcntl, os, sys',
  'fcntl.fcntl(1, 4, fcntl.fcntl(1, 3) | os.O_NONBLOCK)',
  'if sys.argv[1] == "tiny": fcntl.fcntl(1, 1031, 4096)',
  'os.execvp(sys.argv[2], sys.argv[2:])',
]

/** The standard output is non-blocking when the program starts. */
export const standardOutputs: readonly FaultRow[] = (['pipe', 'socket'] as const).map((kind) => ({
  row: 13,
  fault: `standard output, a ${kind}, is non-blocking when the program starts, and accepts little data`,
  how:
    kind === 'pipe'
      ? 'Python sets O_NONBLOCK and F_SETPIPE_SZ 4,096 before it starts the program; the reader stalls repeatedly'
      : 'Python sets O_NONBLOCK before it starts the program; the reader stalls repeatedly',
  needs: python,
  run: (harness) => nonBlocking(harness, kind),
}))

async function nonBlocking(harness: FaultHarness, kind: 'pipe' | 'socket'): Promise<string[]> {
  return runScenario(harness, {
    output: await openOutput(kind, harness.path('sink')),
    start: { wrap: ['python3', '-c', set.join('\n'), kind === 'pipe' ? 'tiny' : 'as it is'] },
    // The reader stalls for 200 ms at a time. Row 11 tests loggers that block on it.
    turnMillis: 1_000,
    steps: async ({ log, flush, output }) => {
      for (let time = 0; time < 4; time++) {
        output.stall()
        const soon = setTimeout(() => output.resume(), 200)
        await log(500, { perTurn: 20, everyMillis: 1 })
        clearTimeout(soon)
        output.resume()
        await log(100, { perTurn: 5 })
      }
      return (await flush()) ? [] : ['a flush does not succeed afterwards']
    },
  })
}
