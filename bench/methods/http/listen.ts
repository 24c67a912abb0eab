import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Running } from './service.ts'

/** Starts a `node:http` server with a request listener. */
export const listen = (listener: RequestListener): Promise<Pick<Running, 'port' | 'close'>> =>
  listenWith(createServer(listener))

/** Starts a `node:http` server. */
export async function listenWith(server: Server): Promise<Pick<Running, 'port' | 'close'>> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
