import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/**
 * What a proxy does with connections: `cut` resets them when the response starts; `stall` keeps them and forwards nothing;
 * `truncate` closes them in the middle of a response; `drip` forwards a response byte by byte.
 */
export type ProxyMode = 'pass' | 'reset' | 'cut' | 'stall' | 'truncate' | 'drip'

const DRIP_MILLIS = 50

/** A TCP proxy that injects faults. */
export interface TcpProxy {
  readonly url: string
  /** What the proxy does with data from now on. */
  mode: ProxyMode
  /** The total number of connections. */
  readonly connectionCount: number
  /** Starts to listen. */
  listen(): Promise<void>
  /** Closes all connections and refuses new ones. */
  refuse(): Promise<void>
}

/** Starts a proxy for a port on the loopback interface. */
export async function tcpProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let server: Server | undefined
  let port = 0
  let connected = 0

  function serve(client: Socket): void {
    connected++
    const upstream = connect(target, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    if (proxy.mode === 'reset') return void client.resetAndDestroy()
    client.on('data', (bytes) => proxy.mode === 'stall' || upstream.write(bytes))
    upstream.on('data', (bytes) => {
      if (proxy.mode === 'cut') client.resetAndDestroy()
      else if (proxy.mode === 'truncate') client.end(bytes.subarray(0, bytes.length / 2))
      else if (proxy.mode === 'drip') drip(client, bytes)
      else if (proxy.mode !== 'stall') client.write(bytes)
    })
  }

  const proxy: TcpProxy & { url: string } = {
    url: '',
    mode: 'pass',
    get connectionCount() {
      return connected
    },
    async listen() {
      const listening = (server = createServer(serve))
      await new Promise<void>((resolve) => listening.listen(port, '127.0.0.1', resolve))
      port = (listening.address() as AddressInfo).port
      proxy.url = `http://127.0.0.1:${port}/v1/logs`
    },
    async refuse() {
      const closing = server
      server = undefined
      for (const socket of sockets) socket.destroy()
      if (closing !== undefined) await new Promise((resolve) => closing.close(resolve))
    },
  }
  await proxy.listen()
  return proxy
}

function drip(client: Socket, bytes: Buffer): void {
  let sent = 0
  const timer = setInterval(() => {
    if (sent < bytes.length) client.write(bytes.subarray(sent, ++sent))
    else clearInterval(timer)
  }, DRIP_MILLIS)
  client.once('close', () => clearInterval(timer))
}
