import { createOrdersCheck } from './orders/check.ts'
import { startExpress, startExpressWithOwn } from './orders/express.ts'
import { startFastify, startFastifyWithLogger, startFastifyWithOwn } from './orders/fastify.ts'
import { startHono } from './orders/hono.ts'
import { startKoa } from './orders/koa.ts'
import { startNest, startNestWithOwn } from './orders/nest.ts'
import { startNode } from './orders/node.ts'
import { ordersService, urls } from './orders/orders.ts'
import { recordsOfChildren, recordsOfOneLogger, type RequestRecords } from './orders/records.ts'
import { asciiUploads, twoByteUploads } from './uploads/service.ts'
import type { Running, Service } from './service.ts'
import type { Framework, Log, RequestLog } from '../../subjects/subject.ts'

/** One logger or a request logger writes two records per request. */
function twoRecords(
  framework: Framework,
  start: (records: RequestRecords) => Promise<Running>,
  startWithOwn: (own: RequestLog) => Promise<Running>,
): Service {
  return ordersService(
    2,
    async (log) => {
      const own = await log?.requestLog?.(framework, 2)
      if (own === undefined) return start(recordsOfOneLogger(log))
      return { ...(await startWithOwn(own)), shape: own.shape }
    },
    (shape) => createOrdersCheck(urls, shape),
  )
}

/** A server that creates a child logger for each request and logs two records. */
function childPerRequest(start: (records: RequestRecords) => Promise<Running>): Service {
  return ordersService(
    2,
    (log) => start(recordsOfChildren(withLogger(log))),
    () => createOrdersCheck(urls, undefined, true),
  )
}

/** The request logger of the subject for a framework. Without logging there is no middleware. */
function requestLog(
  framework: Framework,
  records: 1 | 2,
  start: (own: RequestLog | undefined) => Promise<Running>,
): Service {
  return ordersService(
    records,
    async (log) => {
      const own = await log?.requestLog?.(framework, records)
      if (log !== undefined && own === undefined) throw new Error(`the subject has no request logger for ${framework}`)
      return { ...(await start(own)), shape: own?.shape }
    },
    (shape) => createOrdersCheck(urls, shape),
  )
}

/** The child loggers and records of fastify. */
const fastifyLogger: Service = ordersService(
  2,
  (log) => startFastifyWithLogger(withLogger(log)?.logger),
  () => createOrdersCheck(urls),
)

function withLogger(log: Log | undefined): Log | undefined {
  if (log !== undefined && log.logger === undefined) throw new Error('the subject has no child loggers')
  return log
}

export const services = {
  fastify: twoRecords('fastify', startFastify, startFastifyWithOwn),
  express: twoRecords('express', startExpress, startExpressWithOwn),
  'fastify-child': fastifyLogger,
  'express-child': childPerRequest(startExpress),
  'nest-child': childPerRequest(startNest),
  'node-request-log': requestLog('node', 1, startNode),
  'express-request-log': requestLog('express', 1, startExpressWithOwn),
  'fastify-request-log': requestLog('fastify', 2, startFastifyWithOwn),
  'koa-request-log': requestLog('koa', 1, startKoa),
  'hono-request-log': requestLog('hono', 2, startHono),
  'nest-request-log': requestLog('nest', 1, startNestWithOwn),
  'csv-ascii': asciiUploads,
  'csv-two-byte': twoByteUploads,
} as const satisfies Readonly<Record<string, Service>>

export type ServiceName = keyof typeof services

export const serviceOf = (name: ServiceName): Service => services[name]
