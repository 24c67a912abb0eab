import { createLogger as createBunyan, RotatingFileStream } from '../../../src/entries/bunyan.ts'
import * as boleApi from '../../../src/entries/bole.ts'
import { memoryExporter } from '../../../src/entries/exporters.ts'
import { destination, multistream, pino } from '../../../src/entries/pino.ts'
import { messagesOf, temporaryFile, withCompat, withStream, type Hook, type CallbackCase } from './harness.ts'

/** A sluice/pino logger with the hook as a method of its stream, whose `write` works. */
const withMethod = (method: string, use: (logger: any, message: string) => void, wrap = (stream: any) => stream) => ({
  build(hook: Hook) {
    const lines: string[] = []
    const stream = { write: (line: string) => lines.push(line) > 0, [method]: hook }
    const logger: any = pino({ onDiagnostic() {} }, wrap(stream))
    return {
      use: (message: string) => use(logger, message),
      arrived: () => messagesOf(lines),
      log: (message: string) => logger.warn(message),
    }
  },
})

/** A logger with an exporter, so that `flush(callback)` calls its callback asynchronously. */
const flushing = (options: () => object) => ({
  build(hook: Hook) {
    const lines: string[] = []
    const stream = { write: (line: string) => lines.push(line) > 0 }
    const logger: any = pino({ onDiagnostic() {}, ...options() } as any, stream)
    return {
      use(message: string) {
        logger.info(message)
        logger.flush(hook)
      },
      arrived: () => messagesOf(lines),
      log: (message: string) => logger.warn(message),
    }
  },
})

/** A destination whose `flush` has the hook as its callback. */
const flushed = (create: () => any) => ({
  build(hook: Hook) {
    const lines: string[] = []
    const to = create()
    return {
      use(message: string) {
        to.write(`${message}\n`)
        lines.push(message)
        to.flush(hook)
      },
      arrived: () => messagesOf(lines),
    }
  },
})

/** Callbacks of sluice/pino, sluice/bunyan and sluice/bole that are not in `callback-cases.ts`. */
export const pinoCases: readonly CallbackCase[] = [
  {
    name: 'pino timestamp, at creation',
    members: [],
    returns: () => ',"time":1',
    build(hook) {
      const lines: string[] = []
      return {
        use(message) {
          const logger = pino(
            { timestamp: hook, onDiagnostic() {} },
            { write: (line: string) => void lines.push(line) },
          )
          logger.info(message)
        },
        arrived: () => messagesOf(lines),
      }
    },
  },
  {
    name: 'pino levelComparison',
    members: ['pino LoggerOptions.levelComparison'],
    returns: (current: number, expected: number) => current >= expected,
    ...withCompat(
      (levelComparison, stream) => pino({ levelComparison, onDiagnostic() {} }, stream),
      (logger, message) => {
        logger.isLevelEnabled('info')
        logger.info(message)
      },
    ),
  },
  {
    name: 'pino formatters.bindings',
    members: ['pino FormatterOptions.bindings'],
    returns: (bindings: object) => bindings,
    ...withCompat(
      (_hook, stream) => pino({ onDiagnostic() {} }, stream),
      (logger, message, bindings) => logger.child({ a: 1 }, { formatters: { bindings } }).info(message),
    ),
  },
  {
    name: 'pino mixinMergeStrategy',
    members: ['pino LoggerOptions.mixinMergeStrategy'],
    returns: (object: object) => object,
    ...withCompat((mixinMergeStrategy, stream) =>
      pino({ mixin: () => ({ m: 1 }), mixinMergeStrategy, onDiagnostic() {} }, stream),
    ),
  },
  {
    name: 'pino wrapped serializers',
    members: [
      'pino StdSerializers.wrapErrorSerializer(serializer)',
      'pino StdSerializers.wrapRequestSerializer(serializer)',
      'pino StdSerializers.wrapResponseSerializer(serializer)',
    ],
    returns: () => 'v',
    ...withCompat(
      (hook, stream) => {
        const { wrapErrorSerializer, wrapRequestSerializer, wrapResponseSerializer } = pino.stdSerializers as any
        const serializers = {
          err: wrapErrorSerializer(hook),
          req: wrapRequestSerializer(hook),
          res: wrapResponseSerializer(hook),
        }
        return pino({ serializers, onDiagnostic() {} }, stream)
      },
      (logger, message) => logger.info({ err: new Error('e'), req: {}, res: {} }, message),
    ),
  },
  { name: 'pino flush callback', members: ['pino LoggerExtras.flush(callback)'], ...flushing(() => ({})) },
  {
    name: 'pino flush callback, with an exporter',
    members: [],
    ...flushing(() => ({ exporter: memoryExporter() })),
  },
  {
    name: 'pino stream flush',
    members: [],
    returns: (done?: () => void) => done?.(),
    ...withMethod('flush', (logger, message) => {
      logger.info(message)
      logger.flush()
    }),
  },
  {
    name: 'pino stream flushSync',
    members: [],
    ...withMethod('flushSync', (logger, message) => logger.fatal(message)),
  },
  {
    name: 'pino multistream flushSync',
    members: [],
    ...withMethod(
      'flushSync',
      (logger, message) => logger.fatal(message),
      (stream) => multistream([{ stream }]),
    ),
  },
  {
    name: 'pino destination flush callback',
    members: ['destination Destination.flush(callback)'],
    ...flushed(() => destination({ dest: temporaryFile() })),
  },
  {
    name: 'bunyan RotatingFileStream flush callback',
    members: ['bunyan RotatingFileStream.flush(callback)'],
    ...flushed(() => new RotatingFileStream({ path: temporaryFile(), period: '1d' })),
  },
  {
    name: 'pino transport flush callback',
    members: ['pino TransportThread.flush(callback)'],
    ...flushed(() => pino.transport({ target: 'pino/file', options: { destination: temporaryFile() } })),
  },
  {
    name: 'pino child serializers',
    members: ['pino ChildLoggerOptions.serializers'],
    returns: () => 'v',
    ...withCompat(
      (_hook, stream) => pino({ onDiagnostic() {} }, stream),
      (logger, message, a) => logger.child({ a: 1 }, { serializers: { a } }).info({ a: 1 }, message),
    ),
  },
  {
    name: 'bole object stream write',
    members: ['bole OutputStream.write'],
    ...withStream((stream) => {
      const bole = boleApi.default
      bole.reset()
      bole.output({
        level: 'debug',
        stream: {
          ...stream,
          write: (object: unknown) => stream.write(JSON.stringify(object)),
          _writableState: { objectMode: true },
        },
      })
      return bole('a')
    }),
  },
  {
    name: 'bunyan child serializers',
    members: [],
    returns: () => 'v',
    ...withCompat((a, stream) => {
      const root = createBunyan({ name: 'a', streams: [{ stream }], onDiagnostic() {} })
      root.addSerializers({ a })
      return root.child({ b: 1 })
    }),
  },
]
