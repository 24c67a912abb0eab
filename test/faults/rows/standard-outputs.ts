import { python } from '../harness/injection.ts'
import { openOutlet } from '../harness/outlets.ts'
import { play } from '../harness/scenario.ts'
import type { Row, RowBench } from './row.ts'

// fcntl(2): F_GETFL 3, F_SETFL 4; F_SETPIPE_SZ 1031.
const set = [
  'import fcntl, os, sys',
  'fcntl.fcntl(1, 4, fcntl.fcntl(1, 3) | os.O_NONBLOCK)',
  'if sys.argv[1] == "tiny": fcntl.fcntl(1, 1031, 4096)',
  'os.execvp(sys.argv[2], sys.argv[2:])',
]

/** The standard output does not block already when the program starts. */
export const standardOutputs: readonly Row[] = (['pipe', 'socket'] as const).map((kind) => ({
  row: 13,
  fault: `standard output, a ${kind}, is non-blocking when the program starts, and accepts little data`,
  how:
    kind === 'pipe'
      ? 'Python sets O_NONBLOCK and F_SETPIPE_SZ 4,096 before it starts the program; the reader reads now and then'
      : 'Python sets O_NONBLOCK before it starts the program; the reader reads now and then',
  needs: python,
  run: (bench) => nonBlocking(bench, kind),
}))

async function nonBlocking(bench: RowBench, kind: 'pipe' | 'socket'): Promise<string[]> {
  return play(bench, {
    outlet: await openOutlet(kind, bench.path('sink')),
    start: { wrap: ['python3', '-c', set.join('\n'), kind === 'pipe' ? 'tiny' : 'as it is'] },
    // The reader stands still for 200 ms at a time: who blocks meanwhile is a matter of row 11.
    turnMillis: 1_000,
    story: async ({ log, flush, outlet }) => {
      for (let time = 0; time < 4; time++) {
        outlet.stall()
        const soon = setTimeout(() => outlet.goOn(), 200)
        await log(500, { perTurn: 20, everyMillis: 1 })
        clearTimeout(soon)
        outlet.goOn()
        await log(100, { perTurn: 5 })
      }
      return (await flush()) ? [] : ['a flush does not succeed afterwards']
    },
  })
}
