import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { HttpError } from './http-error.ts'

/** The maximum size of a request in bytes, compressed and decompressed. */
export const maxBodyBytes: number = 64 * 1024 * 1024
/** The maximum size of all requests that are being read, in bytes. */
const maxTotalBytes = 2 * maxBodyBytes

let totalBytes = 0

/**
 * Reads the body of a request, and decompresses it.
 *
 * @throws HttpError if it is too large, has another compression than gzip, or is damaged; and if too many bytes are being read for other requests.
 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'gzip' && encoding !== 'identity')
    throw new HttpError(415, `the content encoding must be gzip or identity, not ${encoding}`)
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge()
  const stream = encoding === 'gzip' ? request.pipe(createGunzip()) : request
  const chunks: Buffer[] = []
  let length = 0
  try {
    request.once('error', (error) => stream.destroy(error))
    for await (const chunk of stream as Readable as AsyncIterable<Buffer>) {
      length += chunk.length
      totalBytes += chunk.length
      if (length > maxBodyBytes) throw tooLarge()
      if (totalBytes > maxTotalBytes) throw new HttpError(503, 'too many large requests at once')
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof HttpError) throw error
    throw new HttpError(400, encoding === 'gzip' ? 'the body is not valid gzip' : 'the body ended too early')
  } finally {
    totalBytes -= length
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}

function tooLarge(): HttpError {
  return new HttpError(413, `the body has more than ${maxBodyBytes} bytes`)
}
