import { describe, expect, test } from '@jest/globals'
import { runModule, importOf } from '../support/processes/child.ts'

/** Returns a program with a server that gets one request, for which it runs `end`. */
const server = (end: string): string =>
  `${importOf('{ createLogger }', 'src/entries/index.ts')}
   ${importOf('{ requestLog }', 'src/entries/node.ts')}
   import { createServer, get } from 'node:http'
   import { writeSync } from 'node:fs'
   const logger = createLogger()
   const log = requestLog({ logger })
   const server = log.wrap(createServer((request, response) => { ${end} }))
   server.listen(0, '127.0.0.1', () => get({ port: server.address().port, path: '/orders/17' }).on('error', () => {}))`

const linesOf = (stdout: string) =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { message: string; level: string; attributes: Record<string, unknown> })

describe('open requests at process exit', () => {
  test.each([
    ['by a signal without a listener', `writeSync(1, 'ready\\n')`, 'SIGTERM' as const],
    ['by process.exit', `process.exit(3)`, undefined],
    [
      'by a signal whose listener exits',
      `process.on('SIGTERM', () => process.exit(0)); writeSync(1, 'ready\\n')`,
      'SIGTERM' as const,
    ],
  ])('an open request is logged as aborted when the process ends %s', async (_, end, signal) => {
    const { stdout, stderr } = await runModule(server(end), { signal })
    const lines = linesOf(stdout)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({
      level: 'warn',
      message: expect.stringMatching(/^GET \/orders\/17 aborted by exit /),
      attributes: { 'error.type': 'process_exit', 'url.path': '/orders/17' },
    })
    expect(stderr).not.toContain('SLUICE')
  })

  test('an open request is logged with the uncaught error that ends the process', async () => {
    const { stdout, code } = await runModule(server(`throw new TypeError('no order')`))
    expect(code).toBe(1)
    expect(linesOf(stdout)).toEqual([
      expect.objectContaining({
        level: 'error',
        attributes: expect.objectContaining({ 'exception.message': 'no order', 'error.type': 'TypeError' }),
      }),
    ])
  })
})

test('an open request is logged at exit with an exporter that does not write immediately', async () => {
  const { stdout } = await runModule(
    `${importOf('{ createLogger }', 'src/entries/index.ts')}
     ${importOf('{ jsonLines }', 'src/entries/exporters.ts')}
     ${importOf('{ createRequestLog }', 'src/entries/http.ts')}
     import { writeSync } from 'node:fs'
     const write = (batch) => { writeSync(1, batch.text()); return { status: 'accepted' } }
     const exporter = {
       name: 'late', delivery: {}, encoding: jsonLines(), schedule: { delayMillis: 60_000 },
       export: async (batch) => write(batch), exportSync: write,
     }
     const logger = createLogger({ exporter })
     createRequestLog({ logger }).begin({ method: 'GET', url: '/late', header: () => undefined })
     setTimeout(() => {}, 60_000)
     writeSync(1, 'ready\\n')`,
    { signal: 'SIGTERM' },
  )
  expect(linesOf(stdout).map(({ attributes }) => attributes['url.path'])).toEqual(['/late'])
})

test('a request that is answered after a signal is logged as completed', async () => {
  const stop = `process.on('SIGTERM', () => { response.end('done'); server.close() }); writeSync(1, 'ready\\n')`
  const { stdout, code } = await runModule(server(stop), { signal: 'SIGTERM' })
  expect(code).toBe(0)
  expect(linesOf(stdout)).toEqual([
    expect.objectContaining({
      message: expect.stringMatching(/^GET \/orders\/17 200 /),
      attributes: expect.objectContaining({ 'http.response.status_code': 200 }),
    }),
  ])
})

test('process listeners are removed when the last request has ended and the last logger is shut down', async () => {
  const { stdout } = await runModule(
    `${importOf('{ createLogger }', 'src/entries/index.ts')}
     ${importOf('{ createRequestLog }', 'src/entries/http.ts')}
     const logger = createLogger()
     const log = createRequestLog({ logger })
     const scope = log.begin({ method: 'GET', url: '/', header: () => undefined })
     await logger.shutdown()
     const during = process.listenerCount('exit')
     scope.end({ statusCode: 200 })
     console.log([during, process.listenerCount('exit'), process.listenerCount('SIGTERM')].join())`,
  )
  expect(stdout).toBe('1,0,0\n')
})
