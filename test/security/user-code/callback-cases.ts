import * as boleApi from '../../../src/entries/bole.ts'
import { createLogger as createBunyan } from '../../../src/entries/bunyan.ts'
import { memoryExporter, otlpExporter, retry } from '../../../src/entries/exporters.ts'
import { fetchExporter } from '../../../src/entries/core.ts'
import { limit, route } from '../../../src/entries/handlers.ts'
import { createLogger } from '../../../src/entries/index.ts'
import { EncodingLogRecordExporter } from '../../../src/entries/otel.ts'
import { multistream, pino } from '../../../src/entries/pino.ts'
import * as winston from '../../../src/entries/winston.ts'
import {
  accepted,
  exporterWith,
  messagesOf,
  otelRecord,
  provider,
  quick,
  withCompat,
  withExporter,
  withOption,
  withOtelExporter,
  withProvider,
  withServer,
  withStream,
  withWinston,
  withWinstonTransport,
  type Hook,
  type CallbackCase,
} from './harness.ts'
import { otherCases } from './other-cases.ts'
import { reporterCases } from './reporter-cases.ts'
import { pinoCases } from './pino-cases.ts'
import { providerCases } from './provider-cases.ts'
import { winstonCases } from './winston-cases.ts'

/** Callbacks of `createLogger`, its exporters and the OpenTelemetry API, and streams and hooks of the other APIs. */
const baseCases: readonly CallbackCase[] = [
  {
    name: 'Exporter.export',
    members: ['Exporter.export'],
    delivers: true,
    returns: () => accepted,
    ...withExporter('export'),
  },
  {
    name: 'Exporter.exportSync',
    members: ['Exporter.exportSync'],
    delivers: true,
    returns: () => accepted,
    ...withExporter('exportSync'),
  },
  { name: 'Exporter.start', members: ['Exporter.start'], ...startCase() },
  { name: 'Exporter.keepAlive', members: ['Exporter.keepAlive'], ...withExporter('keepAlive') },
  { name: 'Exporter.abandon', members: ['Exporter.abandon'], ...withExporter('abandon') },
  { name: 'Exporter.flush', members: ['Exporter.flush'], ...withExporter('flush') },
  { name: 'Exporter.shutdown', members: ['Exporter.shutdown'], ...shutdownCase() },
  {
    name: 'handler',
    members: ['LoggerOptions.handler', 'Handler.handle'],
    ...withOption((hook) => ({
      handler: (next: any) => ({
        handle(record: any) {
          const answer = hook()
          next.handle(record)
          return answer
        },
      }),
    })),
  },
  {
    name: 'handler delay',
    members: ['HandlerHost.delay(callback)'],
    ...withHost((host, hook) => host.delay(0, hook)),
  },
  {
    name: 'handler onFlush',
    members: ['HandlerHost.onFlush(callback)'],
    ...withHost((host, hook) => host.onFlush(hook)),
  },
  {
    name: 'limit by',
    members: ['LimitOptions.by', 'DedupeOptions.by'],
    returns: () => 'key',
    ...withOption((hook) => ({ handler: limit({ by: hook }) })),
  },
  {
    name: 'route by',
    members: ['route(by)'],
    returns: () => 'key',
    ...withOption((hook) => ({ handler: route(hook, { key: limit() }) })),
  },
  {
    name: 'enrich',
    members: ['LoggerOptions.enrich'],
    returns: () => ({ b: 2 }),
    ...withOption((hook) => ({ enrich: hook })),
  },
  {
    name: 'clock',
    members: ['LoggerOptions.clock', 'CaptureOptions.clock'],
    returns: () => 1,
    ...withOption((hook) => ({ clock: hook })),
  },
  { name: 'onDiagnostic', members: ['LoggerOptions.onDiagnostic'], ...diagnosticCase() },
  { name: 'lazy message', members: [], returns: () => 'lazy', ...withOption(() => ({})), ...lazyCase() },
  { name: 'toJSON', members: [], returns: () => 'value', ...valueCase() },
  {
    name: 'serializers',
    members: ['ChildOptions.serializers', 'LoggerOptions.serializers'],
    returns: () => 'value',
    ...withOption((hook) => ({ serializers: { a: hook } })),
  },
  {
    name: 'censor',
    members: ['RedactOptions.censor'],
    returns: () => '[x]',
    ...withOption((hook) => ({ redact: { paths: ['a'], censor: hook } })),
  },
  { name: 'retry, the exporter behind it', members: [], delivers: true, returns: () => accepted, ...retryCase() },
  {
    name: 'otlpExporter headers',
    members: ['OtlpExporterOptions.headers'],
    returns: () => ({}),
    delivers: true,
    ...withServer((url, hook) => otlpExporter({ url, headers: hook, retry: quick })),
  },
  {
    name: 'fetchExporter headers',
    members: ['FetchExporterOptions.headers'],
    returns: () => ({}),
    delivers: true,
    ...withServer((url, hook) => fetchExporter({ url, headers: hook, retry: quick })),
  },
  {
    name: 'fetchExporter fetch',
    members: ['FetchExporterOptions.fetch'],
    returns: (...args: any[]) => (fetch as Hook)(...args),
    delivers: true,
    ...withServer((url, hook) => fetchExporter({ url, fetch: hook, timeoutMillis: 50, retry: quick })),
  },
  {
    name: 'SDK exporter export',
    members: ['OtelLogRecordExporter.export'],
    delivers: true,
    ...withOtelExporter('export'),
  },
  {
    name: 'SDK exporter forceFlush',
    members: ['OtelLogRecordExporter.forceFlush', 'OtelLogRecordExporter.shutdown'],
    ...withOtelExporter('forceFlush'),
  },
  {
    name: 'EncodingLogRecordExporter callback',
    members: ['EncodingLogRecordExporter.export(resultCallback)'],
    ...callbackCase(),
  },
  { name: 'provider processor onEmit', members: ['OtelLogRecordProcessor.onEmit'], ...provider('onEmit') },
  {
    name: 'provider processor enabled',
    members: ['OtelLogRecordProcessor.enabled'],
    returns: () => true,
    ...provider('enabled'),
  },
  { name: 'provider processor forceFlush', members: ['OtelLogRecordProcessor.forceFlush'], ...provider('forceFlush') },
  { name: 'provider processor shutdown', members: ['OtelLogRecordProcessor.shutdown'], ...provider('shutdown') },
  {
    name: 'logger configurator',
    members: ['LoggerSettings.loggers'],
    returns: () => ({}),
    ...withProvider((hook) => ({ loggers: hook })),
  },
  {
    name: 'pino stream write',
    members: ['TextStream.write', 'pino DestinationStream.write'],
    ...withStream((stream) => pino({}, stream)),
  },
  { name: 'pino multistream', members: [], ...withStream((stream) => pino({}, multistream([{ stream }]))) },
  {
    name: 'pino mixin',
    members: ['pino LoggerOptions.mixin'],
    returns: () => ({ m: 1 }),
    ...withCompat((mixin, stream) => pino({ mixin }, stream)),
  },
  {
    name: 'pino hooks.logMethod',
    members: ['pino LoggerOptions.hooks.logMethod'],
    ...withCompat((hook, stream) =>
      pino(
        {
          hooks: {
            logMethod(args: any, method: any) {
              const answer = hook()
              method.apply(this, args)
              return answer
            },
          },
        },
        stream,
      ),
    ),
  },
  {
    name: 'pino hooks.streamWrite',
    members: ['pino LoggerOptions.hooks.streamWrite'],
    returns: (line: string) => line,
    ...withCompat((streamWrite, stream) => pino({ hooks: { streamWrite } }, stream)),
  },
  {
    name: 'pino formatters.log',
    members: ['pino FormatterOptions.log'],
    returns: (object: object) => object,
    ...withCompat((log, stream) => pino({ formatters: { log } }, stream)),
  },
  {
    name: 'pino formatters.level',
    members: ['pino FormatterOptions.level'],
    returns: (_label: string, level: number) => ({ level }),
    ...withCompat(
      (_hook, stream) => stream,
      (stream, message, level) => {
        try {
          pino({ formatters: { level } }, stream).info(message)
        } catch {}
      },
    ),
  },
  {
    name: 'pino serializers',
    members: ['pino LoggerOptions.serializers'],
    returns: () => 'v',
    ...withCompat((a, stream) => pino({ serializers: { a } }, stream)),
  },
  {
    name: 'pino timestamp',
    members: ['pino LoggerOptions.timestamp'],
    returns: () => ',"time":1',
    ...withCompat((timestamp, stream) => pino({ timestamp }, stream)),
  },
  {
    name: 'pino redact censor',
    members: [],
    returns: () => 'x',
    ...withCompat((censor, stream) => pino({ redact: { paths: ['a'], censor } }, stream)),
  },
  {
    name: 'pino onChild',
    members: ['pino LoggerOptions.onChild'],
    ...withCompat(
      (onChild, stream) => pino({ onChild }, stream),
      (logger, message) => logger.child({}).info(message),
    ),
  },
  {
    name: 'bunyan stream write',
    members: ['bunyan WritableLike.write'],
    ...withStream((stream) => createBunyan({ name: 'a', streams: [{ stream }] })),
  },
  {
    name: 'bunyan raw stream write',
    members: [],
    ...withCompat((hook, stream) =>
      createBunyan({
        name: 'a',
        streams: [
          {
            type: 'raw',
            stream: {
              write(record: object) {
                stream.write(JSON.stringify(record))
                return hook(record)
              },
            },
          },
        ],
      }),
    ),
  },
  {
    name: 'bunyan serializers',
    members: ['bunyan LoggerOptions.serializers'],
    returns: () => 'v',
    ...withCompat((a, stream) => createBunyan({ name: 'a', serializers: { a }, streams: [{ stream }] })),
  },
  {
    name: 'bole output write',
    members: [],
    ...withStream((stream) => {
      const bole = boleApi.default
      bole.reset()
      bole.output({ level: 'debug', stream })
      return bole('a')
    }),
  },
  {
    name: 'winston format',
    members: ['winston format(transform)'],
    returns: (info: object) => info,
    ...withWinston((hook) => ({
      format: winston.format.combine(winston.format((info: any) => hook(info))(), winston.format.json()),
    })),
  },
  {
    name: 'winston transport format',
    members: [],
    returns: (info: object) => info,
    ...withWinston((hook) => ({
      transport: { format: winston.format.combine(winston.format((info: any) => hook(info))(), winston.format.json()) },
    })),
  },
  { name: 'winston transport log', members: [], ...withWinstonTransport },
]

