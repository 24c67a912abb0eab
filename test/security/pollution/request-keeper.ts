import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

/** A collector in the process of the test, whose prototypes are not polluted. */
export interface RequestKeeper {
  /** Requests to `<url>/<name>` are appended to the file `<directory>/<name>.requests`, one line each. */
  readonly url: string
  close(): Promise<void>
}

/** Starts a collector that responds with 503 to the first request for a name that ends in `-busy`, and accepts all others. */
export async function requestKeeper(directory: string): Promise<RequestKeeper> {
  const refused = new Set<string>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const name = request.url!.split('/').at(-1)!
      const { host: _, ...headers } = request.headers
      const body = Buffer.concat(chunks)
      const content = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
      const kept = {
        method: request.method,
        headers: { ...headers, 'content-length': '' },
        body: content.toString('latin1'),
      }
      appendFileSync(`${directory}/${name}.requests`, `${JSON.stringify(kept)}\n`)
      const isBusy = name.endsWith('-busy') && !refused.has(name)
      refused.add(name)
      const type = headers['content-type'] ?? ''
      response.writeHead(isBusy ? 503 : 200, { 'content-type': type, ...(isBusy && { 'retry-after': '0' }) })
      response.end(type === 'application/json' ? '{"partialSuccess":{}}' : Buffer.from([0x0a, 0x00]))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
