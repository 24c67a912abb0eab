import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Starts a server on the loopback interface; `close` also closes its connections. */
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
