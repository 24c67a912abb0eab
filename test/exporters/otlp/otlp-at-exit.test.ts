import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { ExitSender } from '../../../src/exporters/otlp/exit-sender.ts'
import type { PostRequest } from '../../../src/exporters/otlp/http.ts'
import { fakeCollector, neverRespond, type FakeCollector } from '../../support/otlp/fake-collector.ts'
import { waitUntil } from '../../support/wait-until.ts'

let collector: FakeCollector
let sender: ExitSender

beforeEach(async () => {
  collector = await fakeCollector()
  sender = new ExitSender()
})
afterEach(async () => {
  sender.close()
  await collector.close()
})

const request = (timeoutMillis = 5_000): PostRequest => ({
  url: collector.url,
  headers: [['content-type', 'application/json']],
  body: Buffer.from('{"resourceLogs":[]}'),
  tls: {},
  timeoutMillis,
})

test('responses from the worker resolve promises when the event loop runs', async () => {
  const [first, second] = [sender.begin(request()), sender.begin(request())]
  expect([await first.result, await second.result]).toMatchObject([{ status: 200 }, { status: 200 }])
  expect(first.wait(0)).toMatchObject({ status: 200 })
})

test('the deadline of a request begins with the call, not with the start of the worker', async () => {
  collector.respondAlways(neverRespond)
  const start = performance.now()
  expect(await sender.begin(request(400)).result).toMatchObject({ status: undefined, why: 'timed out' })
  expect(performance.now() - start).toBeGreaterThan(390)
})

test('a canceled request may have arrived, and its connection is closed', async () => {
  collector.respondAlways(neverRespond)
  const exchange = sender.begin(request())
  await collector.waitFor(1)
  const expected = { status: undefined, why: 'enough', mayHaveArrived: true }
  expect(exchange.cancel('enough')).toEqual(expected)
  expect(await exchange.result).toEqual(expected)
  await waitUntil(() => collector.connections.size === 0)
})

test('close settles the requests of the worker, and a new worker can be started at once', async () => {
  collector.respondNext(neverRespond)
  const before = sender.begin(request())
  await collector.waitFor(1)
  sender.close()
  expect(await before.result).toMatchObject({ status: undefined, mayHaveArrived: true })
  expect(await sender.begin(request()).result).toMatchObject({ status: 200 })
  await waitUntil(() => collector.connections.size === 1)
  expect(await sender.begin(request()).result).toMatchObject({ status: 200 })
})
