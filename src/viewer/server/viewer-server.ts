import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { once } from 'node:events'
import { LogArchive } from '../database/log-archive.ts'
import type { LogDatabase } from '../database/log-database.ts'
import { PageApi } from '../api/page-api.ts'
import { DuplicateFinder } from '../store/duplicate-finder.ts'
import { LogStore } from '../store/log-store.ts'
import { SpanStore } from '../store/span-store.ts'
import { AccessToken } from './access-token.ts'
import { ClientErrors } from './client-error.ts'
import { answerError } from './error-response.ts'
import { HttpError, notFound } from './http-error.ts'
import { OriginGuard } from './origin-guard.ts'
import type { PageFiles } from './page-files.ts'
import { allowedMethod } from './routes.ts'
import { answerPreflight, TelemetryEndpoints } from './telemetry-endpoints.ts'
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
  /** Receives what the user can correct, such as a client that uses another protocol. */
  readonly onWarning?: ((message: string) => void) | undefined
  /** Where records are saved; undefined to keep them in memory only. */
  readonly database?: LogDatabase | undefined
  /** How long a request can take to arrive; by default 10 s for its headers and 30 s in all. */
  readonly timeouts?: RequestTimeouts | undefined
}

/** Times in ms. A client that sends its headers or its body slowly keeps one of the connections, and memory. */
export interface RequestTimeouts {
  readonly headersTimeout: number
  readonly requestTimeout: number
  /** How often requests are checked. */
  readonly connectionsCheckingInterval: number
}

/** The times that docs/reference/viewer-api.md names. */
export const defaultTimeouts: RequestTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
}
/** Exporters send again after some seconds, by the same connection. */
const keepAliveTimeout = 30_000
const maxConnections = 256

/** The server of the viewer: it receives telemetry, and answers the requests of the page. */
export class ViewerServer {
  readonly logs: LogStore
  readonly spans: SpanStore = new SpanStore()
  readonly archive: LogArchive | undefined
  readonly duplicates: DuplicateFinder = new DuplicateFinder()
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
    const { database } = settings
    this.archive = database === undefined ? undefined : new LogArchive(database, this.logs, this.spans)
    this.guard = new OriginGuard(settings.host)
    this.access = new AccessToken(settings.token)
    this.telemetry = new TelemetryEndpoints(this, this.guard)
    this.sessions = new ViewSessions(this.logs, this.spans, this.duplicates, this.archive)
    this.api = new PageApi(this.logs, this.spans, this.sessions, this.archive)
    const options = { keepAliveTimeout, ...(settings.timeouts ?? defaultTimeouts) }
    this.server = createServer(options, (request, response) => void this.answer(request, response))
    this.server.maxConnections = maxConnections
    const clientErrors = new ClientErrors(settings.onWarning)
    this.server.on('clientError', (error: Error, socket: Duplex) => clientErrors.answer(error, socket))
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
    this.archive?.close()
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      // The request was sent before the previous one of its connection was answered. Its response would not be closed with the connection.
      if (response.socket === null) await once(response, 'socket')
      this.guard.checkHost(request)
      const { pathname, searchParams } = urlOf(request)
      await this.route(pathname, searchParams, request, response)
    } catch (error) {
      answerError(error, request, response)
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
      this.telemetry.checkOrigin(request, response)
      // A preflight request has no token.
      if (request.method === 'OPTIONS') return answerPreflight(request, response)
      this.access.check(request)
      return this.telemetry.answer(signal, request, response)
    }
    if (this.access.signIn(path, parameters, request, response)) return
    this.access.check(request)
    if (!path.startsWith('/api/') && !this.settings.page.has(path)) throw notFound(path)
    if (!path.startsWith('/api/')) {
      // Node sends no body in the response to a HEAD request.
      allowedMethod(request, response, 'GET', 'HEAD')
      return this.settings.page.answer(path, response)
    }
    allowedMethod(request, response, 'GET')
    this.guard.checkSameOrigin(request)
    response.setHeader('cache-control', 'no-store')
    response.setHeader('x-content-type-options', 'nosniff')
    const body = await this.api.answer(path.slice('/api/'.length), parameters, response)
    if (body === undefined) return
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(body))
  }
}

/** @throws HttpError if the address of a request is invalid. */
function urlOf({ url = '/' }: IncomingMessage): URL {
  // A path such as `//host/` would be read as another host, if it were resolved.
  if (url.startsWith('/') && URL.canParse(`http://localhost${url}`)) return new URL(`http://localhost${url}`)
  throw new HttpError(400, 'the address of the request must be a path')
}
