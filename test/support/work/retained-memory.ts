// Logs repeated bursts and prints the memory that each retains, as `RetainedMemory`. Argument as JSON: a path for a pipe, which must
// not exist.
import { openSync } from 'node:fs'
import { createLogger, withContext } from '../../../src/entries/index.ts'
import { fdExporter, memoryExporter } from '../../../src/entries/exporters.ts'
import { stallingPipe } from '../files/pipes.ts'
import { retainedMemory } from './heap.ts'

/** The retained memory. */
export interface RetainedMemory {
  /** The bytes on the heap per operation, after each of several bursts. */
  readonly each: Readonly<Record<BurstName, readonly number[]>>
  /** The number of operations in a burst. */
  readonly sizes: Readonly<Record<BurstName, number>>
  /** The bytes of buffers: with queued records for a pipe, and after they were read. */
  readonly buffers: { readonly waiting: number; readonly read: number }
}
export type BurstName = keyof typeof bursts

interface Bursts {
  readonly size: number
  once(): void | Promise<unknown>
}

const repeats = 3
/** A number of names that exceeds the limit of the cache. */
const many = 12_000

const fd = openSync('/dev/null', 'w')
const log = createLogger({
  level: 'info',
  exporter: fdExporter({ fd, format: 'json' }),
  redact: { paths: ['users[*].email', '**.pin'], keys: [/token$/i] },
})
const hoarding = createLogger({ level: 'info', exporter: memoryExporter({ maxRecords: 1_000_000 }) })
/** Makes each name and text unique. */
let serial = 0

const bursts = {
  'records of one shape': {
    size: 5_000,
    once: () => log.info('order placed', { seq: serial++, users: [{ email: 'a@example.com' }] }),
  },
  'messages that are all different': { size: 2_000, once: () => log.info(`{a} and ${serial++}`, { a: 1 }) },
  errors: { size: 500, once: () => log.error('failed', new Error(`because ${serial++}`)) },
  'child loggers': { size: 1_000, once: () => log.child({ requestId: serial++ }).info('done') },
  'loggers that are shut down': { size: 50, once: logAndShutDown },
  contexts: { size: 1_000, once: () => withContext({ tenant: serial++ }, () => log.info('done')) },
  flushes: { size: 1_000, once: () => log.flush() },
  'names that are all different': { size: many, once: () => log.info('got', { [`a${serial++}`]: 1 }) },
  'redacted names that are all different': { size: many, once: () => log.info('got', { [`a${serial++}Token`]: 1 }) },
  'names below a name that are all different': {
    size: many,
    once: () => log.info('got', { below: { [`a${serial++}`]: { pin: 1 } } }),
  },
  'records that are kept': { size: 2_000, once: () => hoarding.info('order placed', { seq: serial++ }) },
} as const satisfies Readonly<Record<string, Bursts>>

const each: Partial<Record<BurstName, number[]>> = {}
for (const [name, burst] of Object.entries(bursts) as [BurstName, Bursts][]) each[name] = await growth(burst)
const sizes = Object.fromEntries(Object.entries(bursts).map(([name, { size }]) => [name, size]))
console.log(JSON.stringify({ each, sizes, buffers: await buffersBy(JSON.parse(process.argv[2]!) as string) }))
process.exit()

async function growth({ size, once }: Bursts): Promise<number[]> {
  const grown: number[] = []
  let before = await retainedMemory()
  for (let burst = 0; burst < repeats; burst++) {
    for (let i = 0; i < size; i++) {
      const done = once()
      if (done !== undefined) await done
    }
    await log.flush()
    const after = await retainedMemory()
    grown.push((after.heap - before.heap) / size)
    before = after
  }
  return grown
}

function logAndShutDown(): Promise<unknown> {
  const short = createLogger({ level: 'info', exporter: fdExporter({ fd, format: 'json' }) })
  short.info('done')
  return short.shutdown()
}

async function buffersBy(path: string): Promise<RetainedMemory['buffers']> {
  const pipe = stallingPipe(path)
  const piped = createLogger({ level: 'info', exporter: fdExporter({ fd: pipe.fd, format: 'json' }) })
  const before = await retainedMemory()
  for (let seq = 0; seq < 30_000; seq++) piped.info('order placed', { seq })
  const waiting = await retainedMemory()
  const reader = setInterval(() => void pipe.readAll(), 1)
  await piped.flush({ timeoutMillis: 10_000 })
  clearInterval(reader)
  const read = await retainedMemory()
  return { waiting: waiting.buffers - before.buffers, read: read.buffers - before.buffers }
}
