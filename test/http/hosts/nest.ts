import 'reflect-metadata'
import { Readable } from 'node:stream'
import type { Server } from 'node:http'
import {
  Body,
  Controller,
  Get,
  HttpCode,
  HttpException,
  Module,
  Param,
  Post,
  StreamableFile,
  type Type,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { nestLogger, requestLog } from '../../../src/entries/nest.ts'
import { Refusal, type Host, type RouteHandlers } from '../host.ts'
import { listening } from './listening.ts'

export const nest: Host = {
  name: 'NestJS 11 on express',
  routes: true,
  // Nest handles errors itself and logs them with its own logger.
  errors: false,
  bodies: true,
  async start(options, handlers) {
    const log = requestLog(options)
    const app = await NestFactory.create(moduleOf(handlers), {
      logger: nestLogger(options.logger),
      abortOnError: false,
    })
    app.use(log)
    await app.listen(0, '127.0.0.1')
    return { ...(await listening(app.getHttpServer() as Server)), stats: log.stats }
  },
}

/** Applies decorators as functions, because Node strips types but does not compile decorators. */
function moduleOf(handlers: RouteHandlers): Type {
  class AppController {
    readonly handlers = handlers
    order(id: string): Promise<string> {
      return this.handlers.order(id)
    }
    place(body: unknown): Promise<string> {
      return this.handlers.place(body)
    }
    fails(): Promise<never> {
      return this.handlers.fail()
    }
    async refused(): Promise<never> {
      try {
        return await this.handlers.refuse()
      } catch (error) {
        throw new HttpException('failed', (error as Refusal).status)
      }
    }
    slow(): Promise<string> {
      return this.handlers.slow()
    }
    stream(): StreamableFile {
      return new StreamableFile(Readable.from(this.handlers.stream(), { objectMode: false }))
    }
    unchanged(): Promise<void> {
      return this.handlers.unchanged()
    }
  }
  Controller()(AppController)
  const route = (name: keyof AppController, ...decorators: MethodDecorator[]): void => {
    const descriptor = Object.getOwnPropertyDescriptor(AppController.prototype, name)!
    for (const decorate of decorators) decorate(AppController.prototype, name, descriptor)
  }
  route('order', Get('orders/:id'))
  Param('id')(AppController.prototype, 'order', 0)
  route('place', Post('orders'))
  Body()(AppController.prototype, 'place', 0)
  route('fails', Get('fails'))
  route('refused', Get('refused'))
  route('slow', Get('slow'))
  route('stream', Get('stream'))
  route('unchanged', Get('unchanged'), HttpCode(304))
  class AppModule {
    readonly name = 'of the suite'
  }
  Module({ controllers: [AppController] })(AppModule)
  return AppModule
}
