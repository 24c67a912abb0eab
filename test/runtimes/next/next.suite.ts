import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { fakeCollector, type FakeCollector } from '../../support/fake-collector.ts'
import { until } from '../../support/until.ts'
import { parsed } from '../suite.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))
const next = join(folder, 'node_modules/next/dist/bin/next')
const buildMillis = 180_000

let collector: FakeCollector
let server: ChildProcess
let said = ''
let url = ''

beforeAll(async () => {
  collector = await fakeCollector()
  rmSync(join(folder, '.next'), { recursive: true, force: true })
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production', OTLP_URL: collector.url }
  await promisify(execFile)(process.execPath, [next, 'build'], { cwd: folder, env, timeout: buildMillis })
  server = spawn(process.execPath, [next, 'start', '-p', '0', '-H', '127.0.0.1'], { cwd: folder, env })
  server.stdout!.setEncoding('utf8').on('data', (text: string) => (said += text))
  server.stderr!.setEncoding('utf8').on('data', (text: string) => (said += text))
  await until(() => /Ready in/.test(said) && /http:\/\/127\.0\.0\.1:\d+/.test(said), 30_000)
  url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)![0]
}, buildMillis + 30_000)

afterAll(async () => {
  server?.kill('SIGKILL')
  rmSync(join(folder, '.next'), { recursive: true, force: true })
  await collector?.close()
})

/** What stands on the standard output beside Next's own words. */
function lines(): ReturnType<typeof parsed> {
  return parsed(said.replaceAll(/^(?!\{).*\n?/gm, ''))
}

test('a route of Node logs by the logger that instrumentation.js made, in the context of its request', async () => {
  const ledgers = await Promise.all(
    Array.from({ length: 50 }, async (_, seq) => (await fetch(`${url}/order?seq=${seq}`)).json()),
  )
  await until(() => lines().length === 51)
  expect(said).not.toContain('canary')
  expect(lines()[0]).toMatchObject({ message: 'registered', 'otel.scope.name': 'next' })
  const orders = lines().slice(1)
  expect(orders.map(({ attributes }) => Number(attributes['seq'])).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 50 }, (_, seq) => seq),
  )
  for (const { attributes } of orders) {
    expect(attributes).toMatchObject({ tenant: 'acme', card: { number: '[REDACTED]' } })
  }
  for (const { emitted, written, queued } of ledgers as Record<string, number>[]) {
    expect(written! + queued!).toBe(emitted)
  }
})

test('a route of the edge sends by fetch', async () => {
  const answer: unknown = await (await fetch(`${url}/edge`)).json()
  expect(answer).toEqual({ ok: true, pending: 0, dropped: 0 })
  expect(collector.sequence).toEqual([7])
  expect(collector.received[0]!.body.toString()).not.toContain('canary')
})

test('a page of the client has the core in it, and is rendered', async () => {
  const page = await (await fetch(url)).text()
  expect(page).toContain('order</button>')
  const scripts = [...page.matchAll(/src="(\/_next\/[^"]+\.js[^"]*)"/g)].map(([, path]) => path!)
  const texts = await Promise.all(scripts.map(async (path) => (await fetch(url + path)).text()))
  expect(texts.join('')).toContain('sluice/v1/')
})

test('a server that is told to end has written all that was logged', async () => {
  const before = lines().length
  await Promise.all(Array.from({ length: 20 }, (_, seq) => fetch(`${url}/order?seq=${seq}`)))
  server.kill('SIGTERM')
  await once(server, 'close')
  expect(lines()).toHaveLength(before + 20)
})
