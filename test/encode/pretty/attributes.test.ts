import { describe, expect, test } from '@jest/globals'
import type { LogRecord } from '../../../src/record/record.ts'
import { recordOf, span } from '../../support/values/records.ts'
import { shown, shownLines } from './shown.ts'

const id = '49af0eb9-296d-4af7-aab4-14f9ad4d056e'
const otherId = 'c1d7a2f0-5c34-4c8e-9f2b-6f7d0b1f8e21'
const response = {
  'url.scheme': 'http',
  'server.address': 'localhost',
  'server.port': 3000,
  'client.address': '127.0.0.1',
  'user_agent.original': 'curl/8.5.0',
  'http.route': '/orders/:id',
  'http.response.status_code': 201,
  'http.server.request.duration': 0.0142,
}

function inRequest(body: string, attributes: object = {}, requestId = id, path = '/orders/17'): LogRecord {
  return recordOf(
    { body, attributes },
    {
      attributes: new Map([
        ['request.id', requestId],
        ['http.request.method', 'POST'],
        ['url.path', path],
      ]),
    },
  )
}

test('an attribute that the message contains is not repeated', () => {
  const attributes = { orderId: 42, total: 3 }
  expect(shownLines([recordOf({ body: 'order {orderId} placed', attributes })])).toEqual(['order 42 placed  total=3'])
  expect(shownLines([recordOf({ body: 'order {orderId} placed', keepsBraces: true, attributes })])).toEqual([
    'order {orderId} placed  orderId=42 total=3',
  ])
})

test('attributes of the logger follow those of the call', () => {
  const record = recordOf({ body: 'm', attributes: { b: 2 } }, { attributes: new Map([['a', 1]]) })
  expect(shownLines([record])).toEqual(['m  b=2 a=1'])
  expect(shownLines([record], { colors: true })[0]).toContain('\u001b[2mb=\u001b[0m2 \u001b[2ma=1\u001b[0m')
})

test('long IDs of the logger and of the span are shown with eight characters', () => {
  const record = recordOf(
    { body: 'm', attributes: { key: id }, span },
    {
      attributes: new Map([
        ['v4', otherId],
        ['v7', '01932c07-209c-7a5e-b1d0-9f8e7d6c5b4a'],
        ['hex', 'b7ad6b7169203331'],
        ['name', 'x'],
      ]),
    },
  )
  expect(shownLines([record], { width: 200 })).toEqual([
    `m  key=${id} v4=c1d7a2f0 v7=7d6c5b4a hex=b7ad6b71 name=x trace_id=0af76519`,
  ])
})

test('the method and the path of a request are shown once, until another request logs', () => {
  const records = [
    inRequest('one'),
    inRequest('two', { a: 1 }),
    inRequest('three', {}, otherId, '/health'),
    inRequest('four'),
    recordOf({ body: 'outside' }),
    inRequest('five'),
  ]
  expect(shownLines(records)).toEqual([
    'one  POST /orders/17 49af0eb9',
    'two  49af0eb9  a=1',
    'three  POST /health c1d7a2f0',
    'four  POST /orders/17 49af0eb9',
    'outside',
    'five  49af0eb9',
  ])
})

test.each([
  ['POST /orders/17 201 14ms', 'POST /orders/17 201 14ms  49af0eb9'],
  ['POST /orders/:id 201 14ms', 'POST /orders/:id 201 14ms  /orders/17 49af0eb9'],
  ['POST /orders/:id 201', 'POST /orders/:id 201  /orders/17 14ms 49af0eb9'],
  ['request completed', 'request completed  POST /orders/17 201 14ms 49af0eb9'],
])('the record of a request with the message %j is one line with what the message omits', (message, line) => {
  expect(shownLines([inRequest('inside'), inRequest(message, response)]).slice(1)).toEqual([line])
})

test.each([
  [200, '32'],
  [304, '36'],
  [404, '33'],
  [500, '1;31'],
])('the status %i of a request has the color %s', (status, color) => {
  const record = inRequest(`GET / ${status} 1ms`, { ...response, 'http.response.status_code': status })
  expect(shownLines([record], { colors: true })[0]).toContain(` \u001b[${color}m${status}\u001b[0m 1ms`)
})

