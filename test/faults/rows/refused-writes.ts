import { failingWrites, compiler, strace } from '../harness/injection.ts'
import type { AllowedEffects } from '../harness/check-outcome.ts'
import { openOutput, type OutputKind } from '../harness/outputs.ts'
import { runScenario } from '../harness/scenario.ts'
import { shortWrites } from '../../support/files/short-writes.ts'
import type { FaultRow, FaultHarness } from './row.ts'

const RECORDS = 1_000

/** Writes fail or are short. */
export const refusedWrites: readonly FaultRow[] = [
  ...(['file', 'pipe'] as const).flatMap((kind) => [
    passing(1, kind, 'repeatedly fail with EAGAIN', 'error=EAGAIN:when=1+10'),
    passing(2, kind, 'are repeatedly interrupted (EINTR)', 'error=EINTR:when=1+10'),
  ]),
  passing(3, 'file', 'temporarily fail (EIO)', 'error=EIO:when=1..2', 'reported'),
  passing(3, 'appended file', 'temporarily fail (EIO)', 'error=EIO:when=1..2', 'reported'),
  {
    row: 4,
    fault: 'writes to a file fail permanently while 160 MB are logged',
    how: '`strace -e inject=write:error=EIO:when=5+` on the path of the file; 160 MB',
    needs: strace,
    run: failingPermanently,
  },
  ...(['file', 'appended file', 'pipe', 'socket'] as const).map(short),
]

function passing(
  row: number,
  kind: OutputKind,
  what: string,
  fault: string,
  losses: AllowedEffects['losses'] = 'nothing',
): FaultRow {
  return {
    row,
    fault: `writes to ${nameOf(kind)} ${what}`,
    how: `\`strace -e inject=write:${fault}\` on the path of the ${kind}`,
    needs: strace,
    async run(harness) {
      const output = await openOutput(kind, harness.path('sink'))
      return runScenario(harness, {
        output,
        start: { wrap: failingWrites(output.path, fault) },
        losses,
        reasons: ['io_error'],
        recovered: true,
        steps: async ({ log, flush }) => {
          await log(RECORDS, { perTurn: 20 })
          return (await flush()) ? [] : ['a flush does not succeed afterwards']
        },
      })
    },
  }
}

async function failingPermanently(harness: FaultHarness): Promise<readonly string[]> {
  const output = await openOutput('file', harness.path('sink'))
  return runScenario(harness, {
    output,
    start: {
      wrap: failingWrites(output.path, 'error=EIO:when=5+'),
      options: { exporter: { maxQueueBytes: 1_000_000 } },
    },
    losses: 'reported',
    reasons: ['queue_full', 'io_error'],
    torn: 1,
    turnMillis: 1_000,
    steps: async ({ child, log }) => {
      await child.request({ do: 'stats' })
      const before = child.rss
      await log(80_000, { perTurn: 500, padding: 2_000 })
      await child.request({ do: 'stats' })
      const grown = child.rss - before
      // A logger that keeps all of it takes 286 MB and more; on a busy machine garbage is collected late.
      return grown < 220_000_000 ? [] : [`takes ${Math.round(grown / 1e6)} MB of memory for 160 MB of records`]
    },
  })
}

function short(kind: OutputKind): FaultRow {
  return {
    row: 5,
    fault: `writes to ${nameOf(kind)} accept only part of the data`,
    how: 'a preloaded library (`LD_PRELOAD`) limits write(2) and writev(2) to 1 to 97 bytes',
    needs: compiler,
    async run(harness) {
      const output = await openOutput(kind, harness.path('sink'))
      const env = {
        LD_PRELOAD: shortWrites(harness.path('short.so')),
        SHORT_PATH: kind === 'file' ? output.path : '/proc/self/fd/1',
      }
      return runScenario(harness, {
        output,
        start: { env },
        steps: async ({ log }) => void (await log(300, { perTurn: 20 })),
      })
    },
  }
}

function nameOf(kind: OutputKind): string {
  return kind === 'appended file' ? 'standard output redirected to a file' : `a ${kind}`
}