/** Every callback: the rows of docs/reference/user-code.md. */
export const callbackCases: readonly CallbackCase[] = [
  ...baseCases,
  ...pinoCases,
  ...winstonCases,
  ...providerCases,
  ...otherCases,
  ...reporterCases,
]

/** A logger whose handler passes the hook to its host with each record. */
function withHost(use: (host: any, hook: Hook) => void): Pick<CallbackCase, 'build'> {
  return withOption((hook) => ({
    handler: (next: any, host: any) => ({
      handle(record: any) {
        use(host, hook)
        next.handle(record)
      },
    }),
  }))
}

function startCase(): Pick<CallbackCase, 'build'> {
  return {
    build(hook) {
      const lines: string[] = []
      // An error in `start` propagates to the caller of createLogger, so only the second start fails.
      const create = () => createLogger({ exporter: exporterWith('start', hook, lines), onDiagnostic() {} })
      return {
        async use(message) {
          let logger
          try {
            logger = create()
          } catch {
            return
          }
          logger.info(message)
          await logger.flush()
        },
        arrived: () => messagesOf(lines),
      }
    },
  }
}

function shutdownCase(): Pick<CallbackCase, 'build'> {
  return {
    build(hook) {
      const lines: string[] = []
      return {
        async use(message) {
          const logger = createLogger({ exporter: exporterWith('shutdown', hook, lines), onDiagnostic() {} })
          logger.info(message)
          await logger.shutdown({ timeoutMillis: 50 })
        },
        arrived: () => messagesOf(lines),
      }
    },
  }
}

