import type { Duplex } from 'node:stream'
import { closeLater } from './close-later.ts'

/** What an exporter of OTLP/gRPC sends first, because gRPC uses HTTP/2. */
const http2Preface = Buffer.from('PRI * HTTP/2.0')
const grpcMessage =
  'gRPC is not supported; set OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf, with the endpoint of this server'

const statusLines: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', '413 Payload Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
])

/** Answers clients whose bytes are not a request of HTTP/1.1, and closes their connections. */
export class ClientErrors {
  private readonly onWarning: ((message: string) => void) | undefined
  private hasWarned = false

  constructor(onWarning: ((message: string) => void) | undefined) {
    this.onWarning = onWarning
  }

  answer(error: Error & { readonly code?: string; readonly rawPacket?: Buffer }, socket: Duplex): void {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    const isHttp2 = error.rawPacket?.subarray(0, http2Preface.length).equals(http2Preface) === true
    if (isHttp2) this.warn()
    const status = isHttp2 ? '505 HTTP Version Not Supported' : (statusLines.get(error.code ?? '') ?? '400 Bad Request')
    const text = isHttp2 ? `${grpcMessage}\n` : ''
    socket.end(
      `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
    )
    closeLater(socket)
  }

  /** Reports a client of gRPC once, because exporters send again and again. */
  private warn(): void {
    if (this.hasWarned) return
    this.hasWarned = true
    this.onWarning?.(`a client was refused: ${grpcMessage}`)
  }
}
