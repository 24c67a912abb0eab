import { constants, createServer, type Http2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'

/** The error with which a server rejects a request. */
export interface GrpcError {
  readonly code: number
  /** `grpc-status-details-bin`. */
  readonly details?: Uint8Array
}

/** An OTLP/gRPC logs server on a free port. */
export interface GrpcLogsServer {
  readonly url: string
  close(): Promise<void>
}

/** The gRPC status codes. */
export const status = {
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  DATA_LOSS: 15,
  UNAUTHENTICATED: 16,
} as const

/**
 * Starts a server that responds to each request with the result of `answer`; undefined accepts the request. It implements
 * the gRPC wire format: a compression byte and a length of four bytes precede a message, and the status is in the trailers.
 */
export async function grpcLogsServer(answer: (request: Buffer) => GrpcError | undefined): Promise<GrpcLogsServer> {
  const sessions = new Set<Http2Session>()
  const server = createServer()
  server.on('session', (session) => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
  })
  server.on('stream', (stream, headers) => {
    const parts: Buffer[] = []
    stream.on('data', (part: Buffer) => parts.push(part))
    stream.on('end', () => {
      const isLogs =
        headers[constants.HTTP2_HEADER_PATH] === '/opentelemetry.proto.collector.logs.v1.LogsService/Export'
      const refusal = isLogs ? answer(Buffer.concat(parts).subarray(5)) : { code: status.UNIMPLEMENTED }
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
      stream.once('wantTrailers', () => stream.sendTrailers(trailersOf(refusal)))
      stream.end(refusal === undefined ? Buffer.alloc(5) : undefined)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const session of sessions) session.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function trailersOf(refusal: GrpcError | undefined): Record<string, string> {
  if (refusal === undefined) return { 'grpc-status': '0' }
  const { code, details } = refusal
  return {
    'grpc-status': String(code),
    'grpc-message': 'secret',
    ...(details === undefined ? {} : { 'grpc-status-details-bin': Buffer.from(details).toString('base64') }),
  }
}
