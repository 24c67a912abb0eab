// Logs a burst through the compatible API of another logger and exits. Argument: ExitProgramOptions as JSON.
import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { ExitProgramOptions } from '../exits.ts'

const { api, cause, file, records } = JSON.parse(process.argv[2]!) as ExitProgramOptions

/** A logger with one of the APIs. */
interface ApiLogger {
  log(fields: object): void
  /** Ends the logger before the process exits. */
  end?(finished: () => void): void
  /** Whether the burst must be in a later turn than the creation of the logger. */
  readonly later?: boolean
}

const apis: Readonly<Record<string, () => Promise<ApiLogger>>> = {
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

async function bunyan(type: string): Promise<ApiLogger> {
  const { createLogger } = await import('../../../../src/entries/bunyan.ts')
  const log = createLogger({ name: 'burst', ...(file === undefined ? {} : { streams: [{ type, path: file }] }) })
  return { log: (fields) => log.info(fields, 'burst') }
}

async function bole(): Promise<ApiLogger> {
  const { default: make } = await import('../../../../src/entries/bole.ts')
  const log = make.output({ level: 'info' })('burst')
  return { log: (fields) => log.info(fields, 'burst') }
}

async function pino(minLength: number): Promise<ApiLogger> {
  const { default: make } = await import('../../../../src/entries/pino.ts')
  const log = file === undefined ? make() : make(make.destination({ dest: file, minLength }))
  return { log: (fields) => log.info(fields, 'burst') }
}

async function pinoTransport(): Promise<ApiLogger> {
  const { default: make } = await import('../../../../src/entries/pino.ts')
  const log = make({ transport: { target: 'pino/file', options: { destination: file } } })
  return { log: (fields) => log.info(fields, 'burst') }
}

async function core(): Promise<ApiLogger> {
  const { createLogger } = await import('../../../../src/entries/core.ts')
  const log = createLogger()
  return { log: (fields) => log.info('burst', fields) }
}

async function winston(kind: 'lines' | 'stream' | 'records' | 'itself', ends = false): Promise<ApiLogger> {
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
    log: (fields) => log.info('burst', fields),
    // The stream of the original winston starts in the next turn.
    later: kind === 'itself',
    ...(ends ? { end: (finished: () => void) => void log.on('finish', finished).end() } : {}),
  }
}

const { log, end, later = false } = await apis[api!]!()
if (later) setImmediate(burst)
else burst()

function burst(): void {
  for (let seq = 0; seq < records; seq++) log({ seq, pad: 'x'.repeat(160) })
  writeSync(2, `dying ${Date.now()}\n`)
  if (end === undefined) exit()
  else end(exit)
}

function exit(): void {
  if (cause === 'exit') process.exit(3)
  if (cause === 'throw') throw new Error('mine')
  if (cause === 'end') return
  setInterval(() => {}, 1_000)
  process.kill(process.pid, cause)
}
