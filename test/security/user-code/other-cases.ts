import { childProcessLogger } from '../../../src/entries/child-process.ts'
import { captureConsole } from '../../../src/entries/console.ts'
import { consoleExporter } from '../../../src/entries/core.ts'
import { memoryExporter } from '../../../src/entries/exporters.ts'
import { createRequestLog } from '../../../src/entries/http.ts'
import { createLogger } from '../../../src/entries/index.ts'
import { withFlush } from '../../../src/entries/lambda.ts'
import { messagesOf, temporaryFile, type Hook, type CallbackCase } from './harness.ts'
import { noResponse } from '../../../src/http/exchange.ts'

const idHeader = (name: string) => (name === 'x-request-id' ? 'id' : undefined)

/** A request log with the hook in its options or messages. Each request logs one message. */
const withRequest = (
  optionsOf: (hook: Hook) => object,
  requestOf: (hook: Hook) => object = () => ({}),
  responseOf: (hook: Hook) => object = () => ({}),
) => ({
  build(hook: Hook) {
    const memory = memoryExporter()
    const logger = createLogger({ exporter: memory, onDiagnostic() {} })
    const log = createRequestLog({ logger, requestHeaders: ['a'], responseHeaders: ['a'], ...optionsOf(hook) })
    return {
      async use(message: string) {
        const scope = log.begin({ method: 'GET', url: `/${message}`, header: idHeader, ...requestOf(hook) })
        scope.run(() => logger.info(message))
        scope.end({ ...noResponse, statusCode: 200, ...responseOf(hook) })
        await logger.flush()
      },
      arrived: () => messagesOf(memory.records.map((record) => JSON.stringify(record))),
      log: (message: string) => logger.warn(message),
    }
  },
})

/** A captured console with the hook as a method of its stream. */
const withConsole = (method: string, isGood: () => boolean = () => true) => ({
  build(hook: Hook) {
    const lines: string[] = []
    const stream: any = {
      write(text: string) {
        lines.push(text)
        return isGood()
      },
      on() {},
      once: (_event: string, listener: () => void) => void setTimeout(listener, 1),
      removeListener() {},
    }
    const usual = stream[method] as Hook | undefined
    stream[method] = (...args: unknown[]) => {
      const answer = hook(...args)
      return answer === undefined ? usual?.(...args) : answer
    }
    return {
      async use(message: string) {
        let captured
        try {
          captured = captureConsole({ stream, exitTimeoutMillis: 50, onDiagnostic() {} })
        } catch (error) {
          // An error thrown by a stream during configuration propagates to the caller.
          if ((error as Error).message !== 'user') throw error
          return
        }
        console.log(message)
        await captured.release({ timeoutMillis: 50 })
      },
      arrived: () => messagesOf(lines),
    }
  },
})

/** An AWS Lambda handler that flushes a logger with the hook as a method. */
const withLambda = (method: 'flush' | 'flushSync') => ({
  build(hook: Hook) {
    const lines: string[] = []
    const logger = { flush: async () => {}, flushSync() {}, [method]: hook }
    const handle = (message: string): any => {
      lines.push(message)
      return method === 'flush' ? Promise.resolve() : true
    }
    const handler = withFlush(handle, { loggers: [logger], timeoutMillis: 20 })
    return { use: (message: string) => handler(message), arrived: () => messagesOf(lines) }
  },
})

