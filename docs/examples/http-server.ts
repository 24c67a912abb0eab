// A server that adds the ID of the current request to every record.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLogger, withContext } from 'sluice'

const log = createLogger({ name: 'shop' })

const server = createServer((req, res) => {
  // Every logger adds this to its records while the request is handled, even after `await` and in other modules.
  void withContext({ requestId: req.headers['x-request-id'] ?? 'none' }, async () => {
    log.info('{method} {path}', { method: req.method, path: req.url })
    try {
      await placeOrder(req.url ?? '')
      res.end('placed')
    } catch (error) {
      log.error('the order was not placed', error)
      res.writeHead(500).end('failed')
    }
  })
})

async function placeOrder(path: string): Promise<void> {
  await Promise.resolve()
  if (path.endsWith('0')) throw new RangeError('an order of nothing')
  log.info('order {amount} placed', { amount: Number(path.slice(1)) })
}

await once(server.listen(0, '127.0.0.1'), 'listening')
const { port } = server.address() as AddressInfo
for (const [id, path] of [
  ['r-1', '/3'],
  ['r-2', '/0'],
] as const) {
  await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-request-id': id } })
}
server.close()
await log.shutdown()
