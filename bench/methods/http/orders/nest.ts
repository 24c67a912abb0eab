import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { importRival } from '../../../subjects/rival.ts'
import type { RequestLog } from '../../../subjects/subject.ts'
import type { Running } from '../service.ts'
import { middlewareOf } from './express.ts'
import { order } from './orders.ts'
import type { RequestRecords } from './records.ts'

interface Common {
  Module(options: object): (type: unknown) => void
  Controller(): (type: unknown) => void
  Get(path: string): (prototype: object, name: string, descriptor: PropertyDescriptor) => void
}
interface Core {
  readonly NestFactory: { create(module: unknown, options: object): Promise<Application> }
}
interface Application {
  use(middleware: unknown): void
  listen(port: number, host: string): Promise<unknown>
  getHttpServer(): Server
  close(): Promise<void>
}

/** Logs the records of a request in a middleware of NestJS on express. */
export const startNest = (records: RequestRecords): Promise<Running> =>
  startWith({ middleware: middlewareOf(records) }, records.records)

/** @param own - undefined without logging */
export const startNestWithOwn = (own: RequestLog | undefined): Promise<Running> => startWith(own, () => undefined)

async function startWith(
  own: Pick<RequestLog, 'middleware' | 'modules'> | undefined,
  records: Running['records'],
): Promise<Running> {
  await importRival('reflect-metadata')
  const { NestFactory } = await importRival<Core>('@nestjs/core')
  // Records that NestJS logs at its start are not measured.
  const app = await NestFactory.create(await moduleOf(own?.modules ?? []), { logger: false, abortOnError: false })
  if (own?.middleware !== undefined) app.use(own.middleware)
  await app.listen(0, '127.0.0.1')
  return {
    port: (app.getHttpServer().address() as AddressInfo).port,
    figures: {},
    records,
    async close() {
      app.getHttpServer().closeAllConnections()
      await app.close()
    },
  }
}

/** Decorators are called as functions, because the code is only type-stripped. */
async function moduleOf(imports: readonly unknown[]): Promise<unknown> {
  const { Controller, Get, Module } = await importRival<Common>('@nestjs/common')
  class OrdersController {
    find(): object {
      return order
    }
  }
  Controller()(OrdersController)
  const { prototype } = OrdersController
  Get('orders/:id')(prototype, 'find', Object.getOwnPropertyDescriptor(prototype, 'find')!)
  class AppModule {
    readonly name = 'orders'
  }
  Module({ controllers: [OrdersController], imports })(AppModule)
  return AppModule
}
