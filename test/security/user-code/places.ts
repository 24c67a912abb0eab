import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { setTimeout as after } from 'node:timers/promises'
import * as boleApi from '../../../src/bole.ts'
import { createLogger as createBunyan } from '../../../src/bunyan.ts'
import { memoryExporter, otlpExporter, retry } from '../../../src/exporters.ts'
import { fetchExporter, jsonLines } from '../../../src/core.ts'
import { createLogger } from '../../../src/index.ts'
import {
  createLoggerProvider,
  EncodingLogRecordExporter,
  fromLogRecordExporter,
  PipelineLogRecordProcessor,
} from '../../../src/otel.ts'
import { multistream, pino } from '../../../src/pino.ts'
import * as winston from '../../../src/winston.ts'

type Hook = (...args: any[]) => any

/** A place where code of users runs, with a logger around it. */
export interface Place {
  /** The name of its row in docs/reference/user-code.md. */
  readonly name: string
  /** The options and interfaces in which users give that code, as `Interface.member`. */
  readonly members: readonly string[]
  /** What the code returns when nothing is wrong. */
  readonly returns?: Hook
  /** Builds a logger that runs `hook` there. */
  build(hook: Hook): Built | Promise<Built>
  /** The record whose call fails is lost, and counted: the code is what delivers it. */
  readonly delivers?: boolean
}

export interface Built {
  /** Logs one record, and waits until the code has run. */
  use(message: string): unknown
  /** The messages that have arrived. */
  arrived(): readonly string[]
  /** How many records were lost, where they are counted. */
  lost?(): number
  /** What the code may log through. */
  log?(message: string): void
}

const accepted = { status: 'accepted' } as const

/** An exporter of a user's whose method is the hook; the others work. */
function exporterWith(method: string, hook: Hook, lines: string[], more: object = {}): any {
  const take = (batch: any) => {
    lines.push(...batch.records().map(({ text }: { text: string }) => text))
    return accepted
  }
  return {
    name: 'user',
    encoding: jsonLines(),
    delivery: {},
    export: take,
    ...more,
    [method]: (...args: any[]) => {
      const answer = hook(...args)
      if (method === 'export' || method === 'exportSync') if (answer === accepted) take(args[0])
      return answer
    },
  }
}

function messagesOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.match(/use-\d|from-hook/g) ?? [])
}

const withExporter = (method: string, more: object = {}, options: object = {}) => ({
  build(hook: Hook): Built {
    const lines: string[] = []
    const logger = createLogger({ exporter: exporterWith(method, hook, lines, more), onProblem() {}, ...options })
    return {
      async use(message) {
        logger.info(message)
        await logger.flush({ timeoutMillis: 50 })
        if (method === 'exportSync') {
          logger.info(message)
          logger.flushSync(20)
        }
      },
      arrived: () => messagesOf(lines),
      lost: () => logger.stats().dropped.total,
      log: (message) => logger.info(message),
    }
  },
})

/** A logger of ours with an option that is the hook, in front of a memory exporter. */
const withOption = (optionsOf: (hook: Hook) => object, use?: (logger: any, message: string) => void) => ({
  build(hook: Hook): Built {
    const memory = memoryExporter()
    const logger = createLogger({ exporter: memory, onProblem() {}, ...optionsOf(hook) })
    return {
      async use(message) {
        if (use === undefined) logger.info(message, { a: 1 })
        else use(logger, message)
        await logger.flush()
      },
      arrived: () => messagesOf(memory.records.map((record) => JSON.stringify(record))),
      log: (message) => logger.warn(message),
    }
  },
})

/** One of the compat APIs, which writes lines to a stream whose `write` keeps them. */
const withCompat = (
  create: (hook: Hook, stream: any) => any,
  use?: (logger: any, message: string, hook: Hook) => void,
) => ({
  build(hook: Hook): Built {
    const lines: string[] = []
    const stream = { write: (line: unknown) => lines.push(String(line)) > 0 }
    const logger = create(hook, stream)
    return {
      use(message) {
        if (use === undefined) logger.info({ a: 1 }, message)
        else use(logger, message, hook)
      },
      arrived: () => messagesOf(lines),
      log: (message) => logger.warn?.(message),
    }
  },
})

/** The same with a stream whose `write` is the hook. */
const withStream = (create: (stream: any) => any) => ({
  returns: () => true,
  build(hook: Hook): Built {
    const lines: string[] = []
    const write = (line: unknown) => {
      const answer = hook(line)
      if (answer === true) lines.push(String(line))
      return answer
    }
    const stream = { write, on() {}, once() {}, removeListener() {} }
    const logger = create(stream)
    return {
      use: (message) => logger.info(message),
      arrived: () => messagesOf(lines),
      log: (message) => logger.warn?.(message),
    }
  },
})

function winstonLogger(options: object): any {
  return winston.createLogger(options)
}

function writableTo(lines: string[]): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
}

