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
  type CallbackCase,
} from './harness.ts'

/** Throws on the first call, to cause a diagnostic. */
function failingFirst(usual: (...args: any[]) => any): Hook {
  let calls = 0
  return (...args) => {
    if (calls++ === 0) throw new Error('first')
    return usual(...args)
  }
}

/** A logger with the hook as `onDiagnostic`, whose first record fails. */
const reporting = (create: (onDiagnostic: Hook, lines: string[]) => { use(message: string): unknown }) => ({
  build(hook: Hook) {
    const lines: string[] = []
    return { ...create(hook, lines), arrived: () => messagesOf(lines) }
  },
})

/** Creates an exporter whose first batch fails. */
const failingExporter = (lines: string[]) =>
  exporterWith(
    'export',
    failingFirst(() => accepted),
    lines,
  )

/** The `onDiagnostic` of each API. */
export const reporterCases: readonly CallbackCase[] = [
  {
    name: 'createCoreLogger onDiagnostic',
    members: ['CoreLoggerOptions.onDiagnostic'],
    ...reporting((onDiagnostic, lines) => {
      const logger = createCoreLogger({ exporter: failingExporter(lines), onDiagnostic })
      return {
        async use(message) {
          logger.info(message)
          await logger.flush()
        },
      }
    }),
  },
  {
    name: 'createLoggerProvider onDiagnostic',
    members: ['LoggerProviderOptions.onDiagnostic'],
    ...reporting((onDiagnostic, lines) => {
      const provider = createLoggerProvider({ exporter: failingExporter(lines), onDiagnostic })
      return {
        async use(message) {
          provider.getLogger('a').emit({ body: message, severityNumber: 9 })
          await provider.forceFlush().catch(() => {})
        },
      }
    }),
  },
  {
    name: 'PipelineLogRecordProcessor onDiagnostic',
    members: ['SdkRecordOptions.onDiagnostic'],
    ...reporting((onDiagnostic, lines) => {
      const processor = new PipelineLogRecordProcessor({ exporter: failingExporter(lines), onDiagnostic })
      return {
        async use(message) {
          processor.onEmit(otelRecord(message))
          await processor.forceFlush().catch(() => {})
        },
      }
    }),
  },
  {
    name: 'captureConsole onDiagnostic',
    members: ['PassthroughOptions.onDiagnostic'],
    ...reporting((onDiagnostic, lines) => {
      const write = failingFirst((text: string) => lines.push(text) > 0)
      return {
        async use(message) {
          const stream: any = { write, on() {}, once() {}, removeListener() {} }
          const captured = captureConsole({ stream, onDiagnostic })
          console.log(message)
          await captured.release({ timeoutMillis: 50 })
        },
      }
    }),
  },
  {
    name: 'pino onDiagnostic',
    members: ['pino LoggerOptions.onDiagnostic'],
    ...reporting((onDiagnostic, lines) => {
      const logger = pino({ mixin: failingFirst(() => ({})), onDiagnostic }, { write: (line) => void lines.push(line) })
      return { use: (message) => logger.info(message) }
    }),
  },
  {
    name: 'bunyan onDiagnostic',
    members: ['bunyan LoggerOptions.onDiagnostic'],
    ...reporting((onDiagnostic, lines) => {
      const write = failingFirst((line: string) => lines.push(line))
      const logger = createBunyan({ name: 'a', streams: [{ stream: { write } }], onDiagnostic })
      return { use: (message) => logger.info(message) }
    }),
  },
  {
    name: 'bole onDiagnostic',
    members: ['bole OutputOptions.onDiagnostic'],
    ...reporting((onDiagnostic, lines) => {
      const bole = boleApi.default
      bole.reset()
      const write = failingFirst((line: Uint8Array) => lines.push(String(line)))
      bole.output({ level: 'debug', stream: { write }, onDiagnostic })
      const logger = bole('a')
      return { use: (message) => logger.info(message) }
    }),
  },
  {
    name: 'winston onDiagnostic',
    members: ['winston LoggerOptions.onDiagnostic'],
    ...reporting((onDiagnostic, lines) => {
      const format = winston.format.printf(failingFirst((info: { message: string }) => info.message))
      const stream = new winston.transports.Stream({ stream: writableTo(lines) })
      const logger = winstonLogger({ transports: [stream], format, onDiagnostic })
      return {
        async use(message) {
          logger.info(message)
          await stream.flush()
        },
      }
    }),
  },
  {
    name: 'winston transport onDiagnostic',
    members: ['winston LineTransportOptions.onDiagnostic'],
    ...reporting((onDiagnostic, lines) => {
      const stream: any = writableTo(lines)
      stream.write = failingFirst(stream.write.bind(stream))
      const transport = new winston.transports.Stream({ stream, onDiagnostic })
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
