import { expect, test } from '@jest/globals'
import express, { type Express, type Request, type Response } from 'express'
import { requestLog } from '../../src/entries/express.ts'
import { captureLogs } from '../../src/entries/testing.ts'
import { listening } from './hosts/listening.ts'
import { waitUntil } from '../support/wait-until.ts'
import { endsOf } from './suite.ts'

async function routeOf(routes: (app: Express) => void, path: string): Promise<unknown> {
  using logs = captureLogs()
  const app = express()
  app.use(requestLog({ logger: logs.logger }))
  routes(app)
  const { port, close } = await listening(app.listen(0, '127.0.0.1'))
  try {
    await (await fetch(`http://127.0.0.1:${port}${path}`)).text()
    await waitUntil(() => endsOf(logs).length === 1)
    return endsOf(logs)[0]!.attributes['http.route']
  } finally {
    await close()
  }
}

const answer = (_: Request, response: Response): unknown => response.send('done')

function orders(app: Express): void {
  const lines = express.Router({ mergeParams: true }).get('/lines/:line', answer).get('/', answer)
  app.use('/shops/:shop/orders/:order', express.Router({ mergeParams: true }).use('/of', lines).use(lines))
  app.use('/fixed', express.Router().get('/:id', answer))
  app.use('/mounted', express().get('/a/:id', answer))
}

test.each([
  ['/fixed/7', '/fixed/:id'],
  ['/fixed/fixed', '/fixed/:id'],
  ['/mounted/a/7', '/mounted/a/:id'],
  ['/shops/3/orders/17/lines/2', '/shops/:shop/orders/:order/lines/:line'],
  ['/shops/3/orders/17/of/lines/2', '/shops/:shop/orders/:order/of/lines/:line'],
  ['/shops/caf%C3%A9/orders/a%2Fb/lines/2', '/shops/:shop/orders/:order/lines/:line'],
  ['/shops/3/orders/3/lines/3', '/shops/:shop/orders/:order/lines/:line'],
  ['/shops/shops/orders/orders/lines/2', '/shops/:shop/orders/:order/lines/:line'],
  ['/shops/3/orders/17', '/shops/:shop/orders/:order/'],
  ['/none', undefined],
])('the route of %s contains parameter names instead of values: %s', async (path, route) => {
  expect(await routeOf(orders, path)).toBe(route)
})
