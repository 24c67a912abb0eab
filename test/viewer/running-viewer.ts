import { request, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { PageFiles } from '../../src/viewer/server/page-files.ts'
import { ViewerServer, type ViewerSettings } from '../../src/viewer/server/viewer-server.ts'

/** A request to a viewer. */
export interface TestRequest {
  readonly method?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: Uint8Array | string
}

/** A response of a viewer. */
export interface TestResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly text: string
}

/** A viewer that listens on a free port, without the files of a real page. */
export class RunningViewer {
  readonly server: ViewerServer
  port = 0
  readonly warnings: string[] = []

  private constructor(settings: Partial<ViewerSettings>) {
    const page = new PageFiles(new Map([['/', { type: 'text/html; charset=utf-8', content: '<!doctype html>' }]]))
    this.server = new ViewerServer({
      host: '127.0.0.1',
      port: 0,
      token: undefined,
      maxBytes: 64 * 1024 * 1024,
      page,
      onWarning: (message) => void this.warnings.push(message),
      ...settings,
    })
  }

  static async start(settings: Partial<ViewerSettings> = {}): Promise<RunningViewer> {
    const viewer = new RunningViewer(settings)
    viewer.port = await viewer.server.listen()
    return viewer
  }

  close(): void {
    this.server.close()
  }

  /** Sends a request, and returns its response. */
  async send(path: string, { method = 'GET', headers = {}, body }: TestRequest = {}): Promise<TestResponse> {
    const message = request({ host: '127.0.0.1', port: this.port, path, method, headers, agent: false })
    // A refused body can end the connection while it is sent.
    message.on('error', () => undefined)
    message.end(body)
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      message.once('response', resolve)
      message.once('close', () => reject(new Error('the connection was closed without a response')))
    })
    const content = await buffer(response)
    return { status: response.statusCode!, headers: response.headers, body: content, text: content.toString() }
  }

  /** Sends a request of OTLP. */
  async post(path: string, body: Uint8Array | string, headers: OutgoingHttpHeaders = {}): Promise<TestResponse> {
    const type = typeof body === 'string' ? 'application/json' : 'application/x-protobuf'
    return this.send(path, { method: 'POST', body, headers: { 'content-type': type, ...headers } })
  }

  /**
   * Opens a connection without sending anything.
   *
   * @param allowHalfOpen - whether the client keeps it open when the server closes its side
   */
  async connect(allowHalfOpen = false): Promise<Socket> {
    const socket = connect({ port: this.port, host: '127.0.0.1', allowHalfOpen })
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    return socket
  }

  /** Sends bytes by a new connection, and returns all that comes back until it is closed. */
  async sendBytes(bytes: Uint8Array | string): Promise<string> {
    const socket = await this.connect()
    socket.write(bytes)
    return (await buffer(socket)).toString('latin1')
  }
}