/** Callbacks of request logs, the console, AWS Lambda and child processes. */
export const otherCases: readonly CallbackCase[] = [
  {
    name: 'requestLog level',
    members: ['RequestLogOptions.level'],
    returns: () => 'warn',
    ...withRequest((level) => ({ level })),
  },
  {
    name: 'requestLog attributes',
    members: ['RequestLogOptions.attributes'],
    returns: () => ({ a: 1 }),
    ...withRequest((attributes) => ({ attributes })),
  },
  {
    name: 'requestLog trustRequestId',
    members: ['RequestLogOptions.trustRequestId'],
    returns: () => true,
    ...withRequest((trustRequestId) => ({ trustRequestId })),
  },
  {
    name: 'requestLog generateRequestId',
    members: ['RequestLogOptions.generateRequestId'],
    returns: () => 'id',
    ...withRequest((generateRequestId) => ({ generateRequestId })),
  },
  {
    name: 'requestLog ignore',
    members: ['RequestLogOptions.ignore'],
    returns: () => false,
    ...withRequest((ignore) => ({ ignore })),
  },
  {
    name: 'requestLog sample',
    members: ['RequestLogOptions.sample'],
    returns: () => 1,
    ...withRequest((sample) => ({ sample })),
  },
  {
    name: 'requestLog message',
    members: ['RequestLogOptions.message'],
    returns: () => undefined,
    ...withRequest((message) => ({ message })),
  },
  {
    name: 'requestLog slowMillis',
    members: ['RequestLogOptions.slowMillis'],
    returns: () => 1_000,
    ...withRequest((slowMillis) => ({ slowMillis })),
  },
  {
    name: 'requestLog requestBody',
    members: ['RequestLogOptions.requestBody'],
    returns: () => false,
    ...withRequest((requestBody) => ({ requestBody })),
  },
  {
    name: 'requestLog responseBody',
    members: ['RequestLogOptions.responseBody'],
    returns: () => false,
    ...withRequest((responseBody) => ({ responseBody })),
  },
  {
    name: 'request header',
    members: ['HttpRequest.header'],
    ...withRequest(
      () => ({}),
      (header) => ({ header }),
    ),
  },
  {
    name: 'response header',
    members: ['HttpResponse.header'],
    ...withRequest(
      () => ({}),
      undefined,
      (header) => ({ header }),
    ),
  },
  { name: 'captureConsole stream write', members: ['TextStream.write'], ...withConsole('write') },
  { name: 'captureConsole stream on', members: ['TextStream.on'], ...withConsole('on') },
  { name: 'captureConsole stream once', members: ['TextStream.once'], ...withConsole('once', () => false) },
  {
    name: 'captureConsole stream removeListener',
    members: ['TextStream.removeListener'],
    ...withConsole('removeListener', () => false),
  },
  {
    name: 'captureConsole stream getColorDepth',
    members: ['TextStream.getColorDepth'],
    returns: () => 1,
    ...withConsole('getColorDepth'),
  },
  {
    name: 'consoleExporter console method',
    members: [],
    build(hook) {
      const lines: string[] = []
      const { info } = console
      console.info = (line: string) => {
        lines.push(line)
        return hook(line)
      }
      const logger = createLogger({ exporter: consoleExporter(), onDiagnostic() {} })
      console.info = info
      return {
        async use(message) {
          logger.info(message)
          await logger.flush()
        },
        arrived: () => messagesOf(lines),
        log: (message) => logger.info(message),
      }
    },
  },
  { name: 'withFlush logger flush', members: ['FlushedLogger.flush'], ...withLambda('flush') },
  { name: 'withFlush logger flushSync', members: ['FlushedLogger.flushSync'], ...withLambda('flushSync') },
  {
    name: 'withFlush callback',
    members: [],
    build(hook) {
      const lines: string[] = []
      const handler = withFlush((message: string, _context: object, done: (error: null) => void) => {
        lines.push(message)
        done(null)
      })
      return { use: (message) => handler(message, {}, hook), arrived: () => messagesOf(lines) }
    },
  },
  {
    name: 'childProcessLogger onDone',
    members: ['ChildProcessLogger.onDone(listener)'],
    build(hook) {
      const lines: string[] = []
      return {
        async use(message) {
          const logger = childProcessLogger({ path: temporaryFile() }, { onDiagnostic() {} })
          logger.onDone(hook).onDone(() => void lines.push(message))
          logger.log(message)
          await logger.done({ timeoutMillis: 900 })
        },
        arrived: () => messagesOf(lines),
      }
    },
  },
]
