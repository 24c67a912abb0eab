// Logs bursts and prints the tasks that they schedule in the event loop. Argument as JSON: `TaskBurst[]`. Prints `TaskCounts[]`.
import { createHook } from 'node:async_hooks'
import { openSync } from 'node:fs'
import { createLogger } from '../../../src/entries/index.ts'
import { fdExporter, memoryExporter, type Exporter } from '../../../src/entries/exporters.ts'
import type { Logger } from '../../../src/entries/index.ts'
import { stallingPipe } from '../files/pipes.ts'

/** A burst to one destination, with a separate logger. */
export interface TaskBurst {
  readonly to: TaskDestination
  /** A path for a pipe, which must not exist. */
  readonly path: string
  readonly records: number
  /** Whether each record schedules one task of every kind. */
  readonly busy?: boolean
}

/** The destination of a burst and when it is written. */
export type TaskDestination = keyof typeof exporters

/** The number of created timers, immediates, promises and microtasks, by Node's resource types. */
export interface TaskCounts {
  readonly inCalls: Readonly<Record<string, number>>
  /** The tasks that the scheduled callbacks create. */
  readonly afterwards: Readonly<Record<string, number>>
  readonly emitted: number
  readonly dropped: number
}

const roomy = 64 * 1024 * 1024
const narrow = 20_000
const exporters = {
  'at the end of the turn': () => toNull({ write: 'turn' }),
  'in a microtask': () => toNull({ write: 'microtask' }),
  'in the call': () => toNull({ write: 'sync' }),
  'after a delay': () => toNull({ scheduledDelayMillis: 60_000, maxQueueBytes: roomy }),
  'to memory': () => memoryExporter({ maxRecords: 10 }),
  'to a pipe that is not read': (path) => toPipe(path, roomy),
  'to a pipe that is not read, with a full queue': (path) => toPipe(path, narrow),
  'to a full device': () => fdExporter({ fd: openSync('/dev/full', 'w'), format: 'json', maxQueueBytes: narrow }),
} as const satisfies Readonly<Record<string, (path: string) => Exporter>>

let counts: Record<string, number> = {}
const hook = createHook({ init: (_id, type) => (counts[type] = (counts[type] ?? 0) + 1) })

const found: TaskCounts[] = []
for (const burst of JSON.parse(process.argv[2]!) as readonly TaskBurst[]) found.push(await tasksOf(burst))
console.log(JSON.stringify(found))
process.exit()

async function tasksOf({ to, path, records, busy }: TaskBurst): Promise<TaskCounts> {
  const log = createLogger({
    level: 'info',
    exporter: exporters[to](path),
    onDiagnostic: () => {},
    ...(busy === true && { enrich: beBusy }),
  })
  const request = log.child({ requestId: 'r-17' })
  const inCalls = counted(() => {
    for (let seq = 0; seq < records; seq++) logOne(log, request, seq)
  })
  counts = {}
  // Created before the hook is enabled. It runs after the callbacks that the logger has scheduled.
  const turn = new Promise((resolve) => void setImmediate(resolve))
  hook.enable()
  await turn
  hook.disable()
  const { emitted, dropped } = log.stats().exporters[0]!
  const tasks: TaskCounts = { inCalls, afterwards: counts, emitted, dropped: dropped.total }
  await log.shutdown({ timeoutMillis: 0 })
  return tasks
}

function counted(action: () => void): Record<string, number> {
  counts = {}
  hook.enable()
  action()
  hook.disable()
  return counts
}

/** Logs with many kinds of calls. */
function logOne(log: Logger, request: Logger, seq: number): void {
  const kind = seq % 100
  if (kind === 0) request.error('failed', new Error('because'))
  else if (kind === 1) log.info('%s took %d ms', 'import', seq)
  else if (kind === 2) log.warn(() => ['state {size}', { size: seq }])
  else if (kind < 30) request.info('done', { seq })
  else if (kind < 60) log.debug('not enabled', { seq })
  else log.info('order {seq} placed', { seq, card: { type: 'visa' } })
}

function beBusy(): object {
  setTimeout(() => {}, 1)
  setImmediate(() => {})
  queueMicrotask(() => {})
  process.nextTick(() => {})
  void Promise.resolve()
  return {}
}

function toNull(options: object): Exporter {
  return fdExporter({ fd: openSync('/dev/null', 'w'), format: 'json', ...options })
}

function toPipe(path: string, maxQueueBytes: number): Exporter {
  return fdExporter({ fd: stallingPipe(path).fd, format: 'json', maxQueueBytes })
}