const withWinston = (optionsOf: (hook: Hook) => object) => ({
  build(hook: Hook): Built {
    const lines: string[] = []
    const { transport, ...options } = optionsOf(hook) as { transport?: any }
    const stream = new winston.transports.Stream({ stream: writableTo(lines), ...transport })
    const logger = winstonLogger({ transports: [stream], ...options })
    logger.on('error', () => {})
    return {
      async use(message) {
        logger.info(message)
        await stream.flush()
      },
      arrived: () => messagesOf(lines),
    }
  },
})

/** A transport that a user wrote, whose `log` is the hook. */
const withWinstonTransport = {
  returns: (_info: unknown, next: () => void) => next(),
  build(hook: Hook): Built {
    const seen: string[] = []
    class Own extends winston.Transport {
      override log(info: any, next: () => void): any {
        seen.push(String(info.message))
        return hook(info, next)
      }
    }
    const logger = winstonLogger({ transports: [new Own()] })
    logger.on('error', () => {})
    return { use: (message) => void logger.info(message), arrived: () => messagesOf(seen) }
  },
}

/** An exporter of OpenTelemetry's shape, behind a processor of ours. */
const withOtelExporter = (method: string) => ({
  build(hook: Hook): Built {
    const lines: string[] = []
    const exporter = {
      export(records: any[], done: (result: object) => void) {
        lines.push(...records.map(({ body }) => String(body)))
        done({ code: 0 })
      },
      forceFlush: async () => {},
      shutdown: async () => {},
    } as any
    const { export: take } = exporter
    exporter[method] = (...args: any[]) => {
      const answer = hook(...args)
      if (method === 'export' && answer === undefined) take(...args)
      return answer
    }
    const processor = new PipelineLogRecordProcessor({
      exporter: fromLogRecordExporter(exporter, { exportTimeoutMillis: 30, retry: false }),
      scheduledDelayMillis: 1,
      onProblem() {},
    })
    return {
      async use(message) {
        processor.onEmit(otelRecord(message))
        await processor.forceFlush({ timeoutMillis: 60 }).catch(() => {})
        await after(40)
      },
      arrived: () => messagesOf(lines),
      lost: () => processor.stats().dropped.total + processor.stats().exporters[0]!.unknown,
    }
  },
})

function otelRecord(body: string): any {
  return {
    body,
    attributes: {},
    hrTime: [1, 0],
    hrTimeObserved: [1, 0],
    instrumentationScope: { name: 'a' },
    resource: { attributes: {} },
    severityNumber: 9,
  }
}

const withProvider = (optionsOf: (hook: Hook) => object) => ({
  build(hook: Hook): Built {
    const memory = memoryExporter()
    const provider = createLoggerProvider({ exporter: memory, onProblem() {}, ...optionsOf(hook) })
    let asked = 0
    return {
      async use(message) {
        provider.getLogger(`logger-${asked++}`).emit({ body: message, severityNumber: 9 })
        await provider.forceFlush().catch(() => {})
      },
      arrived: () => messagesOf(memory.records.map((record) => JSON.stringify(record))),
    }
  },
})

const provider = (method: string) => ({
  ...withProvider((hook) => ({
    processors: [{ onEmit() {}, forceFlush: async () => {}, shutdown: async () => {}, [method]: hook }],
  })),
})

