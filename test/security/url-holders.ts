import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { canary } from './fuzz/canary.ts'

/** A URL whose password is the canary. */
export const href = `https://user:${canary}@example.com/path?a=b#c`
const url = new URL(href)

class OwnUrl extends URL {}

class Client {
  readonly base = url
}

/** A `Request` of another fetch implementation. */
class Request {
  readonly method = 'GET'
  readonly url = href
  readonly headers = new Headers({ accept: 'text/html' })
  get [Symbol.toStringTag](): string {
    return 'Request'
  }
}

/** Values of all kinds that contain the URL. */
const values: Readonly<Record<string, object>> = {
  'a member': { url },
  'a URL as the value': url,
  'a list': [url, [url]],
  'a deep member': { a: { b: [{ c: { url } }] } },
  'values of a Map': { map: new Map([['url', url]]), deep: new Map([['x', [url]]]) },
  'keys of a Map': { map: new Map([[url, 1]]) },
  'a Set': { set: new Set([url]) },
  'members of an Error': { err: Object.assign(new Error('x'), { url, request: { url } }) },
  'the cause of an Error': { err: new Error('x', { cause: Object.assign(new Error('y'), { url }) }) },
  'a class': { client: new Client() },
  'a subclass of URL': { url: new OwnUrl(href) },
  'a URL without a user name': { url: new URL(`https://:${canary}@example.com/`) },
  'a URL whose text Node truncates before the password': { url: new URL(`https://${'u'.repeat(12_000)}:${canary}@x/`) },
  'a URL of a database': { db: new URL(`postgres://user:${canary}@db:5432/shop`) },
  'a result of toJSON': { conf: { toJSON: () => ({ url }) }, deep: [{ toJSON: () => url }] },
  'a circular object': circular(),
  'members with numbers that JSON does not support': { url, big: 1n, none: Number.NaN },
  'a getter': {
    get url() {
      return url
    },
  },
  'a request of another fetch implementation': { request: new Request() },
}

function circular(): object {
  const node: Record<string, unknown> = { url }
  node['self'] = node
  return node
}

/** Calls `use` with the values and with objects of a running server. */
export async function withUrlHolders(use: (holders: Readonly<Record<string, object>>) => void): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const seen = new Promise<[IncomingMessage, ServerResponse]>((resolve) => {
    server.once('request', (req, res) => resolve([req, res]))
  })
  // A request with an absolute URL, as a client sends it to a proxy.
  socket.write(`GET ${href.split('#')[0]} HTTP/1.1\r\nHost: example.com\r\n\r\n`)
  const [req, res] = await seen
  try {
    use({
      ...values,
      "Node's request": { req, res },
      "Node's request as the value": req,
      "Node's request in a list": { requests: [{ request: req }] },
      "express's request": { req: Object.assign(req, { originalUrl: req.url }) },
    })
  } finally {
    res.end()
    socket.destroy()
    server.close()
  }
}
