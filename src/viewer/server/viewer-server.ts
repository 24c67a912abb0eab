import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { PageApi } from '../api/page-api.ts'
import { QueryError } from '../../read/query/query-error.ts'
import { LogStore } from '../store/log-store.ts'
import { SpanStore } from '../store/span-store.ts'
import { AccessToken } from './access-token.ts'
import { HttpError } from './http-error.ts'
import { OriginGuard } from './origin-guard.ts'
import type { PageFiles } from './page-files.ts'
import { allowedMethod } from './routes.ts'
import { TelemetryEndpoints } from './telemetry-endpoints.ts'
import { ViewSessions } from './view-sessions.ts'

/** The settings of a viewer. */
export interface ViewerSettings {
  /** The address to which the server is bound. */
  readonly host: string
  readonly port: number
  /** What every request must contain; undefined if every user of this machine may use the viewer. */
  readonly token: string | undefined
  /** The maximum memory of records, in bytes. */
  readonly maxBytes: number
  readonly page: PageFiles
}

const maxConnections = 256

/** The server of the viewer: it receives telemetry, and answers the requests of the page. */
export class ViewerServer {
  readonly logs: LogStore
  readonly spans: SpanStore = new SpanStore()
  private readonly settings: ViewerSettings
  private readonly server: Server
  private readonly guard: OriginGuard
  private readonly access: AccessToken
  private readonly telemetry: TelemetryEndpoints
  private readonly api: PageApi
  private readonly sessions: ViewSessions

  constructor(settings: ViewerSettings) {
    this.settings = settings
    this.logs = new LogStore(settings.maxBytes)
    this.guard = new OriginGuard(settings.host)
    this.access = new AccessToken(settings.token)
    this.telemetry = new TelemetryEndpoints(this, this.guard)
    this.sessions = new ViewSessions(this.logs, this.spans)
    this.api = new PageApi(this.logs, this.spans, this.sessions)
    this.server = createServer({ requestTimeout: 60_000 }, (request, response) => void this.answer(request, response))
    this.server.maxConnections = maxConnections
  }

  /** Starts to listen. Returns the port; it is rejected if that is in use. */
  async listen(): Promise<number> {
    const { host, port } = this.settings
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject)
      this.server.listen(port, host, resolve)
    })
    const address = this.server.address()
    return typeof address === 'object' && address !== null ? address.port : port
  }

  /** The number of pages that are open. */
  get pageCount(): number {
    return this.sessions.count
  }

  /** Closes all connections. */
  close(): void {
    this.server.close()
    this.server.closeAllConnections()
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      this.guard.checkHost(request)
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
      await this.route(pathname, searchParams, request, response)
    } catch (error) {
      answerError(error, response)
    }
  }

  private async route(
    path: string,
    parameters: URLSearchParams,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const signal = /^\/v1\/(logs|traces|metrics)$/.exec(path)?.[1]
    if (signal !== undefined) {
      // A preflight request has no token.
      if (request.method !== 'OPTIONS') this.access.check(request)
      return this.telemetry.answer(signal, request, response)
    }
    if (this.access.signIn(path, parameters, request, response)) return
    this.access.check(request)
    allowedMethod(request, response, 'GET')
    if (!path.startsWith('/api/')) return this.settings.page.answer(path, response)
    this.guard.checkSameOrigin(request)
    response.setHeader('cache-control', 'no-store')
    response.setHeader('x-content-type-options', 'nosniff')
    const body = await this.api.answer(path.slice('/api/'.length), parameters, response)
    if (body === undefined) return
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(body))
  }
}

function answerError(error: unknown, response: ServerResponse): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const [status, body] =
    error instanceof QueryError
      ? [400, { error: error.reason, position: error.position }]
      : error instanceof HttpError
        ? [error.status, { error: error.message }]
        : [500, { error: 'the viewer failed' }]
  // The rest of a body that was refused is not read.
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
  response.end(JSON.stringify(body))
}
