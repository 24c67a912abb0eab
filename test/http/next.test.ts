import { describe, expect, test } from '@jest/globals'
import { Server } from 'node:http'
import { Server as SecureServer } from 'node:https'
import { instrumentation, requestLog } from '../../src/entries/next.ts'
import { captureLogs } from '../../src/entries/testing.ts'

describe('onRequestError', () => {
  const request = { path: '/orders/17?token=canary', method: 'GET' }
  const context = { routerKind: 'App Router', routePath: '/orders/[id]', routeType: 'render' }
  const ofRequest = { 'http.request.method': 'GET', 'url.path': '/orders/17' }
  const ofContext = { 'http.route': '/orders/[id]', 'next.router_kind': 'App Router', 'next.route_type': 'render' }

  test.each([
    ['request and context', [request, context], { ...ofRequest, ...ofContext }],
    ['a request alone', [request], ofRequest],
    ['a context alone', [undefined, context], ofContext],
    ['neither', [], {}],
    ['null for both', [null, null], {}],
    ['a request without a path', [{ method: 'GET' }], { 'http.request.method': 'GET' }],
    ['a path that is not a string', [{ path: 7 }], {}],
  ])('an error that Next.js reports is logged with the available attributes: %s', (_, args, attributes) => {
    using logs = captureLogs()
    const { onRequestError } = instrumentation({ logger: logs.logger })
    const report = onRequestError as (error: unknown, ...args: unknown[]) => void
    report(new RangeError('no such shelf'), ...args)
    expect(logs.records).toHaveLength(1)
    expect(logs.records[0]).toMatchObject({
      level: 'error',
      message: 'request error',
      error: { type: 'RangeError', message: 'no such shelf' },
    })
    expect(logs.records[0]!.attributes).toEqual(attributes)
  })
})

// The same errors as `next/navigation` creates.
const thrown = (digest: string): Error => Object.assign(new Error(digest.split(';')[0]), { digest })

test.each<[string, unknown, number]>([
  ['redirect', thrown('NEXT_REDIRECT;replace;/orders;17;307;'), 307],
  ['permanentRedirect', thrown('NEXT_REDIRECT;push;/orders;308;'), 308],
  ['notFound', thrown('NEXT_HTTP_ERROR_FALLBACK;404'), 404],
  ['notFound of Next.js 14', thrown('NEXT_NOT_FOUND'), 404],
  ['forbidden', thrown('NEXT_HTTP_ERROR_FALLBACK;403'), 403],
])('an error thrown by %s in a route is logged as a completed response', async (_, error, status) => {
  using logs = captureLogs()
  const route = requestLog({ logger: logs.logger })(() => {
    throw error
  })
  await expect(route(new Request('https://shop.example/a'))).rejects.toBe(error)
  expect(logs.records).toMatchObject([
    {
      level: 'info',
      message: expect.stringMatching(new RegExp(`^GET /a ${status} `)),
      attributes: { 'http.response.status_code': status },
    },
  ])
  expect(logs.records[0]!.error).toBeUndefined()
})

test.each<[unknown, string]>([
  [new RangeError('no such shelf'), 'RangeError'],
  [thrown('NEXT_REDIRECT'), 'Error'],
  [thrown('NEXT_HTTP_ERROR_FALLBACK;9'), 'Error'],
  ['text', 'string'],
  [null, 'string'],
])('any other value thrown in a route is logged as an error: %p', async (error, type) => {
  using logs = captureLogs()
  const route = requestLog({ logger: logs.logger })(() => {
    throw error
  })
  await expect(route(new Request('https://shop.example/a'))).rejects.toBe(error)
  expect(logs.records).toMatchObject([{ level: 'error', attributes: { 'error.type': type } }])
})

test('register wraps the prototypes of HTTP and HTTPS servers once each', () => {
  using logs = captureLogs()
  const prototypes = [Server.prototype, SecureServer.prototype] as { emit?: unknown }[]
  const own = prototypes.map((prototype) => Object.getOwnPropertyDescriptor(prototype, 'emit'))
  const { register } = instrumentation({ logger: logs.logger })
  try {
    register()
    const wrapped = prototypes.map(({ emit }) => emit)
    expect(prototypes.map((prototype) => Object.hasOwn(prototype, 'emit'))).toEqual([true, true])
    register()
    expect(prototypes.map(({ emit }) => emit)).toEqual(wrapped)
  } finally {
    prototypes.forEach((prototype, index) => {
      delete prototype.emit
      if (own[index] !== undefined) Object.defineProperty(prototype, 'emit', own[index])
      Reflect.deleteProperty(prototype, Symbol.for('sluice/v1/next'))
    })
  }
})
