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
import type { Hook } from './harness.ts'

/** A function that runs a function of the caller, who gets what it throws and what it returns. */
export interface PassedThrough {
  /** Its name in the public API. */
  readonly member: string
  /** Returns what the function of the user returns; false: nothing, as frameworks expect of it. */
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

/** Functions that are not called on behalf of a log call: what they throw or reject with belongs to their caller. */
export const passedThrough: readonly PassedThrough[] = [
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
]
