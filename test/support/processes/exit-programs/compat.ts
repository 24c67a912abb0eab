// Logs a burst through the front of another logger and dies. Arguments as JSON: see ExitProgram in exits.ts.
import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { ExitProgram } from '../exits.ts'

const { front, way, file, records } = JSON.parse(process.argv[2]!) as ExitProgram

/** A front that is open. */
interface Open {
  say(fields: object): void
  /** Ends it before the process dies. */
  end?(finished: () => void): void
  /** Whether the burst comes in a later turn, not in the one in which it was opened. */
  readonly later?: boolean
}

const fronts: Readonly<Record<string, () => Promise<Open>>> = {
  bunyan: () => bunyan('file'),
  'bunyan rotating': () => bunyan('rotating-file'),
  bole,
  pino: () => pino(0),
  'pino held back': () => pino(4_096),
  'pino transport': pinoTransport,
  core,
  winston: () => winston('lines'),
  'winston stream': () => winston('stream'),
  'winston ended': () => winston('lines', true),
  'winston records': () => winston('records'),
  'winston records ended': () => winston('records', true),
  'winston itself': () => winston('itself'),
  'winston itself ended': () => winston('itself', true),
}

async function bunyan(type: string): Promise<Open> {
  const { createLogger } = await import('../../../../src/entries/bunyan.ts')
  const log = createLogger({ name: 'burst', ...(file === undefined ? {} : { streams: [{ type, path: file }] }) })
  return { say: (fields) => log.info(fields, 'burst') }
}

async function bole(): Promise<Open> {
  const { default: make } = await import('../../../../src/entries/bole.ts')
  const log = make.output({ level: 'info' })('burst')
  return { say: (fields) => log.info(fields, 'burst') }
}

async function pino(minLength: number): Promise<Open> {
  const { default: make } = await import('../../../../src/entries/pino.ts')
  const log = file === undefined ? make() : make(make.destination({ dest: file, minLength }))
  return { say: (fields) => log.info(fields, 'burst') }
}

async function pinoTransport(): Promise<Open> {
  const { default: make } = await import('../../../../src/entries/pino.ts')
  const log = make({ transport: { target: 'pino/file', options: { destination: file } } })
  return { say: (fields) => log.info(fields, 'burst') }
}

async function core(): Promise<Open> {
  const { createLogger } = await import('../../../../src/entries/core.ts')
  const log = createLogger()
  return { say: (fields) => log.info('burst', fields) }
}

async function winston(kind: 'lines' | 'stream' | 'records' | 'itself', ends = false): Promise<Open> {
  const ours = await import('../../../../src/entries/winston.ts')
  const { fdExporter, fileExporter } = await import('../../../../src/entries/exporters.ts')
  const { Console, File, Stream } = ours.transports
  const lines = () => (file === undefined ? new Console() : new File({ filename: file }))
  const exporter = () => (file === undefined ? fdExporter({ format: 'json' }) : fileExporter({ path: file }))
  const { createLogger } = kind === 'itself' ? (createRequire(import.meta.url)('winston') as typeof ours) : ours
  const log = createLogger({
    format: ours.format.json(),
    transports:
      kind === 'lines'
        ? lines()
        : kind === 'stream'
          ? new Stream({ stream: process.stdout })
          : ours.sluiceTransport({ exporter: exporter() }),
  })
  return {
    say: (fields) => log.info('burst', fields),
    // The pipe of winston itself begins to flow in the next turn.
    later: kind === 'itself',
    ...(ends ? { end: (finished: () => void) => void log.on('finish', finished).end() } : {}),
  }
}

const { say, end, later = false } = await fronts[front!]!()
if (later) setImmediate(burst)
else burst()

function burst(): void {
  for (let seq = 0; seq < records; seq++) say({ seq, pad: 'x'.repeat(160) })
  writeSync(2, `dying ${Date.now()}\n`)
  if (end === undefined) die()
  else end(die)
}

function die(): void {
  if (way === 'exit') process.exit(3)
  if (way === 'throw') throw new Error('mine')
  if (way === 'end') return
  setInterval(() => {}, 1_000)
  process.kill(process.pid, way)
}