/** An exporter that sends to a server which accepts everything, with a function of the user's in its options. */
const withServer = (exporterOf: (url: string, hook: Hook) => any) => ({
  async build(hook: Hook): Promise<Built> {
    const bodies: string[] = []
    const server = http.createServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        bodies.push(Buffer.concat(parts).toString())
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      })
    })
    server.listen(0, '127.0.0.1').unref()
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/logs`
    const logger = createLogger({ exporter: exporterOf(url, hook), onProblem() {} })
    return {
      async use(message) {
        logger.info(message)
        await logger.flush({ timeoutMillis: 150 })
      },
      arrived: () => messagesOf(bodies),
      lost: () => logger.stats().dropped.total + logger.stats().exporters[0]!.unknown,
    }
  },
})

const quick = { initialDelayMillis: 1, maxDelayMillis: 2, maxElapsedMillis: 0 }

/** Every place where code of users runs: the rows of docs/reference/user-code.md. */
export const places: readonly Place[] = [
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
  { name: 'Exporter.start', members: ['Exporter.start'], ...startPlace() },
  { name: 'Exporter.keepAlive', members: ['Exporter.keepAlive'], ...withExporter('keepAlive') },
  { name: 'Exporter.abandon', members: ['Exporter.abandon'], ...withExporter('abandon') },
  { name: 'Exporter.flush', members: ['Exporter.flush'], ...withExporter('flush') },
  { name: 'Exporter.shutdown', members: ['Exporter.shutdown'], ...shutdownPlace() },
  {
    name: 'handler',
    members: ['LoggerOptions.handler'],
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
  { name: 'onProblem', members: ['LoggerOptions.onProblem'], ...problemPlace() },
  { name: 'lazy message', members: [], returns: () => 'lazy', ...withOption(() => ({})), ...lazyPlace() },
  { name: 'toJSON', members: [], returns: () => 'value', ...valuePlace() },
  {
    name: 'serializers',
    members: ['ChildOptions.serializers'],
    returns: () => 'value',
    ...withOption((hook) => ({ serializers: { a: hook } })),
  },
  {
    name: 'censor',
    members: ['RedactOptions.censor'],
    returns: () => '[x]',
    ...withOption((hook) => ({ redact: { paths: ['a'], censor: hook } })),
  },
  { name: 'retry, the exporter behind it', members: [], delivers: true, returns: () => accepted, ...retryPlace() },
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
  { name: 'EncodingLogRecordExporter callback', members: [], ...callbackPlace() },
  { name: 'provider processor onEmit', members: ['OtelLogRecordProcessor.onEmit'], ...provider('onEmit') },
  {
    name: 'provider processor enabled',
    members: ['OtelLogRecordProcessor.enabled'],
    returns: () => true,
    ...provider('enabled'),
  },
  { name: 'provider processor forceFlush', members: ['OtelLogRecordProcessor.forceFlush'], ...provider('forceFlush') },
  { name: 'provider processor shutdown', members: ['OtelLogRecordProcessor.shutdown'], ...provider('shutdown') },
  { name: 'logger configurator', members: [], returns: () => ({}), ...withProvider((hook) => ({ loggers: hook })) },
  { name: 'pino stream write', members: ['TextStream.write'], ...withStream((stream) => pino({}, stream)) },
  { name: 'pino multistream', members: [], ...withStream((stream) => pino({}, multistream([{ stream }]))) },
  {
    name: 'pino mixin',
    members: [],
    returns: () => ({ m: 1 }),
    ...withCompat((mixin, stream) => pino({ mixin }, stream)),
  },
  {
    name: 'pino hooks.logMethod',
    members: [],
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
    members: [],
    returns: (line: string) => line,
    ...withCompat((streamWrite, stream) => pino({ hooks: { streamWrite } }, stream)),
  },
  {
    name: 'pino formatters.log',
    members: ['FormatterOptions.log'],
    returns: (object: object) => object,
    ...withCompat((log, stream) => pino({ formatters: { log } }, stream)),
  },
  {
    name: 'pino formatters.level',
    members: ['FormatterOptions.level'],
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
    members: [],
    returns: () => 'v',
    ...withCompat((a, stream) => pino({ serializers: { a } }, stream)),
  },
  {
    name: 'pino timestamp',
    members: ['LoggerOptions.timestamp'],
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
    members: [],
    ...withCompat(
      (onChild, stream) => pino({ onChild }, stream),
      (logger, message) => logger.child({}).info(message),
    ),
  },
  {
    name: 'bunyan stream write',
    members: [],
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
    members: ['LoggerOptions.serializers'],
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
    members: [],
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

function startPlace(): Pick<Place, 'build'> {
  return {
    build(hook) {
      const lines: string[] = []
      // What an exporter throws as it is started, its creator gets: the second one starts.
      const create = () => createLogger({ exporter: exporterWith('start', hook, lines), onProblem() {} })
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

function shutdownPlace(): Pick<Place, 'build'> {
  return {
    build(hook) {
      const lines: string[] = []
      return {
        async use(message) {
          const logger = createLogger({ exporter: exporterWith('shutdown', hook, lines), onProblem() {} })
          logger.info(message)
          await logger.shutdown({ timeoutMillis: 50 })
        },
        arrived: () => messagesOf(lines),
      }
    },
  }
}

function problemPlace(): Pick<Place, 'build'> {
  return {
    build(hook) {
      const lines: string[] = []
      let failures = 1
      const exporter = exporterWith('export', () => (failures-- > 0 ? undefined : accepted), lines)
      const logger = createLogger({ exporter, onProblem: hook })
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

function lazyPlace(): Pick<Place, 'build'> {
  return {
    build(hook) {
      const memory = memoryExporter()
      const logger = createLogger({ exporter: memory, onProblem() {} })
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

function valuePlace(): Pick<Place, 'build'> {
  return {
    build(hook) {
      const memory = memoryExporter()
      const logger = createLogger({ exporter: memory, onProblem() {} })
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

function retryPlace(): Pick<Place, 'build'> {
  return {
    build(hook) {
      const lines: string[] = []
      const exporter = retry(exporterWith('export', hook, lines), quick)
      const logger = createLogger({ exporter, onProblem() {} })
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

function callbackPlace(): Pick<Place, 'build'> {
  return {
    build(hook) {
      const memory = memoryExporter()
      const exporter = new EncodingLogRecordExporter({ exporter: memory, onProblem() {} })
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