function diagnosticCase(): Pick<CallbackCase, 'build'> {
  return {
    build(hook) {
      const lines: string[] = []
      let failures = 1
      const exporter = exporterWith('export', () => (failures-- > 0 ? undefined : accepted), lines)
      const logger = createLogger({ exporter, onDiagnostic: hook })
      return {
        async use(message) {
          logger.info(message)
          await logger.flush()
        },
        arrived: () => messagesOf(lines),
        log: (message) => logger.info(message),
      }
    },
  }
}

function lazyCase(): Pick<CallbackCase, 'build'> {
  return {
    build(hook) {
      const memory = memoryExporter()
      const logger = createLogger({ exporter: memory, onDiagnostic() {} })
      return {
        async use(message) {
          logger.info(message, hook as never)
          await logger.flush()
        },
        arrived: () => messagesOf(memory.records.map((record) => JSON.stringify(record))),
        log: (message) => logger.warn(message),
      }
    },
  }
}

function valueCase(): Pick<CallbackCase, 'build'> {
  return {
    build(hook) {
      const memory = memoryExporter()
      const logger = createLogger({ exporter: memory, onDiagnostic() {} })
      return {
        async use(message) {
          logger.info(message, { a: { toJSON: hook } })
          await logger.flush()
        },
        arrived: () => messagesOf(memory.records.map((record) => JSON.stringify(record))),
        log: (message) => logger.warn(message),
      }
    },
  }
}

function retryCase(): Pick<CallbackCase, 'build'> {
  return {
    build(hook) {
      const lines: string[] = []
      const exporter = retry(exporterWith('export', hook, lines), quick)
      const logger = createLogger({ exporter, onDiagnostic() {} })
      return {
        async use(message) {
          logger.info(message)
          await logger.flush({ timeoutMillis: 50 })
        },
        arrived: () => messagesOf(lines),
        lost: () => logger.stats().dropped.total,
      }
    },
  }
}

function callbackCase(): Pick<CallbackCase, 'build'> {
  return {
    build(hook) {
      const memory = memoryExporter()
      const exporter = new EncodingLogRecordExporter({ exporter: memory, onDiagnostic() {} })
      return {
        async use(message) {
          exporter.export([otelRecord(message)], hook as never)
          await exporter.forceFlush()
        },
        arrived: () => messagesOf(memory.records.map((record) => JSON.stringify(record))),
      }
    },
  }
}
