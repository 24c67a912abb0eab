// Checked by the compiler only: the levels handler can be mounted in each framework without a cast.
import { createServer } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import { expectTypeOf } from 'expect-type'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'
import {
  levelControl,
  levelsHandler,
  toggleLevelsOnSignal,
  type LevelChange,
  type LevelsHandlerOptions,
} from '../../src/entries/level-control.ts'

const levels = levelsHandler({ token: 'a' })

// Servers
createServer(levels)
createServer((request, response) => void levels(request, response))
createHttp2Server((request, response) => void levels(request, response))
express().use('/levels', levels).all('/levels', levels)
fastify().all('/levels', levels)
new Hono().all('/levels', levels)
new Hono().all('/levels', (context) => levels(context.req.raw))
new Koa().use(levels)
const serve = (_handler: (request: Request) => Response | Promise<Response>): void => {}
serve(levels)
const serveDeno = (
  _handler: (request: Request, info: { remoteAddr: { hostname: string } }) => Promise<Response>,
): void => {}
serveDeno(levels)
expectTypeOf(levels(new Request('http://localhost/'))).toEqualTypeOf<Promise<Response>>()
// @ts-expect-error not a request
void levels('/levels')

// Options
export const options: LevelsHandlerOptions = { token: [{ token: 'a', label: 'b' }] as const }
// @ts-expect-error no token
levelsHandler({})
// @ts-expect-error a variable that can be missing
levelsHandler({ token: process.env.TOKEN })
// @ts-expect-error a token without a label
levelsHandler({ token: [{ token: 'a' }] })
// @ts-expect-error unknown option
levelsHandler({ token: 'a', path: '/levels' })

// Control
expectTypeOf(levelControl().set('db.*=debug', { forMillis: 1 })).toEqualTypeOf<LevelChange>()
// @ts-expect-error a bare duration
levelControl().set('db.*=debug', 600_000)
// @ts-expect-error unknown source
levelControl().set('db.*=debug', { source: 'cli' })
expectTypeOf(levelControl().describe().layers[0]!.remainingMillis).toEqualTypeOf<number | undefined>()

// Signals
toggleLevelsOnSignal('SIGUSR2', '*=debug', { forMillis: Infinity }).stop()
// @ts-expect-error a signal that ends the process
toggleLevelsOnSignal('SIGTERM', '*=debug')
// @ts-expect-error no directives
toggleLevelsOnSignal('SIGUSR2')
