import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/**
 * What a proxy does with connections: `cut` resets them when the server has begun to answer; `stall` keeps them and moves
 * nothing; `truncate` ends them in the middle of an answer; `drip` gives an answer byte by byte.
 */
export type ProxyMode = 'pass' | 'reset' | 'cut' | 'stall' | 'truncate' | 'drip'

const DRIP_MILLIS = 50

/** A way through which a fault can come and go. */
export interface TcpProxy {
  readonly url: string
  /** What is done with what comes from now on. */
  mode: ProxyMode
  /** How many connections there were. */
  readonly connected: number
  /** Whether anybody listens: while nobody does, connections are refused. */
  listen(): Promise<void>
  /** Ends all connections, and refuses new ones. */
  refuse(): Promise<void>
}

/** Starts a proxy on the loopback in front of a port. */
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
    get connected() {
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
  let given = 0
  const timer = setInterval(() => {
    if (given < bytes.length) client.write(bytes.subarray(given, ++given))
    else clearInterval(timer)
  }, DRIP_MILLIS)
  client.once('close', () => clearInterval(timer))
}
