// Logs numbered records through one of the package's writers to its inherited standard output, several processes at a time.
// Arguments: the writer, how many records, how many in each turn of the event loop, and `forks=<n>` for child processes
// or `workers=<n>` for cluster workers that do the same. Each record has a string `id`: `<pid>-<n>`.
import { fork } from 'node:child_process'
import cluster from 'node:cluster'
import { fileURLToPath } from 'node:url'

/** Logs one record whose message is an id. */
type Log = (id: string) => void

/** A log function, and a function that waits until everything is written. */
interface LineWriter {
  readonly log: Log
  readonly end?: () => unknown
}

const padding = 'x'.repeat(Number(process.env.PADDING ?? 120))

/** Every API that writes lines to standard output or error without options for pipes. */
export const lineWriters: Readonly<Record<string, () => Promise<LineWriter>>> = {
  async createLogger() {
    const { createLogger } = await import('../../../src/entries/index.ts')
    const log = createLogger()
    return { log: (id) => log.info(id, { padding }), end: () => log.flush() }
  },
  async 'createLogger with recordBytes: 4096'() {
    const { createLogger } = await import('../../../src/entries/index.ts')
    const log = createLogger({ limits: { recordBytes: 4096 } })
    return { log: (id) => log.info(id, { padding }), end: () => log.flush() }
  },
  async 'the default logger'() {
    const { logger } = await import('../../../src/entries/index.ts')
    return { log: (id) => logger.info(id, { padding }), end: () => logger.flush() }
  },
  async 'createLogger that ends by process.exit'() {
    const { createLogger } = await import('../../../src/entries/index.ts')
    const log = createLogger()
    return { log: (id) => log.info(id, { padding }), end: () => process.exit() }
  },
  async 'createLogger with fatal records'() {
    const { createLogger } = await import('../../../src/entries/index.ts')
    const log = createLogger()
    return { log: (id) => log.fatal(id, { padding }), end: () => log.flush() }
  },
  async "fdExporter with write: 'sync'"() {
    const { createLogger } = await import('../../../src/entries/index.ts')
    const { fdExporter } = await import('../../../src/entries/exporters.ts')
    const log = createLogger({ exporter: fdExporter({ write: 'sync' }) })
    return { log: (id) => log.info(id, { padding }), end: () => log.flush() }
  },
  async 'fdExporter to the standard error'() {
    const { createLogger } = await import('../../../src/entries/index.ts')
    const { fdExporter } = await import('../../../src/entries/exporters.ts')
    const log = createLogger({ exporter: fdExporter({ fd: 2 }) })
    return { log: (id) => log.info(id, { padding }), end: () => log.flush() }
  },
  async 'fileExporter to /dev/stdout'() {
    const { createLogger } = await import('../../../src/entries/index.ts')
    const { fileExporter } = await import('../../../src/entries/exporters.ts')
    const log = createLogger({ exporter: fileExporter({ path: '/dev/stdout' }) })
    return { log: (id) => log.info(id, { padding }), end: () => log.flush() }
  },
  async processExporter() {
    const { createLogger } = await import('../../../src/entries/index.ts')
    const { processExporter } = await import('../../../src/entries/exporters.ts')
    const log = createLogger({ exporter: processExporter() })
    return { log: (id) => log.info(id, { padding }), end: () => log.shutdown() }
  },
  async childProcessLogger() {
    const { childProcessLogger } = await import('../../../src/entries/child-process.ts')
    const child = childProcessLogger()
    return { log: (id) => child.log(id, { padding }), end: () => child.done() }
  },
  async 'the captured console'() {
    const { captureConsole } = await import('../../../src/entries/console.ts')
    const captured = captureConsole()
    return { log: (id) => console.log(JSON.stringify({ message: id, padding })), end: () => captured.flush() }
  },
  async 'the captured console with process.stdout'() {
    const { captureConsole } = await import('../../../src/entries/console.ts')
    const captured = captureConsole({ stream: process.stdout })
    return { log: (id) => console.log(JSON.stringify({ message: id, padding })), end: () => captured.flush() }
  },
  async 'the captured console with process.stderr'() {
    const { captureConsole } = await import('../../../src/entries/console.ts')
    captureConsole({ stream: process.stderr })
    return { log: (id) => console.log(JSON.stringify({ message: id, padding })) }
  },
  async 'the console captured as records'() {
    const { captureConsole } = await import('../../../src/entries/console.ts')
    const captured = captureConsole({ mode: 'records' })
    return { log: (id) => console.log(id, padding), end: () => captured.flush() }
  },
  async 'the pino API'() {
    const { default: pino } = await import('../../../src/entries/pino.ts')
    const log = pino()
    return { log: (id) => log.info({ padding }, id), end: () => flushed(log) }
  },
  async "the pino API's synchronous destination"() {
    const { default: pino } = await import('../../../src/entries/pino.ts')
    const log = pino({}, pino.destination({ sync: true }))
    return { log: (id) => log.info({ padding }, id) }
  },
  async "the pino API's synchronous destination that collects 8,000 characters"() {
    const { default: pino } = await import('../../../src/entries/pino.ts')
    const to = pino.destination({ sync: true, minLength: 8_000 })
    const log = pino({}, to)
    return { log: (id) => log.info({ padding }, id), end: () => to.flushSync() }
  },
  async "the pino API's transport"() {
    const { default: pino } = await import('../../../src/entries/pino.ts')
    const log = pino({ transport: { target: 'pino/file' } })
    return { log: (id) => log.info({ padding }, id), end: () => flushed(log) }
  },
  async 'the pino API with process.stdout'() {
    const { default: pino } = await import('../../../src/entries/pino.ts')
    const log = pino(process.stdout)
    return { log: (id) => log.info({ padding }, id) }
  },
  async 'the pino API with options and process.stderr'() {
    const { default: pino } = await import('../../../src/entries/pino.ts')
    const log = pino({ name: 'lines' }, process.stderr).child({ child: true })
    return { log: (id) => log.info({ padding }, id), end: () => flushed(log) }
  },
  async "the pino API's multistream with process.stdout"() {
    const { default: pino } = await import('../../../src/entries/pino.ts')
    const log = pino({}, pino.multistream([{ stream: process.stdout }, { level: 'fatal', stream: process.stderr }]))
    return { log: (id) => log.info({ padding }, id) }
  },
  async "the winston API's Console"() {
    const winston = await import('../../../src/entries/winston.ts')
    const log = winston.createLogger({ transports: [new winston.transports.Console()] })
    return { log: (id) => void log.info(id, { padding }), end: () => ended(log) }
  },
  async "the winston API's Stream with process.stdout"() {
    const winston = await import('../../../src/entries/winston.ts')
    const log = winston.createLogger({ transports: [new winston.transports.Stream({ stream: process.stdout })] })
    return { log: (id) => void log.info(id, { padding }), end: () => ended(log) }
  },
  async 'the bunyan API'() {
    const { default: bunyan } = await import('../../../src/entries/bunyan.ts')
    const log = bunyan.createLogger({ name: 'lines' })
    return { log: (id) => log.info({ padding }, id) }
  },
  async 'the bunyan API with process.stdout as its stream'() {
    const { default: bunyan } = await import('../../../src/entries/bunyan.ts')
    const log = bunyan.createLogger({ name: 'lines', stream: process.stdout })
    return { log: (id) => log.info({ padding }, id) }
  },
  async 'the bunyan API with process.stderr among its streams'() {
    const { default: bunyan } = await import('../../../src/entries/bunyan.ts')
    const log = bunyan.createLogger({ name: 'lines', streams: [{ level: 'info', stream: process.stderr }] })
    return { log: (id) => log.info({ padding }, id), end: () => log.flush() }
  },
  async 'the bole API with process.stdout'() {
    const { default: bole } = await import('../../../src/entries/bole.ts')
    bole.output({ level: 'info', stream: process.stdout })
    const log = bole('lines')
    return { log: (id) => log.info({ padding }, id) }
  },
  async 'the bole API'() {
    const { default: bole } = await import('../../../src/entries/bole.ts')
    bole.output({ level: 'info' })
    const log = bole('lines')
    return { log: (id) => log.info({ padding }, id) }
  },
}

