import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import { createLogger } from '../../../src/create/create-logger.ts'
import type { Exporter } from '../../../src/pipeline/exporter.ts'
import { seed } from '../../support/seed.ts'

/** A log whose messages come from known templates. */
export interface PlantedLog {
  readonly bytes: Buffer
  /** The number of records by template. */
  readonly counts: ReadonlyMap<string, number>
}

type Random = () => number

/** The templates, with functions that return messages. */
const templates: readonly (readonly [string, (random: Random) => string])[] = [
  [
    'GET /orders/<num> <num> in <num>',
    (random) => `GET /orders/${below(random, 1e6)} ${below(random, 600)} in ${duration(random)}`,
  ],
  ['order <num> placed', (random) => `order ${below(random, 1e9)} placed`],
  ['session <hex> opened from <ip>', (random) => `session ${hex(random, 32)} opened from ${address(random)}`],
  ['job <uuid> finished', (random) => `job ${uuid(random)} finished`],
  ['no route to <quoted>', (random) => `no route to "${hex(random, 3)} street \\"${below(random, 9)}\\""`],
  ['retry at <time>', (random) => `retry at ${new Date(below(random, 2e12)).toISOString()}`],
  ['cache for commit <hex> is cold', (random) => `cache for commit ${hex(random, 12)} is cold`],
  ['mail to <email> sent', (random) => `mail to user${below(random, 1e4)}@example.com sent`],
  [
    'deleted [<num>]',
    (random) => `deleted [${Array.from({ length: 1 + below(random, 4) }, () => below(random, 99)).join(', ')}]`,
  ],
  ['the queue is empty', () => 'the queue is empty'],
]
const levels = ['debug', 'info', 'info', 'info', 'warn', 'error'] as const
const services = ['shop', 'billing', 'mail'] as const

/** Returns a log that loggers of this package wrote. */
export function plantedLog(records: number): PlantedLog {
  const random = mulberry32(seed)
  const chunks: Buffer[] = []
  const exporter = (): Exporter => ({
    name: 'memory',
    encoding: jsonLines(),
    schedule: 'sync',
    delivery: {},
    export: keep,
    exportSync: keep,
  })
  function keep(batch: Parameters<Exporter['export']>[0]): { status: 'accepted' } {
    chunks.push(Buffer.from(batch.bytes()))
    return { status: 'accepted' }
  }
  let time = Date.UTC(2026, 10, 21, 9, 56)
  const options = { level: 'trace', handleExit: false, clock: () => time, limits: { attributes: 3 } } as const
  const loggers = services.map((name) =>
    createLogger({ ...options, exporter: exporter(), resource: { 'service.name': name } }),
  )
  const counts = new Map<string, number>()
  for (let count = 0; count < records; count++) {
    time += below(random, 40)
    const [template, message] = templates[below(random, templates.length)]!
    const level = levels[below(random, levels.length)]!
    counts.set(template, (counts.get(template) ?? 0) + 1)
    const attributes = { seq: count, duration: Math.exp(random() * 20 - 10) }
    const isOverLimit = count % 1_000 === 0
    loggers[below(random, loggers.length)]![level](
      message(random),
      isOverLimit ? { ...attributes, a: 1, b: 2, c: 3 } : attributes,
    )
  }
  return { bytes: Buffer.concat(chunks), counts }
}

function below(random: Random, limit: number): number {
  return Math.floor(random() * limit)
}

function hex(random: Random, length: number): string {
  return Array.from({ length }, () => below(random, 16).toString(16)).join('')
}

function uuid(random: Random): string {
  return [8, 4, 4, 4, 12].map((length) => hex(random, length)).join('-')
}

function address(random: Random): string {
  return Array.from({ length: 4 }, () => below(random, 256)).join('.')
}

function duration(random: Random): string {
  return random() < 0.5 ? `${below(random, 999)}ms` : `${(random() * 10).toFixed(1)}s`
}

/** A small generator of pseudorandom numbers. */
function mulberry32(start: number): Random {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
