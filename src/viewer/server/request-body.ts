import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ChunkList } from './chunk-list.ts'
import { HttpError } from './http-error.ts'

/** The maximum size of a request in bytes, compressed and decompressed. It is the default of the OpenTelemetry Collector. */
export const maxBodyBytes: number = 20 * 1024 * 1024
/** The maximum size of all requests that are being read, in bytes. */
const maxTotalBytes = 4 * maxBodyBytes

/** Reads the bodies of requests, which together have a maximum size. */
export class BodyReader {
  private totalBytes = 0

  /**
   * Reads the body of a request, and decompresses it.
   *
   * @throws HttpError if it is too large, has another compression than gzip, or is damaged; and if too many bytes are being read for other requests.
   */
  async read(request: IncomingMessage): Promise<Buffer> {
    const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
    if (encoding !== 'gzip' && encoding !== 'identity')
      throw new HttpError(415, 'the content encoding must be gzip or identity')
    if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge()
    const stream: Readable = encoding === 'gzip' ? request.pipe(createGunzip()) : request
    request.once('error', (error) => stream.destroy(error))
    const chunks = new ChunkList()
    let length = 0
    try {
      // The request is not destroyed when the loop ends, because it is answered.
      for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        length += chunk.length
        this.totalBytes += chunk.length
        if (length > maxBodyBytes) throw tooLarge()
        if (this.totalBytes > maxTotalBytes) throw new HttpError(503, 'too many large requests at once')
        chunks.add(chunk)
      }
    } catch (error) {
      if (error instanceof HttpError) throw error
      throw new HttpError(400, encoding === 'gzip' ? 'the body is not valid gzip' : 'the body ended too early')
    } finally {
      this.totalBytes -= length
      if (stream !== request) stream.destroy()
    }
    return chunks.join()
  }
}

function tooLarge(): HttpError {
  return new HttpError(413, `the body has more than ${maxBodyBytes} bytes`)
}