function flushed(log: { flush(callback: (error?: Error) => void): void }): Promise<void> {
  return new Promise((resolve, reject) => log.flush((error) => (error === undefined ? resolve() : reject(error))))
}

function ended(log: { on(event: 'finish', listener: () => void): unknown; end(): unknown }): Promise<void> {
  return new Promise((resolve) => {
    log.on('finish', resolve)
    log.end()
  })
}

async function run(name: string, records: number, perTurn: number, group: string | undefined): Promise<void> {
  const others = group === undefined || cluster.isWorker ? [] : start(group)
  const { log, end } = await lineWriters[name]!()
  for (let n = 0; n < records; n++) {
    log(`${process.pid}-${n}`)
    if ((n + 1) % perTurn === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await Promise.all(others)
  await end?.()
  if (cluster.isWorker) cluster.worker!.disconnect()
}

/** Starts processes that log at the same time. Returns when each has ended. */
function start(group: string): Promise<void>[] {
  const [kind, count] = group.split('=') as ['forks' | 'workers', string]
  return Array.from({ length: Number(count) }, () => {
    const child = kind === 'workers' ? cluster.fork() : fork(program, process.argv.slice(2, 5))
    return new Promise((resolve) => void child.once('exit', () => resolve()))
  })
}

const program = fileURLToPath(import.meta.url)
if (process.argv[1] === program) {
  const [name, records, perTurn, group] = process.argv.slice(2) as [string, string, string, string?]
  await run(name, Number(records), Number(perTurn), group)
}
