import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { fakeCollector, type FakeCollector } from '../../support/otlp/fake-collector.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { parsed } from '../suite.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))
const next = join(folder, 'node_modules/next/dist/bin/next')
const buildMillis = 180_000

let collector: FakeCollector
let server: ChildProcess
let output = ''
let url = ''

beforeAll(async () => {
  collector = await fakeCollector()
  rmSync(join(folder, '.next'), { recursive: true, force: true })
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production', OTLP_URL: collector.url }
  await promisify(execFile)(process.execPath, [next, 'build'], { cwd: folder, env, timeout: buildMillis })
  server = spawn(process.execPath, [next, 'start', '-p', '0', '-H', '127.0.0.1'], { cwd: folder, env })
  server.stdout!.setEncoding('utf8').on('data', (text: string) => (output += text))
  server.stderr!.setEncoding('utf8').on('data', (text: string) => (output += text))
  await waitUntil(() => /Ready in/.test(output) && /http:\/\/127\.0\.0\.1:\d+/.test(output), 30_000)
  url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)![0]
}, buildMillis + 30_000)

afterAll(async () => {
  server?.kill('SIGKILL')
  rmSync(join(folder, '.next'), { recursive: true, force: true })
  await collector?.close()
})

/** Returns the parsed log lines, without Next's own output. */
function lines(): ReturnType<typeof parsed> {
  return parsed(output.replaceAll(/^(?!\{).*\n?/gm, ''))
}

// The records of the request log, and all others.
const requests = () => lines().filter(({ message }) => /^(?:GET|request) /.test(String(message)))
const requestRecord = (text: RegExp, id: string) =>
  requests().find(({ message, attributes }) => text.test(String(message)) && attributes['request.id'] === id)
const others = () => lines().filter(({ message }) => !/^(?:GET|request) /.test(String(message)))

test('a Node route logs with the logger of instrumentation.js in the context of its request', async () => {
  const allStats = await Promise.all(
    Array.from({ length: 50 }, async (_, seq) => (await fetch(`${url}/order?seq=${seq}`)).json()),
  )
  await waitUntil(() => others().length === 51)
  expect(output).not.toContain('canary')
  expect(others()[0]).toMatchObject({ message: 'registered', 'otel.scope.name': 'next' })
  const orders = others().slice(1)
  expect(orders.map(({ attributes }) => Number(attributes['seq'])).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 50 }, (_, seq) => seq),
  )
  for (const { attributes } of orders) {
    expect(attributes).toMatchObject({ tenant: 'acme', card: { number: '[REDACTED]' } })
  }
  for (const { emitted, written, queued } of allStats as Record<string, number>[]) {
    expect(written! + queued!).toBe(emitted)
  }
})

test('register logs every request of the server, and records logged during a request have its attributes', async () => {
  const before = requests().length
  await (await fetch(`${url}/order?seq=7`, { headers: { 'x-request-id': 'r-next' } })).json()
  await waitUntil(() => requests().length === before + 1)
  expect(requests().at(-1)).toMatchObject({
    level: 'info',
    message: expect.stringMatching(/^GET \/order 200 /),
    attributes: { 'request.id': 'r-next', 'url.path': '/order', 'http.response.status_code': 200 },
  })
  expect(others().at(-1)!.attributes).toMatchObject({ 'request.id': 'r-next', 'http.request.method': 'GET', seq: 7 })
})

test('onRequestError logs an error thrown by a route with the attributes of the request', async () => {
  expect((await fetch(`${url}/fails`, { headers: { 'x-request-id': 'r-fails' } })).status).toBe(500)
  await waitUntil(
    () =>
      requestRecord(/^request error/, 'r-fails') !== undefined &&
      requestRecord(/^GET \/fails 500 /, 'r-fails') !== undefined,
  )
  const error = requestRecord(/^request error/, 'r-fails')
  const end = requestRecord(/^GET \/fails 500 /, 'r-fails')
  expect(error!.attributes).toMatchObject({
    'url.path': '/fails',
    'http.route': '/fails',
    'exception.type': 'RangeError',
    'exception.message': 'no such order',
  })
  expect(end!.attributes).toMatchObject({ 'url.path': '/fails', 'http.response.status_code': 500 })
})

test('an edge route exports with fetch, and its requests are logged when it is wrapped in a request log', async () => {
  const response = await fetch(`${url}/edge`)
  expect(await response.json()).toEqual({ ok: true, pending: 0, dropped: 0 })
  expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  await waitUntil(() =>
    collector.received
      .map(({ body }) => body.toString())
      .join('')
      .includes('/edge 200 '),
  )
  expect(collector.sequence).toContain(7)
  const bodies = collector.received.map(({ body }) => body.toString())
  const id = response.headers.get('x-request-id')!
  expect(bodies.every((body) => body.includes(id))).toBe(true)
  expect(bodies.join('')).not.toContain('canary')
})

test('a client page includes sluice/core and is rendered', async () => {
  const page = await (await fetch(url)).text()
  expect(page).toContain('order</button>')
  const scripts = [...page.matchAll(/src="(\/_next\/[^"]+\.js[^"]*)"/g)].map(([, path]) => path!)
  const texts = await Promise.all(scripts.map(async (path) => (await fetch(url + path)).text()))
  expect(texts.join('')).toContain('sluice/v1/')
})

test('a server that receives SIGTERM writes all records before it ends', async () => {
  const before = others().length
  await Promise.all(Array.from({ length: 20 }, (_, seq) => fetch(`${url}/order?seq=${seq}`)))
  server.kill('SIGTERM')
  await once(server, 'close')
  expect(others()).toHaveLength(before + 20)
})
