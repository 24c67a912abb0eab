import { expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { runModule } from '../support/processes/child.ts'
import { runtimeImportsOf, nodeUses } from '../support/layers.ts'

const sourceOf = (path: string): string => readFileSync(new URL(`../../src/${path}`, import.meta.url), 'utf8')

function reachableFrom(entry: string): string[] {
  const reached = new Set([entry])
  for (const path of reached) for (const next of runtimeImportsOf(path, sourceOf(path))) reached.add(next)
  return [...reached]
}

test.each(['http', 'node', 'express', 'fastify', 'koa', 'hono', 'nest', 'next'])(
  'sluice/%s does not import Node modules statically',
  (entry) => {
    const uses = reachableFrom(`entries/${entry}.ts`).flatMap((path) => nodeUses(path, sourceOf(path)))
    expect(uses.filter((use) => !/^platform\/node\/builtin-module\.ts:\d+ uses the global process/.test(use))).toEqual(
      [],
    )
  },
)

const program = (before: string): string => `
  ${before}
  const { Hono } = await import('hono')
  const { createLogger, consoleExporter } = await import(${JSON.stringify(new URL('../../src/entries/core.ts', import.meta.url).href)})
  const { requestLog } = await import(${JSON.stringify(new URL('../../src/entries/hono.ts', import.meta.url).href)})
  const logger = createLogger({ exporter: consoleExporter() })
  const app = new Hono()
  app.use(requestLog({ logger }))
  app.get('/orders/:id', async (c) => {
    await Promise.resolve()
    logger.info('by the logger')
    c.var.log.info('by the context')
    c.var.request.set({ order: 7 })
    return c.text(c.var.requestId)
  })
  const response = await app.request('https://shop.example/orders/7')
  console.log(await response.text())`

const cwd = new URL('../..', import.meta.url).pathname

test('a sluice/core logger adds the request attributes when AsyncLocalStorage is available', async () => {
  const { stdout, stderr } = await runModule(program(''), { cwd })
  expect(stderr).toBe('')
  const [inside, byContext, end, id] = stdout.trimEnd().split('\n')
  for (const line of [inside, byContext, end]) {
    expect(JSON.parse(line!)).toMatchObject({ attributes: { 'request.id': id, 'url.path': '/orders/7' } })
  }
  expect(JSON.parse(end!)).toMatchObject({ attributes: { 'http.route': '/orders/:id', 'url.scheme': 'https' } })
})

test('the logger of the Hono context adds the request attributes when AsyncLocalStorage is not available', async () => {
  const { stdout, stderr } = await runModule(program('process.getBuiltinModule = undefined'), { cwd })
  expect(stderr).toBe('')
  const [inside, byContext, end, id] = stdout.trimEnd().split('\n')
  expect(JSON.parse(inside!)).not.toHaveProperty('attributes')
  for (const line of [byContext, end]) {
    expect(JSON.parse(line!)).toMatchObject({ attributes: { 'request.id': id, 'url.path': '/orders/7' } })
  }
  expect(JSON.parse(end!)).toMatchObject({ attributes: { order: 7 } })
})

test('`requestOf` returns the request of a fetch handler when AsyncLocalStorage is not available', async () => {
  const { stdout, stderr } = await runModule(
    `process.getBuiltinModule = undefined
     const { createLogger, consoleExporter } = await import(${JSON.stringify(new URL('../../src/entries/core.ts', import.meta.url).href)})
     const { currentRequest, requestLog } = await import(${JSON.stringify(new URL('../../src/entries/http.ts', import.meta.url).href)})
     const log = requestLog({ logger: createLogger({ exporter: consoleExporter() }) })
     const handler = log(async (request) => {
       await Promise.resolve()
       currentRequest().set({ lost: true })
       log.requestOf(request).set({ order: 7 })
       return new Response('done')
     })
     const request = new Request('https://shop.example/orders/7')
     await handler(request)
     log.requestOf({}).set({ lost: true })
     log.requestOf(undefined).set({ lost: true })
     log.requestOf(request).set({ late: 1 })
     await Promise.resolve()`,
    { cwd },
  )
  expect(stderr).toBe('')
  const records = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(records).toMatchObject([{ attributes: { order: 7 } }, { attributes: { late: 1, 'request_log.late': true } }])
  expect(stdout).not.toContain('lost')
})
