/**
 * A program that creates loggers of one kind and drops them without `shutdown()`, then reports the remaining resources as JSON.
 * Needs `--expose-gc`. Arguments: the kind, the destination, the number of measured loggers, and a directory.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { otlpEncoding } from '../../../src/encode/otlp/otlp-request.ts'
import { fdExporter, fileExporter, memoryExporter } from '../../../src/entries/exporters.ts'
import type { Exporter } from '../../../src/pipeline/exporter.ts'

const [kind, where, count, directory] = process.argv.slice(2) as [string, string, string, string]
const file = `${directory}/lines.log`
let made = 0

const exporters: Readonly<Record<string, () => Exporter>> = {
  memory: () => memoryExporter(),
  'memory, as OTLP': () => ({
    name: 'otlp',
    encoding: otlpEncoding('http/json'),
    delivery: {},
    export: async () => ({ status: 'accepted' }),
  }),
  stdout: () => fdExporter({ fd: 1 }),
  file: () => fileExporter({ path: file }),
  files: () => fileExporter({ path: `${directory}/${made % 50}.log` }),
}
const exporter = exporters[where]!
/** A resource with an attribute that resolves after 1 ms. */
const pending = () => resourceFromAttributes({ a: after(1, 'b') })
const stream = { write: () => true, on() {}, once() {}, removeListener() {} }

/** Each creates a logger, logs one record and drops the logger. */
const kinds: Readonly<Record<string, () => Promise<() => void>>> = {
  async createLogger() {
    const { createLogger } = await import('../../../src/entries/index.ts')
    return () => createLogger({ exporter: exporter() }).info('one')
  },
  async 'createLogger in front of a provider'() {
    const { createLogger } = await import('../../../src/entries/index.ts')
    const { createLoggerProvider } = await import('../../../src/entries/otel.ts')
    const provider = createLoggerProvider({ exporter: exporter() })
    return () => createLogger({ provider, name: 'a' }).info('one')
  },
  async 'a provider'() {
    const { createLoggerProvider } = await import('../../../src/entries/otel.ts')
    return () => createLoggerProvider({ exporter: exporter() }).getLogger('a').emit({ body: 'one' })
  },
  async 'a provider whose resource is pending'() {
    const { createLoggerProvider } = await import('../../../src/entries/otel.ts')
    return () =>
      createLoggerProvider({ exporter: exporter(), resource: pending() }).getLogger('a').emit({ body: 'one' })
  },
  async 'PipelineLogRecordProcessor and a pending resource'() {
    const { PipelineLogRecordProcessor } = await import('../../../src/entries/otel.ts')
    const { LoggerProvider } = await import('@opentelemetry/sdk-logs')
    return () => {
      const processor = new PipelineLogRecordProcessor({ exporter: exporter() })
      new LoggerProvider({ resource: pending(), processors: [processor] }).getLogger('a').emit({ body: 'one' })
    }
  },
  async PipelineLogRecordProcessor() {
    const { PipelineLogRecordProcessor } = await import('../../../src/entries/otel.ts')
    const { LoggerProvider } = await import('@opentelemetry/sdk-logs')
    return () => {
      const processor = new PipelineLogRecordProcessor({ exporter: exporter() })
      new LoggerProvider({ processors: [processor] }).getLogger('a').emit({ body: 'one' })
    }
  },
  async pino() {
    const { default: pino } = await import('../../../src/entries/pino.ts')
    if (where === 'memory') return () => pino({ exporter: exporter() }).info('one')
    return () => pino(pino.destination(where === 'file' ? { dest: file } : 1)).info('one')
  },
  async 'pino, synchronous'() {
    const { default: pino } = await import('../../../src/entries/pino.ts')
    return () => pino(pino.destination({ dest: where === 'file' ? file : 1, sync: true })).info('one')
  },
  async 'pino, to a stream'() {
    const { default: pino } = await import('../../../src/entries/pino.ts')
    return () => pino({}, stream).info('one')
  },
  async bunyan() {
    const { default: bunyan } = await import('../../../src/entries/bunyan.ts')
    return () =>
      bunyan
        .createLogger({
          name: 'a',
          streams: where === 'file' ? [{ path: file }] : where === 'stdout' ? [{ stream: process.stdout }] : [],
          ...(where === 'memory' ? { exporter: exporter() } : {}),
        })
        .info('one')
  },
  async 'bunyan, a rotating file'() {
    const { default: bunyan } = await import('../../../src/entries/bunyan.ts')
    return () =>
      bunyan.createLogger({ name: 'a', streams: [{ type: 'rotating-file', path: file, period: '1d' }] }).info('one')
  },
  async bole() {
    const { default: bole } = await import('../../../src/entries/bole.ts')
    bole.output({ level: 'info', stream: process.stdout })
    return () => bole(`a${made}`).info('one')
  },
  async 'winston, a stream'() {
    const { createLogger, transports } = await import('../../../src/entries/winston.ts')
    return () => void createLogger({ transports: [new transports.Stream({ stream: process.stdout })] }).info('one')
  },
  async 'winston, the console'() {
    const { createLogger, transports } = await import('../../../src/entries/winston.ts')
    return () => void createLogger({ transports: [new transports.Console()] }).info('one')
  },
  async 'winston, a file'() {
    const { createLogger, transports } = await import('../../../src/entries/winston.ts')
    return () => void createLogger({ transports: [new transports.File({ filename: file })] }).info('one')
  },
  async sluiceTransport() {
    const { createLogger, sluiceTransport } = await import('../../../src/entries/winston.ts')
    return () => void createLogger({ transports: [sluiceTransport({ exporter: exporter() })] }).info('one')
  },
  async captureLogs() {
    const { captureLogs } = await import('../../../src/entries/testing.ts')
    return () => captureLogs().logger.info('one')
  },
}

const create = await kinds[kind]!()
const collect = (globalThis as unknown as { gc(): void }).gc

async function drop(loggers: number): Promise<void> {
  for (let index = 1; index <= loggers; index++) {
    made++
    create()
    if (index % 500 === 0) await after(1)
  }
}

/** Returns the size of the heap after a collection, when finalizers have run. */
async function heap(): Promise<number> {
  let least = Infinity
  for (let round = 0; round < 8; round++) {
    collect()
    await after(5)
    least = Math.min(least, process.memoryUsage().heapUsed)
  }
  return least
}

await drop(500)
const before = await heap()
await drop(Number(count))
const grown = (await heap()) - before
const open = readdirSync('/proc/self/fd').filter((fd) => {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`).startsWith(directory)
  } catch {
    return false
  }
})
process.stderr.write(
  `${JSON.stringify({
    bytesPerLogger: Math.round(grown / Number(count)),
    created: made,
    openFiles: open.length,
    listeners: ['exit', 'beforeExit', 'SIGTERM'].map((event) => process.listenerCount(event)),
    lines: where === 'file' || kind.includes('file') ? readFileSync(file, 'utf8').split('\n').length - 1 : undefined,
  })}\n`,
)
