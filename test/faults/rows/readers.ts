import { fileURLToPath } from 'node:url'
import { commandNeed } from '../harness/injection.ts'
import { openOutput, type OutputKind } from '../harness/outputs.ts'
import { runScenario, type Scenario } from '../harness/scenario.ts'
import type { FaultRow, FaultHarness } from './row.ts'

const channels = ['pipe', 'socket', 'connection'] as const
const how = { stalled: 'the reader is a separate process that receives SIGSTOP', gone: 'the reader receives SIGKILL' }
const howTcp = { stalled: 'the connection is not read', gone: 'the connection is reset' }

/** Runs as another user, who may not open the inherited pipe. */
const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
const nobody = commandNeed(
  'setpriv, and files that another user may read',
  'setpriv',
  ...asNobody.slice(1),
  process.execPath,
  fileURLToPath(new URL('../harness/records.ts', import.meta.url)),
)

/** The reader stalls or disconnects. */
export const readers: readonly FaultRow[] = [
  ...channels.flatMap((kind): FaultRow[] => [
    {
      row: 11,
      fault: `the reader of a ${kind} stalls for two seconds`,
      how: kind === 'connection' ? howTcp.stalled : how.stalled,
      run: (harness) => stalled(harness, kind, {}),
    },
    {
      row: 11,
      fault: `the reader of a ${kind} stalls until process.exit`,
      how: kind === 'connection' ? howTcp.stalled : how.stalled,
      run: (harness) => stalledAtExit(harness, kind),
    },
    {
      row: 12,
      fault: `the reader of a ${kind} disconnects`,
      how: kind === 'connection' ? howTcp.gone : how.gone,
      run: (harness) => gone(harness, kind),
    },
  ]),
  {
    row: 11,
    fault: 'the reader of a pipe stalls while 160 MB are logged',
    how: how.stalled,
    run: logWhileStalled,
  },
  {
    row: 11,
    fault: 'the reader of a pipe that the process may not reopen (--permission) stalls for two seconds',
    how: `${how.stalled}; \`node --permission\``,
    run: (harness) => stalled(harness, 'pipe', { nodeArgs: ['--permission', '--allow-fs-read=*'] }),
  },
  {
    row: 11,
    fault: 'the reader of a pipe owned by another user stalls for two seconds',
    how: `${how.stalled}; the process runs as user 65534 (setpriv), and root owns the pipe`,
    needs: nobody,
    run: (harness) => stalled(harness, 'pipe', { wrap: asNobody }),
  },
  {
    row: 12,
    fault: 'standard output is closed when the program starts',
    how: '`>&-`',
    run: closedStdout,
  },
]

async function stalled(harness: FaultHarness, kind: OutputKind, start: Scenario['start'] & object): Promise<string[]> {
  return runScenario(harness, {
    output: await openOutput(kind, harness.path('sink')),
    start,
    turnMillis: 250,
    steps: async ({ log, flush, output }) => {
      await log(100, { perTurn: 10 })
      output.stall()
      // Resume after two seconds even if the log calls block.
      const soon = setTimeout(() => output.resume(), 2_000)
      // Connections take some megabytes before they stall.
      await log(4_000, { perTurn: 20, everyMillis: 10, padding: kind === 'connection' ? 2_000 : 100 })
      clearTimeout(soon)
      output.resume()
      return (await flush()) ? [] : ['a flush does not succeed afterwards']
    },
  })
}

async function stalledAtExit(harness: FaultHarness, kind: OutputKind): Promise<string[]> {
  return runScenario(harness, {
    output: await openOutput(kind, harness.path('sink')),
    start: { options: { logger: { exitTimeoutMillis: 500 } } },
    losses: 'reported',
    reasons: ['exit_deadline'],
    torn: 1,
    turnMillis: 250,
    end: 'exit',
    endMillis: 2_000,
    steps: async ({ log, output }) => {
      await log(100, { perTurn: 10 })
      output.stall()
      await log(5_000, { perTurn: 100, padding: 2_000 })
    },
  })
}

async function logWhileStalled(harness: FaultHarness): Promise<string[]> {
  return runScenario(harness, {
    output: await openOutput('pipe', harness.path('sink')),
    start: { options: { exporter: { maxQueueBytes: 4_000_000 } } },
    losses: 'reported',
    reasons: ['queue_full'],
    recovered: true,
    turnMillis: 500,
    endMillis: 5_000,
    steps: async ({ child, log, flush, output }) => {
      await child.request({ do: 'stats' })
      const before = child.rss
      output.stall()
      await log(80_000, { perTurn: 500, padding: 2_000 })
      await child.request({ do: 'stats' })
      const grown = child.rss - before
      output.resume()
      const ok = await flush()
      await log(10)
      await flush()
      return [
        ...(ok ? [] : ['a flush does not succeed afterwards']),
        // A logger that keeps all records uses at least 286 MB. On a busy machine garbage is collected late.
        ...(grown < 220_000_000 ? [] : [`takes ${Math.round(grown / 1e6)} MB of memory for 160 MB of records`]),
      ]
    },
  })
}

async function gone(harness: FaultHarness, kind: OutputKind): Promise<string[]> {
  return runScenario(harness, {
    output: await openOutput(kind, harness.path('sink')),
    losses: 'reported',
    reasons: ['io_error'],
    torn: 1,
    turnMillis: 250,
    steps: async ({ log, flush, output }) => {
      await log(100, { perTurn: 10 })
      await flush()
      await output.disconnectReader('"seq":99,')
      await log(2_000, { perTurn: 20, everyMillis: 2 })
    },
  })
}

/** Node opens /dev/null instead: all records are written, but not to the sink. */
async function closedStdout(harness: FaultHarness): Promise<string[]> {
  const wrong = await runScenario(harness, {
    output: { ...(await openOutput('appended file', harness.path('sink'))) },
    start: { wrap: ['sh', '-c', 'exec "$@" >&-', 'sh'] },
    losses: 'reported',
    steps: async ({ log, flush }) => {
      await log(1_000, { perTurn: 20 })
      await flush()
    },
  })
  return wrong.filter((what) => !what.includes('are missing') && !what.includes('lost without a report'))
}
