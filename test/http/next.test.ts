import { describe, expect, test } from '@jest/globals'
import { instrumentation } from '../../src/next.ts'
import { captureLogs } from '../../src/testing.ts'

describe('an error that Next.js tells of', () => {
  const request = { path: '/orders/17?token=canary', method: 'GET' }
  const context = { routerKind: 'App Router', routePath: '/orders/[id]', routeType: 'render' }
  const ofRequest = { 'http.request.method': 'GET', 'url.path': '/orders/17' }
  const ofContext = { 'http.route': '/orders/[id]', 'next.router_kind': 'App Router', 'next.route_type': 'render' }

  test.each([
    ['request and context', [request, context], { ...ofRequest, ...ofContext }],
    ['a request alone', [request], ofRequest],
    ['a context alone', [undefined, context], ofContext],
    ['neither', [], {}],
    ['neither but null', [null, null], {}],
    ['a request without a path', [{ method: 'GET' }], { 'http.request.method': 'GET' }],
    ['a path that is no text', [{ path: 7 }], {}],
  ])('is logged with what there is: %s', (_, told, attributes) => {
    using logs = captureLogs()
    const { onRequestError } = instrumentation({ logger: logs.logger })
    const report = onRequestError as (error: unknown, ...told: unknown[]) => void
    report(new RangeError('no such shelf'), ...told)
    expect(logs.records).toHaveLength(1)
    expect(logs.records[0]).toMatchObject({
      level: 'error',
      message: 'request error',
      error: { type: 'RangeError', message: 'no such shelf' },
    })
    expect(logs.records[0]!.attributes).toEqual(attributes)
  })
})
