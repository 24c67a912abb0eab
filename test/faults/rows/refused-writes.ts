import { failingWrites, compiler, strace } from '../harness/injection.ts'
import type { Allowed } from '../harness/judge.ts'
import { openOutlet, type OutletKind } from '../harness/outlets.ts'
import { play } from '../harness/scenario.ts'
import { shortWrites } from '../../support/files/short-writes.ts'
import type { Row, RowBench } from './row.ts'

const RECORDS = 1_000

/** The system refuses to write, or writes less than it was given. */
export const refusedWrites: readonly Row[] = [
  ...(['file', 'pipe'] as const).flatMap((kind) => [
    passing(1, kind, 'repeatedly fail with EAGAIN', 'error=EAGAIN:when=1+10'),
    passing(2, kind, 'are repeatedly interrupted (EINTR)', 'error=EINTR:when=1+10'),
  ]),
  passing(3, 'file', 'temporarily fail (EIO)', 'error=EIO:when=1..2', 'told'),
  passing(3, 'appended file', 'temporarily fail (EIO)', 'error=EIO:when=1..2', 'told'),
  {
    row: 4,
    fault: 'writes to a file fail permanently while 160 MB are logged',
    how: '`strace -e inject=write:error=EIO:when=5+` on the path of the file; 160 MB',
    needs: strace,
    run: failingForEver,
  },
  ...(['file', 'appended file', 'pipe', 'socket'] as const).map(short),
]

function passing(
  row: number,
  kind: OutletKind,
  what: string,
  fault: string,
  losses: Allowed['losses'] = 'nothing',
): Row {
  return {
    row,
    fault: `writes to ${nameOf(kind)} ${what}`,
    how: `\`strace -e inject=write:${fault}\` on the path of the ${kind}`,
    needs: strace,
    async run(bench) {
      const outlet = await openOutlet(kind, bench.path('sink'))
      return play(bench, {
        outlet,
        start: { wrap: failingWrites(outlet.path, fault) },
        losses,
        reasons: ['io_error'],
        recovered: true,
        story: async ({ log, flush }) => {
          await log(RECORDS, { perTurn: 20 })
          return (await flush()) ? [] : ['a flush does not succeed afterwards']
        },
      })
    },
  }
}

async function failingForEver(bench: RowBench): Promise<readonly string[]> {
  const outlet = await openOutlet('file', bench.path('sink'))
  return play(bench, {
    outlet,
    start: {
      wrap: failingWrites(outlet.path, 'error=EIO:when=5+'),
      options: { exporter: { maxQueueBytes: 1_000_000 } },
    },
    losses: 'told',
    reasons: ['queue_full', 'io_error'],
    torn: 1,
    turnMillis: 1_000,
    story: async ({ child, log }) => {
      await child.ask({ do: 'ledger' })
      const before = child.rss
      await log(80_000, { perTurn: 500, padding: 2_000 })
      await child.ask({ do: 'ledger' })
      const grown = child.rss - before
      // A logger that keeps all of it takes 286 MB and more; on a busy machine garbage is collected late.
      return grown < 220_000_000 ? [] : [`takes ${Math.round(grown / 1e6)} MB of memory for 160 MB of records`]
    },
  })
}

function short(kind: OutletKind): Row {
  return {
    row: 5,
    fault: `writes to ${nameOf(kind)} accept only part of the data`,
    how: 'a preloaded library (`LD_PRELOAD`) has write(2) and writev(2) take 1 to 97 bytes at a time',
    needs: compiler,
    async run(bench) {
      const outlet = await openOutlet(kind, bench.path('sink'))
      const env = {
        LD_PRELOAD: shortWrites(bench.path('short.so')),
        SHORT_PATH: kind === 'file' ? outlet.path : '/proc/self/fd/1',
      }
      return play(bench, { outlet, start: { env }, story: async ({ log }) => void (await log(300, { perTurn: 20 })) })
    },
  }
}

function nameOf(kind: OutletKind): string {
  return kind === 'appended file' ? 'standard output redirected to a file' : `a ${kind}`
}
