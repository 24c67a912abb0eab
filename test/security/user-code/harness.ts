import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { memoryExporter } from '../../../src/entries/exporters.ts'
import { jsonLines } from '../../../src/entries/core.ts'
import { createLogger } from '../../../src/entries/index.ts'
import { createLoggerProvider, fromLogRecordExporter, PipelineLogRecordProcessor } from '../../../src/entries/otel.ts'
import * as winston from '../../../src/entries/winston.ts'

export type Hook = (...args: any[]) => any

/** A callback of the public API, with a logger that calls it. */
export interface CallbackCase {
  /** The name of its row in docs/reference/user-code.md. */
  readonly name: string
  /** The options and interface members that accept the callback, as `Interface.member`. */
  readonly members: readonly string[]
  /** Returns the regular result of the callback. */
  readonly returns?: Hook
  /** Builds a logger with `hook` as the callback. */
  build(hook: Hook): Built | Promise<Built>
  /** Whether the callback delivers records, so that a record is lost and counted when it fails. */
  readonly delivers?: boolean
}

export interface Built {
  /** Logs one record, and waits until the callback has run. */
  use(message: string): unknown
  /** Returns the delivered messages. */
  arrived(): readonly string[]
  /** Returns the number of lost records, if they are counted. */
  lost?(): number
  /** Logs a message from the callback. */
  log?(message: string): void
}

export const accepted = { status: 'accepted' } as const

/** Creates an exporter with the hook as one method; the other methods work. */
export function exporterWith(method: string, hook: Hook, lines: string[], more: object = {}): any {
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

/** Returns the path of a new file. A device must not be used, because rotation would rename it. */
export function temporaryFile(): string {
  return join(mkdtempSync(join(tmpdir(), 'user-code-')), 'log')
}

export function messagesOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.match(/use-\d|from-hook/g) ?? [])
}

export const withExporter = (method: string, more: object = {}, options: object = {}) => ({
  build(hook: Hook): Built {
    const lines: string[] = []
    const logger = createLogger({ exporter: exporterWith(method, hook, lines, more), onDiagnostic() {}, ...options })
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

/** A logger with the hook as an option, and a memory exporter. */
export const withOption = (optionsOf: (hook: Hook) => object, use?: (logger: any, message: string) => void) => ({
  build(hook: Hook): Built {
    const memory = memoryExporter()
    const logger = createLogger({ exporter: memory, onDiagnostic() {}, ...optionsOf(hook) })
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

/** A logger of a compatible API that writes to a stream that stores its lines. */
export const withCompat = (
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

/** A logger of a compatible API with the hook as the `write` method of its stream. */
export const withStream = (create: (stream: any) => any) => ({
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

export function winstonLogger(options: object): any {
  return winston.createLogger(options)
}

export function writableTo(lines: string[]): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
}

export const withWinston = (optionsOf: (hook: Hook) => object) => ({
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

/** A custom winston transport with the hook as its `log` method. */
export const withWinstonTransport = {
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

/** An OpenTelemetry exporter with a sluice processor. */
export const withOtelExporter = (method: string) => ({
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
      onDiagnostic() {},
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

export function otelRecord(body: string): any {
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

export const withProvider = (optionsOf: (hook: Hook) => object) => ({
  build(hook: Hook): Built {
    const memory = memoryExporter()
    const provider = createLoggerProvider({ exporter: memory, onDiagnostic() {}, ...optionsOf(hook) })
    let calls = 0
    return {
      async use(message) {
        provider.getLogger(`logger-${calls++}`).emit({ body: message, severityNumber: 9 })
        await provider.forceFlush().catch(() => {})
      },
      arrived: () => messagesOf(memory.records.map((record) => JSON.stringify(record))),
    }
  },
})

export const provider = (method: string) => ({
  ...withProvider((hook) => ({
    processors: [{ onEmit() {}, forceFlush: async () => {}, shutdown: async () => {}, [method]: hook }],
  })),
})

/** An exporter with the hook in its options, which sends to a server that accepts everything. */
export const withServer = (exporterOf: (url: string, hook: Hook) => any) => ({
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
    const logger = createLogger({ exporter: exporterOf(url, hook), onDiagnostic() {} })
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

export const quick = { initialDelayMillis: 1, maxDelayMillis: 2, maxElapsedMillis: 0 }
