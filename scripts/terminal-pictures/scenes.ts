import { Hono } from 'hono'
import { defaultMessageOf } from '../../src/http/request-message.ts'
import { placeOrder, restock, totalOf } from './shop.ts'

/** One record of a scene, for loggers of any library. */
export interface SceneRecord {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'
  /** The message; names in braces are attributes. */
  readonly message: string
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly error?: unknown
  /** The attributes of the request that logs the record. */
  readonly request?: Readonly<Record<string, unknown>>
}

const first = {
  'request.id': '49af0eb9-296d-4af7-aab4-14f9ad4d056e',
  'http.request.method': 'POST',
  'url.path': '/orders',
}
const second = {
  'request.id': 'c1d7a2f0-5c34-4c8e-9f2b-6f7d0b1f8e21',
  'http.request.method': 'GET',
  'url.path': '/orders/17',
}

/** Returns the record of a completed request, as `sluice/http` logs it. */
function completed(
  level: SceneRecord['level'],
  request: SceneRecord['request'],
  route: string,
  status: number,
  seconds: number,
): SceneRecord {
  const attributes = {
    ...request,
    'url.scheme': 'http',
    'server.address': 'localhost',
    'server.port': 3000,
    'client.address': '127.0.0.1',
    'user_agent.original': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    'http.route': route,
    'http.response.status_code': status,
    'http.server.request.duration': seconds,
  }
  const message = defaultMessageOf({ response: { statusCode: status }, error: undefined }, attributes)
  return { level, message, attributes }
}

const order = {
  id: 4711,
  customer: { name: 'Ann Example', tier: 'gold' },
  items: [
    { sku: 'pen-07', quantity: 2, price: 1.5 },
    { sku: 'ink-black', quantity: 1, price: 12 },
  ],
}

/** The scenes, which have 30 records together, and an overview of them. */
export async function scenes(): Promise<Readonly<Record<string, readonly SceneRecord[]>>> {
  const failure = await errorOf(() => placeOrder(4711))
  const inFramework = await errorOf(async () => {
    const app = new Hono().get('/orders/:id', (context) => context.json(totalOf(undefined)))
    let thrown: unknown
    app.onError((error, context) => ((thrown = error), context.text('failed', 500)))
    await app.request('/orders/17')
    throw thrown
  })
  const several = await errorOf(() => restock(['pen-07', 'ink-black']))
  const all = {
    start: [
      { level: 'info', message: 'listening on {url}', attributes: { url: 'http://localhost:3000', pid: 4242 } },
      { level: 'debug', message: 'configuration loaded', attributes: { from: '.env', flags: ['beta', 'eu'] } },
      { level: 'trace', message: 'cache warmed', attributes: { entries: 1280, millis: 3.25 } },
      { level: 'warn', message: 'DATABASE_POOL is not set; using {size}', attributes: { size: 10 } },
    ],
    requests: [
      { level: 'info', message: 'validating cart', request: first, attributes: { items: 3 } },
      {
        level: 'debug',
        message: 'price of {sku} is {price}',
        request: first,
        attributes: { sku: 'pen-07', price: 1.5 },
      },
      { level: 'info', message: 'looking up order', request: second, attributes: { orderId: '17' } },
      { level: 'info', message: 'payment accepted', request: first, attributes: { amount: 15, currency: 'EUR' } },
      completed('info', first, '/orders', 201, 0.0142),
      completed('info', second, '/orders/:id', 404, 0.00084),
      completed('error', { ...second, 'url.path': '/health' }, '/health', 503, 1.2),
    ],
    objects: [
      { level: 'info', message: 'order placed', attributes: { order: { id: 4711, total: 15 } } },
      { level: 'info', message: 'order stored', attributes: { order, table: 'orders' } },
      {
        level: 'debug',
        message: 'samples',
        attributes: { millis: Array.from({ length: 60 }, (_, index) => (index * 37) % 101) },
      },
      {
        level: 'debug',
        message: 'query',
        attributes: {
          sql: 'SELECT o.id, o.total\n  FROM orders o\n  JOIN customers c ON c.id = o.customer_id\n WHERE c.tier = $1',
          rows: 12,
        },
      },
      {
        level: 'info',
        message: 'types',
        attributes: { text: '17', number: 17, big: 9007199254740993n, none: null, on: true, at: new Date(0) },
      },
    ],
    errors: [
      { level: 'error', message: 'could not place order {orderId}', attributes: { orderId: 4711 }, error: failure },
      { level: 'error', message: 'unhandled error in a route', error: inFramework, request: second },
      { level: 'warn', message: 'restock incomplete', error: several },
      { level: 'error', message: (failure as Error).message, error: failure },
      { level: 'fatal', message: 'cannot bind port {port}', attributes: { port: 3000 } },
    ],
    wide: [
      {
        level: 'info',
        message: '注文を受け付けました',
        attributes: { 顧客: '山田太郎', 商品: 'ペンとインクのセット' },
      },
      {
        level: 'info',
        message: 'deployed 🚀',
        attributes: { by: '👩‍💻 Zoë', region: '🇪🇺', note: 'ﾃｽﾄ mixed 全角 text' },
      },
      {
        level: 'info',
        message: '長い説明',
        attributes: { text: '東京特許許可局の局員が今日急遽休暇許可を却下した。'.repeat(4) },
      },
    ],
    long: [
      {
        level: 'info',
        message: 'token issued',
        attributes: { subject: 'ann', token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.'.repeat(6).slice(0, 200) },
      },
      {
        level: 'info',
        message: 'a message that is itself longer than eighty columns, because it is a whole sentence with a reason',
        attributes: { id: 1 },
      },
      {
        level: 'debug',
        message: 'upstream',
        attributes: { url: `https://api.example.com/v1/search?${'q=value&'.repeat(24)}`, status: 200 },
      },
    ],
    hostile: [
      {
        level: 'info',
        message: 'name is \u001b[31mred\u001b[0m',
        attributes: { name: '\u001b]0;owned\u0007\u001b[2J' },
      },
      {
        level: 'info',
        message: 'login\n10:56:03.123 INFO  forged record  admin=true',
        attributes: { 'k\ney': 'v\r\nx', rtl: 'abc\u202efdp.exe' },
      },
      {
        level: 'warn',
        message: 'bytes',
        attributes: { raw: new Uint8Array([0, 27, 255]), nul: 'a\0b', bell: '\u0007'.repeat(3) },
      },
    ],
  } satisfies Record<string, readonly SceneRecord[]>
  const { start, requests, objects, errors } = all
  return { ...all, overview: [start[0]!, start[3]!, ...requests.slice(0, 6), objects[1]!, errors[1]!] }
}

async function errorOf(action: () => unknown): Promise<unknown> {
  try {
    await action()
  } catch (error) {
    return error
  }
  throw new Error('the action did not fail')
}
