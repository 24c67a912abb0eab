import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, test } from '@jest/globals'
import { ResponseWriter } from '../../../src/viewer/api/response-writer.ts'

test('a response that waits often for its client has no more listeners than before', async () => {
  const listeners: number[] = []
  const server = createServer(async (_, response) => {
    const writer = new ResponseWriter(response)
    for (let part = 0; part < 12; part++) {
      writer.write('x'.repeat(1_000_000))
      await writer.ready()
      listeners.push(response.listenerCount('close') + response.listenerCount('drain'))
    }
    await writer.close()
  }).listen(0)
  const [response] = (await once(get({ port: (server.address() as AddressInfo).port }), 'response')) as [
    IncomingMessage,
  ]
  const body = await buffer(response)
  server.close()
  expect(body).toHaveLength(12_000_000)
  expect(listeners).toEqual(Array.from({ length: 12 }, () => listeners[0]))
})
