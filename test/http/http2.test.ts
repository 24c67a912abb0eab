import { expect, test } from '@jest/globals'
import { once } from 'node:events'
import {
  connect,
  constants,
  createServer,
  type ClientHttp2Stream,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import { requestLog } from '../../src/entries/node.ts'
import { captureLogs, type CapturedRecord } from '../../src/entries/testing.ts'
import { waitUntil } from '../support/wait-until.ts'
import { endsOf } from './suite.ts'

type Handler = (request: Http2ServerRequest, response: Http2ServerResponse) => void

/** Returns the record of one HTTP/2 request; `client` reads, cancels or leaves the stream. */
async function recordOf(handler: Handler, client: (stream: ClientHttp2Stream) => void): Promise<CapturedRecord> {
  using logs = captureLogs()
  const log = requestLog({ logger: logs.logger })
  const server = log.wrap(createServer(handler))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  session.on('error', () => {})
  client(session.request().on('error', () => {}))
  await waitUntil(() => endsOf(logs).length > 0)
  session.destroy()
  await new Promise((resolve) => server.close(resolve))
  expect(endsOf(logs)).toHaveLength(1)
  expect(log.stats()).toMatchObject({ requests: 1, open: 0 })
  return endsOf(logs)[0]!
}

const reads = (stream: ClientHttp2Stream): unknown => stream.resume()
const cancels = (stream: ClientHttp2Stream): unknown =>
  stream.once('data', () => stream.close(constants.NGHTTP2_CANCEL))
const leaves = (stream: ClientHttp2Stream): unknown => stream.once('data', () => stream.session!.destroy())

// Larger than the flow control window of the client.
const large = Buffer.alloc(20_000_000)

test.each<[string, Handler, (stream: ClientHttp2Stream) => unknown, object]>([
  ['is read to its end', (_, response) => void response.end(large), reads, { 'http.response.status_code': 200 }],
  [
    'is written to its stream',
    (_, { stream }) => {
      stream.respond({ ':status': 418 })
      stream.end('short')
    },
    reads,
    { 'http.response.status_code': 418 },
  ],
  [
    'is a file sent by its stream',
    (_, { stream }) => stream.respondWithFile(import.meta.filename),
    reads,
    { 'http.response.status_code': 200 },
  ],
  [
    'has only headers',
    (_, { stream }) => stream.respond({ ':status': 204 }, { endStream: true }),
    reads,
    { 'http.response.status_code': 204 },
  ],
])('an HTTP/2 response that %s is logged as completed', async (_, handler, client, attributes) => {
  const record = await recordOf(handler, client)
  expect(record).toMatchObject({ level: 'info', message: expect.stringMatching(/ [\d.]+m?s$/), attributes })
  expect(record.attributes).not.toHaveProperty(['error.type'])
})

test.each<[string, Handler, (stream: ClientHttp2Stream) => unknown, object]>([
  ['whose client cancels it', (_, response) => void response.end(large), cancels, { 'http.response.status_code': 200 }],
  ['whose client disconnects', (_, response) => void response.end(large), leaves, { 'http.response.status_code': 200 }],
  [
    'that its client cancels before the end',
    (_, response) => void response.write('a part'),
    cancels,
    { 'http.response.status_code': 200 },
  ],
  [
    'that the server resets after a part',
    (_, { stream }) => {
      stream.respond({ ':status': 206 })
      stream.write('a part')
      stream.close(constants.NGHTTP2_INTERNAL_ERROR)
    },
    reads,
    { 'http.response.status_code': 206 },
  ],
  [
    'that is destroyed before its headers are sent',
    (_, { stream }) => stream.on('error', () => {}).destroy(new Error('x')),
    reads,
    {},
  ],
])('an HTTP/2 response %s is logged as aborted', async (_, handler, client, attributes) => {
  const record = await recordOf(handler, client)
  expect(record).toMatchObject({ level: 'warn', message: expect.stringMatching(/ aborted /) })
  expect(record.attributes).toMatchObject({ 'error.type': 'aborted', ...attributes })
})
