import { describe, expect, test } from '@jest/globals'
import { Hono } from 'hono'
import { requestLog as honoRequestLog } from '../../src/entries/hono.ts'
import { requestLog, type RequestLogOptions } from '../../src/entries/http.ts'
import { captureLogs, type CapturedRecord } from '../../src/entries/testing.ts'
import { waitUntil } from '../support/wait-until.ts'
import { endsOf } from './suite.ts'

type Handler = (request: Request) => Response | Promise<Response>

/** The handlers of one response, each with the request log around it. */
const wrappers: [string, (options: RequestLogOptions, handler: Handler) => (request: Request) => Promise<Response>][] =
  [
    ['a handler of fetch', (options, handler) => requestLog(options)(handler)],
    [
      'hono',
      (options, handler) => {
        const app = new Hono()
        app.use(honoRequestLog(options))
        app.all('*', (context) => handler(context.req.raw))
        return async (request) => app.fetch(request)
      },
    ],
  ]

const content = 'http.response.body.content'
const size = 'http.response.body.size'

describe.each(wrappers)('the body of a response of %s', (_, wrap) => {
  /** Calls a handler, and returns the record once the function has done with the response what a runtime does. */
  async function recordOf(
    handler: Handler,
    consume: (response: Response) => unknown,
    init?: RequestInit,
  ): Promise<CapturedRecord> {
    using logs = captureLogs({ redact: { patterns: ['email'] } })
    const handle = wrap({ logger: logs.logger, responseBody: true }, handler)
    await consume(await handle(new Request('http://localhost/orders', init)))
    await waitUntil(() => endsOf(logs).length > 0)
    await new Promise(setImmediate)
    expect(endsOf(logs)).toHaveLength(1)
    return endsOf(logs)[0]!
  }

  const order = { item: 'pen', mail: 'canary@example.com', password: 'canary' }
  const redacted = { item: 'pen', mail: '[REDACTED]', password: '[REDACTED]' }

  test('is logged, redacted, and received unchanged', async () => {
    const answer = (): Response => Response.json(order, { status: 201, headers: { 'x-a': 'b' } })
    const record = await recordOf(answer, async (response) => {
      expect(response.status).toBe(201)
      expect(Object.fromEntries(response.headers)).toEqual({ 'content-type': 'application/json', 'x-a': 'b' })
      expect(await response.json()).toEqual(order)
    })
    expect(record.attributes).toMatchObject({ [content]: redacted, [size]: JSON.stringify(order).length })
    expect(record.attributes['http.response.status_code']).toBe(201)
    expect(record.line).not.toContain('canary')
  })

  test('is logged next to the header with the request ID', async () => {
    using logs = captureLogs()
    const handle = wrap({ logger: logs.logger, responseBody: true, echoRequestId: true }, () => Response.json([1]))
    const response = await handle(new Request('http://localhost/orders'))
    expect(await response.json()).toEqual([1])
    await waitUntil(() => endsOf(logs).length > 0)
    const [end] = endsOf(logs)
    expect(response.headers.get('x-request-id')).toBe(end!.attributes['request.id'])
    expect(end!.attributes[content]).toEqual([1])
  })

  test('is read no earlier than the runtime reads it', async () => {
    const reads: number[] = []
    const pulled = new ReadableStream(
      {
        pull(controller) {
          reads.push(reads.length)
          controller.enqueue(new Uint8Array(10))
        },
      },
      { highWaterMark: 0 },
    )
    await recordOf(
      () => new Response(pulled),
      async ({ body }) => {
        const reader = body!.getReader()
        await new Promise(setImmediate)
        expect(reads).toHaveLength(0)
        await reader.read()
        expect(reads).toHaveLength(1)
        await reader.cancel()
      },
    )
  })

  test('marks the record as aborted if the runtime stops reading, which the handler sees', async () => {
    let reason: unknown
    const endless = (): Response =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new TextEncoder().encode('canary')),
          cancel: (given) => void (reason = given),
        }),
        { headers: { 'content-type': 'text/plain' } },
      )
    const record = await recordOf(endless, async ({ body }) => {
      const reader = body!.getReader()
      await reader.read()
      await reader.cancel('gone')
    })
    expect(reason).toBe('gone')
    expect(record).toMatchObject({ level: 'warn', attributes: { 'error.type': 'aborted', [content]: '[Incomplete]' } })
  })

  test('marks the record as aborted if the client disconnects before it is read', async () => {
    const client = new AbortController()
    const record = await recordOf(
      () => Response.json(order),
      () => client.abort(),
      { signal: client.signal },
    )
    expect(record.attributes['error.type']).toBe('aborted')
  })

  test('marks the record as aborted if the stream fails, and passes the error on', async () => {
    const record = await recordOf(
      () => new Response(new ReadableStream({ pull: (controller) => controller.error(new Error('disk')) })),
      (response) => expect(response.text()).rejects.toThrow('disk'),
    )
    expect(record.attributes['error.type']).toBe('aborted')
  })

  test.each<[string, () => Response, RequestInit]>([
    ['has no content', () => new Response(null, { status: 204 }), {}],
    ['is compressed', () => new Response('canary', { headers: { 'content-encoding': 'gzip' } }), {}],
    ['answers a HEAD request', () => Response.json(order), { method: 'HEAD' }],
  ])('is not logged, and the request is complete at once, if the response %s', async (_title, answer, init) => {
    const record = await recordOf(answer, () => {}, init)
    expect(Object.keys(record.attributes).filter((name) => name.includes('body'))).toEqual([])
    expect(record.level).toBe('info')
  })

  test('is not logged if the program has read it already, and the response is returned as it is', async () => {
    const record = await recordOf(
      async () => {
        const response = Response.json(order)
        await response.text()
        return response
      },
      () => {},
    )
    expect(record.attributes).not.toHaveProperty([content])
  })
})
