// Logs bursts and says in how many write calls they left. Argument as JSON: `Burst[]`. Prints `BurstWork[]`.
import { openSync } from 'node:fs'
import type { Exporter } from '../../../src/entries/exporters.ts'
import { stallingPipe, type StallingPipe } from '../files/pipes.ts'
import { between, countWriteCalls, systemWrites, type SystemWrites, type WriteCalls } from './write-calls.ts'

/** Records of one logger. */
export interface Burst {
  readonly to: 'null' | 'file' | 'pipe'
  /** A name that is free to use, for a file or pipe. */
  readonly path: string
  readonly records: number
  /** Over how many turns of the event loop they are spread. */
  readonly turns: number
  /** Each record is written by its call. */
  readonly sync?: boolean
  /** `sharedPipe: false`. */
  readonly alone?: boolean
}

/** What a burst took. */
export interface BurstWork {
  readonly calls: WriteCalls
  readonly system: SystemWrites | undefined
  /** By the ledger. */
  readonly written: number
  /** How often the reader of the pipe found something; it took all of it each time. */
  readonly reads: number
}

// On a clock that stands still no write to a file looks slow, and none leaves for a background thread.
performance.now = () => 0
const calls = countWriteCalls()
const { createLogger } = await import('../../../src/entries/index.ts')
const { fdExporter, fileExporter } = await import('../../../src/entries/exporters.ts')

const works: BurstWork[] = []
for (const burst of JSON.parse(process.argv[2]!) as readonly Burst[]) works.push(await workOf(burst))
console.log(JSON.stringify(works))

async function workOf(burst: Burst): Promise<BurstWork> {
  const pipe = burst.to === 'pipe' ? stallingPipe(burst.path) : undefined
  const log = createLogger({ level: 'info', exporter: exporterFor(burst, pipe) })
  const stopReading = readEachTurn(pipe)
  const before = { calls: { ...calls }, system: systemWrites() }
  const perTurn = burst.records / burst.turns
  for (let seq = 0; seq < burst.records; seq++) {
    log.info('order placed', { seq })
    if ((seq + 1) % perTurn === 0) await nextTurn()
  }
  await log.flush()
  const system = systemWrites()
  const work: BurstWork = {
    calls: between(before.calls, calls),
    system: before.system && system && between(before.system, system),
    written: log.stats().written,
    reads: stopReading(),
  }
  await log.shutdown()
  pipe?.close()
  return work
}

function exporterFor({ to, path, sync, alone }: Burst, pipe: StallingPipe | undefined): Exporter {
  if (to === 'file') return fileExporter({ path })
  return fdExporter({
    fd: pipe?.fd ?? openSync('/dev/null', 'w'),
    format: 'json',
    write: sync === true ? 'sync' : 'turn',
    ...(alone === true && { sharedPipe: false }),
    // Room for a burst to a pipe, which nobody reads before the burst is over.
    ...(pipe && { maxQueueBytes: 64 * 1024 * 1024 }),
  })
}

/** Empties the pipe once a turn, in pieces of 64 KiB: as much as it holds. The answer stops it and says how often. */
function readEachTurn(pipe: StallingPipe | undefined): () => number {
  let reads = 0
  let next: NodeJS.Immediate | undefined
  function read(): void {
    if (pipe!.readAll() !== '') reads++
    next = setImmediate(read)
  }
  if (pipe !== undefined) next = setImmediate(read)
  return () => {
    clearImmediate(next)
    return reads
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}
