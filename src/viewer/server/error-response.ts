import type { IncomingMessage, ServerResponse } from 'node:http'
import { bytesField, encodeUtf8, varint } from '../../encode/otlp/protobuf.ts'
import { QueryError } from '../../read/query/query-error.ts'
import { QueryTimeoutError } from '../../read/query/query-timeout-error.ts'
import { HttpError } from './http-error.ts'
import { closeLater } from './close-later.ts'
import { protobufType, jsonType } from './otlp-types.ts'

/** The statuses after which an exporter of OTLP sends the request again. */
const retriedStatuses: ReadonlySet<number> = new Set([429, 503])

/** Answers a request that failed. Other errors than a HttpError and a QueryError are not shown to the client. */
export function answerError(error: unknown, request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const { status, body } = errorBody(error)
  const isTelemetry = request.url?.startsWith('/v1/') === true
  const isProtobuf = isTelemetry && request.headers['content-type']?.startsWith(protobufType) === true
  if (retriedStatuses.has(status)) response.setHeader('retry-after', '1')
  if (status === 401) response.setHeader('www-authenticate', 'Bearer realm="sluice ui"')
  // A large file, or the type of an export, was not sent.
  response.removeHeader('content-disposition')
  response.writeHead(status, {
    'content-type': isProtobuf ? protobufType : jsonType,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'",
  })
  if (isProtobuf) response.end(protobufStatus(body.error))
  else response.end(JSON.stringify(isTelemetry ? { code: unknownCode, message: body.error } : body))
  discardRest(request)
}

interface ErrorBody {
  readonly error: string
  /** The index of the character of a query with the error. */
  readonly position?: number
}

function errorBody(error: unknown): { readonly status: number; readonly body: ErrorBody } {
  if (error instanceof QueryError) return { status: 400, body: { error: error.reason, position: error.position } }
  if (error instanceof HttpError) return { status: error.status, body: { error: error.message } }
  // A regular expression of the query takes too long.
  if (error instanceof QueryTimeoutError) return { status: 400, body: { error: error.message } }
  return { status: 500, body: { error: 'the viewer failed' } }
}

/** The code `UNKNOWN` of gRPC. Clients of OTLP/HTTP use the status of HTTP. */
const unknownCode = 2

/** Returns a `google.rpc.Status`, which is the body of all errors of OTLP/HTTP. */
function protobufStatus(message: string): Buffer {
  return Buffer.from(`\x08${varint(unknownCode)}${bytesField('\x12', encodeUtf8(message))}`, 'latin1')
}

/** Reads the rest of a body that was refused for some time, so that the client can receive the response. */
function discardRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  request.on('error', () => undefined)
  request.resume()
  request.once('end', closeLater(request.socket))
}
