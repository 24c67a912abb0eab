import * as boleApi from '../../../src/entries/bole.ts'
import { createLogger as createBunyan } from '../../../src/entries/bunyan.ts'
import { captureConsole } from '../../../src/entries/console.ts'
import { createLogger as createCoreLogger } from '../../../src/entries/core.ts'
import { createLoggerProvider, PipelineLogRecordProcessor } from '../../../src/entries/otel.ts'
import { pino } from '../../../src/entries/pino.ts'
import * as winston from '../../../src/entries/winston.ts'
import {
  accepted,
  exporterWith,
  messagesOf,
  otelRecord,
  writableTo,
  winstonLogger,
  type Hook,
  type Place,
} from './harness.ts'

/** Throws at its first call, so that something is reported. */
function failingFirst(usual: (...args: any[]) => any): Hook {
  let calls = 0
  return (...args) => {
    if (calls++ === 0) throw new Error('first')
    return usual(...args)
  }
}

/** A logger that reports to the hook what fails with its first record. */
const reporting = (create: (onProblem: Hook, lines: string[]) => { use(message: string): unknown }) => ({
  build(hook: Hook) {
    const lines: string[] = []
    return { ...create(hook, lines), arrived: () => messagesOf(lines) }
  },
})

/** An exporter whose first batch fails. */
const failingExporter = (lines: string[]) =>
  exporterWith(
    'export',
    failingFirst(() => accepted),
    lines,
  )

/** The `onProblem` of each API. */
export const reporterPlaces: readonly Place[] = [
  {
    name: 'createCoreLogger onProblem',
    members: ['CoreLoggerOptions.onProblem'],
    ...reporting((onProblem, lines) => {
      const logger = createCoreLogger({ exporter: failingExporter(lines), onProblem })
      return {
        async use(message) {
          logger.info(message)
          await logger.flush()
        },
      }
    }),
  },
  {
    name: 'createLoggerProvider onProblem',
    members: ['LoggerProviderOptions.onProblem'],
    ...reporting((onProblem, lines) => {
      const provider = createLoggerProvider({ exporter: failingExporter(lines), onProblem })
      return {
        async use(message) {
          provider.getLogger('a').emit({ body: message, severityNumber: 9 })
          await provider.forceFlush().catch(() => {})
        },
      }
    }),
  },
  {
    name: 'PipelineLogRecordProcessor onProblem',
    members: ['IntakeOptions.onProblem'],
    ...reporting((onProblem, lines) => {
      const processor = new PipelineLogRecordProcessor({ exporter: failingExporter(lines), onProblem })
      return {
        async use(message) {
          processor.onEmit(otelRecord(message))
          await processor.forceFlush().catch(() => {})
        },
      }
    }),
  },
  {
    name: 'captureConsole onProblem',
    members: ['PassthroughOptions.onProblem'],
    ...reporting((onProblem, lines) => {
      const write = failingFirst((text: string) => lines.push(text) > 0)
      return {
        async use(message) {
          const stream: any = { write, on() {}, once() {}, removeListener() {} }
          const captured = captureConsole({ stream, onProblem })
          console.log(message)
          await captured.release({ timeoutMillis: 50 })
        },
      }
    }),
  },
  {
    name: 'pino onProblem',
    members: ['pino LoggerOptions.onProblem'],
    ...reporting((onProblem, lines) => {
      const logger = pino({ mixin: failingFirst(() => ({})), onProblem }, { write: (line) => void lines.push(line) })
      return { use: (message) => logger.info(message) }
    }),
  },
  {
    name: 'bunyan onProblem',
    members: ['bunyan LoggerOptions.onProblem'],
    ...reporting((onProblem, lines) => {
      const write = failingFirst((line: string) => lines.push(line))
      const logger = createBunyan({ name: 'a', streams: [{ stream: { write } }], onProblem })
      return { use: (message) => logger.info(message) }
    }),
  },
  {
    name: 'bole onProblem',
    members: ['bole OutputOptions.onProblem'],
    ...reporting((onProblem, lines) => {
      const bole = boleApi.default
      bole.reset()
      const write = failingFirst((line: Uint8Array) => lines.push(String(line)))
      bole.output({ level: 'debug', stream: { write }, onProblem })
      const logger = bole('a')
      return { use: (message) => logger.info(message) }
    }),
  },
  {
    name: 'winston onProblem',
    members: ['winston LoggerOptions.onProblem'],
    ...reporting((onProblem, lines) => {
      const format = winston.format.printf(failingFirst((info: { message: string }) => info.message))
      const stream = new winston.transports.Stream({ stream: writableTo(lines) })
      const logger = winstonLogger({ transports: [stream], format, onProblem })
      return {
        async use(message) {
          logger.info(message)
          await stream.flush()
        },
      }
    }),
  },
  {
    name: 'winston transport onProblem',
    members: ['winston LineTransportOptions.onProblem'],
    ...reporting((onProblem, lines) => {
      const stream: any = writableTo(lines)
      stream.write = failingFirst(stream.write.bind(stream))
      const transport = new winston.transports.Stream({ stream, onProblem })
      const logger = winstonLogger({ transports: [transport] })
      return {
        async use(message) {
          logger.info(message)
          await transport.flush()
        },
      }
    }),
  },
]
