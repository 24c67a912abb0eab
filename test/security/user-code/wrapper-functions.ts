import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { requestLog as expressLog } from '../../../src/entries/express.ts'
import { requestLog as fastifyLog } from '../../../src/entries/fastify.ts'
import { requestLog as honoLog } from '../../../src/entries/hono.ts'
import { createRequestLog, requestLog as fetchLog } from '../../../src/entries/http.ts'
import { createLogger, withContext } from '../../../src/entries/index.ts'
import { requestLog as koaLog } from '../../../src/entries/koa.ts'
import { withFlush } from '../../../src/entries/lambda.ts'
import { requestLog as nodeLog } from '../../../src/entries/node.ts'
import { readLogs, type ReadLogsOptions } from '../../../src/entries/read.ts'
import type { Hook } from './harness.ts'

/** A function that runs a function of its caller and propagates the result and errors. */
export interface WrapperFunction {
  /** The name of the function in the public API. */
  readonly member: string
  /** Whether it returns the result of the function; if false, it returns nothing, as frameworks expect. */
  readonly returns: boolean
  run(fn: Hook): unknown
}

const logger = createLogger({ level: 'silent' })

function messages(): [any, any] {
  const request = new IncomingMessage(new Socket())
  request.method = 'GET'
  request.url = '/'
  return [request, new ServerResponse(request)]
}

function koaContext(): any {
  const [req, res] = messages()
  return { req, res, originalUrl: '/', protocol: 'http', ip: '127.0.0.1' }
}

const honoContext: any = {
  req: { raw: new Request('http://a/') },
  env: {},
  finalized: true,
  res: new Response(),
  set() {},
  header() {},
}

/** Functions that are not called by a log call, so their errors and rejections propagate to the caller. */
export const wrapperFunctions: readonly WrapperFunction[] = [
  { member: 'withContext(fn)', returns: true, run: (fn) => withContext({ a: 1 }, fn) },
  { member: 'withFlush(handler)', returns: true, run: (fn) => withFlush(fn, { loggers: [] })() },
  {
    member: 'RequestScope.run(fn)',
    returns: true,
    run: (fn) =>
      createRequestLog({ logger })
        .begin({ method: 'GET', url: '/', header: () => undefined })
        .run(fn),
  },
  {
    member: 'requestLog()(handler)',
    returns: true,
    run: (fn) => fetchLog({ logger })(fn)(new Request('http://a/') as any),
  },
  { member: 'node requestLog()(next)', returns: true, run: (fn) => nodeLog({ logger })(...messages(), fn) },
  { member: 'koa requestLog()(next)', returns: true, run: (fn) => koaLog({ logger })(koaContext(), fn) },
  { member: 'hono requestLog()(next)', returns: true, run: (fn) => honoLog({ logger })(honoContext, fn) },
  { member: 'express requestLog()(next)', returns: false, run: (fn) => expressLog({ logger })(...messages(), fn) },
  {
    member: 'express ExpressRequestLog.errors(next)',
    returns: false,
    run: (fn) => expressLog({ logger }).errors(new Error('e'), ...messages(), fn),
  },
  {
    member: 'fastify requestLog()(done)',
    returns: false,
    run: (fn) => fastifyLog({ logger })({ addHook() {}, server: { on() {} } }, {}, fn),
  },
  { member: 'ReadLogsOptions.where', returns: false, run: (fn) => readThisFile({ where: fn as () => boolean }) },
  { member: 'ReadLogsOptions.traceOf', returns: false, run: (fn) => readThisFile({ traceOf: fn as () => boolean }) },
  {
    member: 'ReadLogsOptions.onError',
    returns: false,
    run: (fn) => readLogs('/does/not/exist', { onError: fn }).next(),
  },
]

/** Reads this file as lines of text. The error of a function is the cause of one that names the line. */
async function readThisFile(options: ReadLogsOptions): Promise<void> {
  try {
    await readLogs(import.meta.filename, { text: true, ...options }).next()
  } catch (error) {
    throw (error as Error).cause
  }
}
