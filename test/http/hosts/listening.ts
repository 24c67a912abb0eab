import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that listens on the loopback interface, and one that ends with all its connections. */
export async function listening(server: Server): Promise<{ readonly port: number; close(): Promise<void> }> {
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening')
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
