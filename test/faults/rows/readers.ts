import { fileURLToPath } from 'node:url'
import { command } from '../harness/injection.ts'
import { openOutlet, type OutletKind } from '../harness/outlets.ts'
import { play, type Scenario } from '../harness/scenario.ts'
import type { Row, RowBench } from './row.ts'

const channels = ['pipe', 'socket', 'connection'] as const
const how = { stalled: 'the reader is a process of its own that gets SIGSTOP', gone: 'the reader gets SIGKILL' }
const howTcp = { stalled: 'nobody reads from the connection', gone: 'the connection is reset' }

/** Somebody else as the user: one that may not open the pipe that it was given. */
const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
const nobody = command(
  'setpriv, and files that another user may read',
  'setpriv',
  ...asNobody.slice(1),
  process.execPath,
  fileURLToPath(new URL('../harness/records.ts', import.meta.url)),
)

/** Whoever reads what is logged stops reading, or goes away. */
export const readers: readonly Row[] = [
  ...channels.flatMap((kind): Row[] => [
    {
      row: 11,
      fault: `the reader of a ${kind} stalls for two seconds`,
      how: kind === 'connection' ? howTcp.stalled : how.stalled,
      run: (bench) => stalled(bench, kind, {}),
    },
    {
      row: 11,
      fault: `the reader of a ${kind} stalls until process.exit`,
      how: kind === 'connection' ? howTcp.stalled : how.stalled,
      run: (bench) => stalledAtExit(bench, kind),
    },
    {
      row: 12,
      fault: `the reader of a ${kind} disconnects`,
      how: kind === 'connection' ? howTcp.gone : how.gone,
      run: (bench) => gone(bench, kind),
    },
  ]),
  {
    row: 11,
    fault: 'the reader of a pipe stalls while 160 MB are logged',
    how: how.stalled,
    run: muchForNobody,
  },
  {
    row: 11,
    fault: 'the reader of a pipe that the process may not reopen (--permission) stalls for two seconds',
    how: `${how.stalled}; \`node --permission\``,
    run: (bench) => stalled(bench, 'pipe', { nodeArgs: ['--permission', '--allow-fs-read=*'] }),
  },
  {
    row: 11,
    fault: 'the reader of a pipe owned by another user stalls for two seconds',
    how: `${how.stalled}; the process is nobody's (setpriv), the pipe root's`,
    needs: nobody,
    run: (bench) => stalled(bench, 'pipe', { wrap: asNobody }),
  },
  {
    row: 12,
    fault: 'standard output is closed when the program starts',
    how: '`>&-`',
    run: closedStdout,
  },
]

async function stalled(bench: RowBench, kind: OutletKind, start: Scenario['start'] & object): Promise<string[]> {
  return play(bench, {
    outlet: await openOutlet(kind, bench.path('sink')),
    start,
    turnMillis: 250,
    story: async ({ log, flush, outlet }) => {
      await log(100, { perTurn: 10 })
      outlet.stall()
      // Also when nobody asks for it: who blocks meanwhile is not to block for ever.
      const soon = setTimeout(() => outlet.goOn(), 2_000)
      // Connections take some megabytes before they stall.
      await log(4_000, { perTurn: 20, everyMillis: 10, padding: kind === 'connection' ? 2_000 : 100 })
      clearTimeout(soon)
      outlet.goOn()
      return (await flush()) ? [] : ['a flush does not succeed afterwards']
    },
  })
}

async function stalledAtExit(bench: RowBench, kind: OutletKind): Promise<string[]> {
  return play(bench, {
    outlet: await openOutlet(kind, bench.path('sink')),
    start: { options: { logger: { exitTimeoutMillis: 500 } } },
    losses: 'told',
    reasons: ['exit_deadline'],
    torn: 1,
    turnMillis: 250,
    end: 'exit',
    endMillis: 2_000,
    story: async ({ log, outlet }) => {
      await log(100, { perTurn: 10 })
      outlet.stall()
      await log(5_000, { perTurn: 100, padding: 2_000 })
    },
  })
}

async function muchForNobody(bench: RowBench): Promise<string[]> {
  return play(bench, {
    outlet: await openOutlet('pipe', bench.path('sink')),
    start: { options: { exporter: { maxQueueBytes: 4_000_000 } } },
    losses: 'told',
    reasons: ['queue_full'],
    recovered: true,
    turnMillis: 500,
    endMillis: 5_000,
    story: async ({ child, log, flush, outlet }) => {
      await child.ask({ do: 'ledger' })
      const before = child.rss
      outlet.stall()
      await log(80_000, { perTurn: 500, padding: 2_000 })
      await child.ask({ do: 'ledger' })
      const grown = child.rss - before
      outlet.goOn()
      const ok = await flush()
      await log(10)
      await flush()
      return [
        ...(ok ? [] : ['a flush does not succeed afterwards']),
        // Who keeps all of it takes 286 MB and more; on a busy machine garbage is collected late.
        ...(grown < 220_000_000 ? [] : [`takes ${Math.round(grown / 1e6)} MB of memory for 160 MB of records`]),
      ]
    },
  })
}

async function gone(bench: RowBench, kind: OutletKind): Promise<string[]> {
  return play(bench, {
    outlet: await openOutlet(kind, bench.path('sink')),
    losses: 'told',
    reasons: ['io_error'],
    torn: 1,
    turnMillis: 250,
    story: async ({ log, flush, outlet }) => {
      await log(100, { perTurn: 10 })
      await flush()
      await outlet.leave('"seq":99,')
      await log(2_000, { perTurn: 20, everyMillis: 2 })
    },
  })
}

/** Node opens /dev/null in its place: everything is written, to nobody. */
async function closedStdout(bench: RowBench): Promise<string[]> {
  const wrong = await play(bench, {
    outlet: { ...(await openOutlet('appended file', bench.path('sink'))) },
    start: { wrap: ['sh', '-c', 'exec "$@" >&-', 'sh'] },
    losses: 'told',
    story: async ({ log, flush }) => {
      await log(1_000, { perTurn: 20 })
      await flush()
    },
  })
  return wrong.filter((what) => !what.includes('are missing') && !what.includes('lost without a word'))
}