test.each([
  [0.00084, '0.8ms'],
  [0.0142, '14ms'],
  [1.24, '1.2s'],
])('a duration of %d s is shown as %s, as in a message', (seconds, text) => {
  const attributes = { ...response, 'http.server.request.duration': seconds }
  expect(shownLines([inRequest('done', attributes)])).toEqual([`done  POST /orders/17 201 ${text} 49af0eb9`])
  expect(shownLines([inRequest('{http.server.request.duration:duration}', attributes)])).toEqual([
    `${text}  POST /orders/17 201 49af0eb9`,
  ])
})

test('attributes with the names of requests are shown in a record without a request', () => {
  expect(shown({ 'url.path': '/a', 'server.port': 80, 'http.route': '/:x' })).toEqual([
    'm  url.path=/a server.port=80 http.route=/:x',
  ])
})

describe('a record of an outgoing request that is logged while a request is handled', () => {
  const outgoing = { 'server.address': 'api.example.com', 'server.port': 443, 'http.response.status_code': 503 }

  test('shows its own attributes, and the summary of the incoming request does not contain them', () => {
    expect(shownLines([inRequest('call failed', outgoing), inRequest('again', outgoing)], { width: 200 })).toEqual([
      'call failed  POST /orders/17 49af0eb9  server.address=api.example.com server.port=443 http.response.status_code=503',
      'again  49af0eb9  server.address=api.example.com server.port=443 http.response.status_code=503',
    ])
  })

  test('is summarized without attributes of the incoming request if it has a method', () => {
    const record = inRequest('call failed', { ...outgoing, 'http.request.method': 'GET', 'url.full': 'https://x/a' })
    const line = 'call failed  GET 503 49af0eb9  server.address=api.example.com server.port=443 url.full=https://x/a'
    expect(shownLines([record, record], { width: 200 })).toEqual([line, line])
    expect(shownLines([record, inRequest('inside')], { width: 200 })[1]).toBe('inside  POST /orders/17 49af0eb9')
  })
})

test.each([
  ['a method and an ID', { 'http.request.method': 'PUT', 'request.id': id, 'url.path': '/a', 'server.port': 80 }],
  [
    'a method and a duration',
    { 'http.request.method': 'PUT', 'request.id': id, 'url.path': '/a', 'http.server.request.duration': 1 },
  ],
])('a record with %s of its own is the record of an incoming request', (_kind, attributes) => {
  expect(shownLines([recordOf({ body: 'PUT /a 1s', attributes })])).toEqual(['PUT /a 1s  49af0eb9'])
})

test('the option only shows the details of a request in full', () => {
  expect(shownLines([inRequest('done', response)], { only: ['*'], width: 400 })).toEqual([
    'done  url.scheme=http server.address=localhost server.port=3000 client.address=127.0.0.1 ' +
      'user_agent.original=curl/8.5.0 http.route=/orders/:id http.response.status_code=201 ' +
      `http.server.request.duration=0.0142 request.id=${id} http.request.method=POST url.path=/orders/17`,
  ])
  expect(
    shownLines([recordOf({ body: '{a} done', attributes: { a: 1, b: 2, 'c.d': 3 } })], { only: ['a', 'c.*'] }),
  ).toEqual(['1 done  a=1 c.d=3'])
})

test('the option hide omits attributes by name and by prefix', () => {
  expect(shown({ pid: 1, 'os.name': 'linux', os: 2, 'os.type': 3 }, { hide: ['pid', 'os.*'] })).toEqual(['m  os=2'])
  expect(shownLines([inRequest('done')], { hide: ['request.id', 'url.path'] })).toEqual(['done  POST'])
  expect(shownLines([recordOf({ body: 'm', span })], { hide: ['trace_id'] })).toEqual(['m'])
})

test('a record without a message shows the name of its event', () => {
  expect(shownLines([recordOf({ eventName: 'order.placed', attributes: { a: 1 } })])).toEqual(['order.placed  a=1'])
  expect(shownLines([recordOf({ body: 'm', eventName: 'order.placed' })])).toEqual(['m  event.name=order.placed'])
})
