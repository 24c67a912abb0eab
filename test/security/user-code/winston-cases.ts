import * as winston from '../../../src/entries/winston.ts'
import {
  messagesOf,
  winstonLogger,
  withStream,
  withWinston,
  writableTo,
  type Hook,
  type CallbackCase,
} from './harness.ts'

const json = winston.format.json()

/** Functions in the options of winston formats. */
const inFormat = (formatOf: (hook: Hook) => any) =>
  withWinston((hook) => ({ format: winston.format.combine(formatOf(hook), json) }))

/** A transport with the hook as a method, and a second transport that must receive every record. */
const withSecondTransport = (
  options: object,
  method: 'log' | 'close',
  use: (logger: any, message: string, own: any) => void,
) => ({
  build(hook: Hook) {
    const lines: string[] = []
    class Own extends winston.Transport {
      override log(info: any, next: () => void): any {
        return method === 'log' ? hook(info, next) : next()
      }
      override close(): any {
        return method === 'close' ? hook() : undefined
      }
    }
    const stream = new winston.transports.Stream({ stream: writableTo(lines) })
    const own = new Own(options)
    const logger = winstonLogger({ transports: [own, stream], onDiagnostic() {} })
    return {
      async use(message: string) {
        use(logger, message, own)
        await stream.flush()
      },
      arrived: () => messagesOf(lines),
      log: (message: string) => void logger.warn(message),
    }
  },
})

/** Callbacks of sluice/winston. */
export const winstonCases: readonly CallbackCase[] = [
  {
    name: 'winston format.printf',
    members: ['winston FormatKinds.printf(template)'],
    returns: (info: { message: string }) => info.message,
    ...withWinston((hook) => ({ format: winston.format.printf(hook) })),
  },
  {
    name: 'winston format.timestamp format',
    members: ['winston TimestampOptions.format'],
    returns: () => 'now',
    ...inFormat((format) => winston.format.timestamp({ format })),
  },
  {
    name: 'winston format.json replacer',
    members: ['winston JsonOptions.replacer'],
    returns: (_key: string, value: unknown) => value,
    ...withWinston((replacer) => ({ format: winston.format.json({ replacer }) })),
  },
  {
    name: 'winston format of another library',
    members: ['winston Format.transform'],
    returns: (info: object) => info,
    ...withWinston((hook) => ({
      format: {
        transform(info: any) {
          info[Symbol.for('message')] = hook(info)
          if (typeof info[Symbol.for('message')] !== 'object' || info[Symbol.for('message')] === info)
            info[Symbol.for('message')] = String(info.message)
          return info
        },
      },
    })),
  },
  {
    name: 'winston transport log, with another transport',
    members: ['winston Transport.log'],
    returns: (_info: unknown, next: () => void) => next(),
    ...withSecondTransport({}, 'log', (logger, message) => logger.info(message)),
  },
  {
    name: 'winston Stream transport write',
    members: [],
    ...withStream((stream) =>
      winstonLogger({ onDiagnostic() {}, transports: [new winston.transports.Stream({ stream: stream as never })] }),
    ),
  },
  {
    name: 'winston transport close',
    members: ['winston Transport.close'],
    ...withSecondTransport({}, 'close', (logger, message, own) => {
      logger.remove(own)
      logger.info(message)
      logger.add(own)
    }),
  },
  {
    name: 'winston exitOnError',
    members: ['winston LoggerOptions.exitOnError'],
    returns: () => false,
    build(hook) {
      const lines: string[] = []
      const stream = new winston.transports.Stream({ stream: writableTo(lines), handleExceptions: true })
      const logger = winstonLogger({ transports: [stream], exitOnError: hook, onDiagnostic() {} })
      return {
        async use(message) {
          // Call the handler for uncaught exceptions directly, because an exception would end this program.
          const [caught] = process.listeners('uncaughtException').slice(-1)
          const { exit } = process
          try {
            process.exit = (() => {}) as never
            caught!(new Error(message), 'uncaughtException')
            await stream.flush()
          } finally {
            process.exit = exit
          }
        },
        arrived: () => messagesOf(lines),
        log: (message) => void logger.warn(message),
      }
    },
  },
]
