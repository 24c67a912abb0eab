// Logs bursts and prints the number of write calls. Argument as JSON: `Burst[]`. Prints `BurstWork[]`.
import { openSync } from 'node:fs'
import type { Exporter } from '../../../src/entries/exporters.ts'
import { stallingPipe, type StallingPipe } from '../files/pipes.ts'
import { between, countWriteCalls, systemWrites, type SystemWrites, type WriteCalls } from './write-calls.ts'

/** A burst of records of one logger. */
export interface Burst {
  readonly to: 'null' | 'file' | 'pipe'
  /** A path for a file or pipe, which must not exist. */
  readonly path: string
  readonly records: number
  /** The number of turns of the event loop over which the records are spread. */
  readonly turns: number
  /** Whether each record is written by its call. */
  readonly sync?: boolean
  /** Whether the option `sharedPipe` is false. */
  readonly alone?: boolean
}

/** The work of a burst. */
export interface BurstWork {
  readonly calls: WriteCalls
  readonly system: SystemWrites | undefined
  /** The written records by the delivery statistics. */
  readonly written: number
  /** The number of reads of the pipe that returned data. Each read all of it. */
  readonly reads: number
}

// On a stopped clock no write to a file is slow, so none moves to a background thread.
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
    // Capacity for a burst to a pipe that is not read before the burst is over.
    ...(pipe && { maxQueueBytes: 64 * 1024 * 1024 }),
  })
}

/** Reads the whole pipe once per turn. Returns a function that stops it and returns the number of reads. */
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
