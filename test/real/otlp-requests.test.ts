import { afterAll, describe, expect } from '@jest/globals'
import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { fileExporter } from '../../src/exporters/file/file-exporter.ts'
import { otlpExporter } from '../../src/exporters/otlp/otlp-exporter.ts'
import { createLoggerProvider } from '../../src/otel/provider/provider.ts'
import type { OtelResource } from '../../src/otel/api/types.ts'
import type { Exporter } from '../../src/pipeline/exporter.ts'
import { needs } from '../support/needs.ts'
import { hasDecoder, startDecoder } from '../support/otlp/decoder.ts'
import { temporaryDirectory } from '../support/files/pipes.ts'
import { valueCases } from './values.ts'

const testDecoder = needs('the OTLP decoder (`npm run real-parts`)', hasDecoder)
const decoder = hasDecoder ? startDecoder() : undefined
const directory = temporaryDirectory()

afterAll(async () => {
  await decoder?.stop()
  directory.remove()
})

const resource: OtelResource = {
  attributes: { 'service.name': 'shop', 'service.instance.id': 'one' },
  schemaUrl: 'https://shop.example/resource/1',
}
const span = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 }
const context = trace.setSpanContext(ROOT_CONTEXT, span)
const exception = new RangeError('outer', { cause: new Error('inner') })
const RECORDS = valueCases.length + 9

/** Emits the same records each time: values, fields and an exception; of successive scopes, and of two alternating scopes. */
async function emitAll(exporter: Exporter | readonly Exporter[]): Promise<void> {
  let now = 1_700_000_000_000
  const provider = createLoggerProvider({
    exporter,
    resource,
    clock: () => now++,
    limits: { attributes: 3 },
    onDiagnostic: () => {},
  })
  const values = provider.getLogger('values')
  for (const { title, value } of valueCases) values.emit({ eventName: title, attributes: { value }, body: value })
  const scope = { schemaUrl: 'https://shop.example/scope/2', attributes: { tier: 'gold', limits: [1, 2] } }
  const inTurns = [provider.getLogger('checkout', '1.2.3', scope), provider.getLogger('')]
  for (const severityNumber of [1, 9, 24, 0]) {
    for (const logger of inTurns) {
      logger.emit({
        timestamp: [1_700_000_000, 123_456_789],
        severityNumber,
        ...(severityNumber > 1 ? { severityText: `level ${severityNumber}`, context } : {}),
        attributes: { a: 1, b: '2', c: [3], d: 4 },
      })
    }
  }
  provider.getLogger('exceptions').emit({ exception })
  await provider.shutdown()
}

/** A received request. */
interface Captured {
  readonly head: readonly (string | undefined)[]
  /** The decompressed body. */
  readonly body: Buffer
}

/** Returns the requests sent to a server that accepts all. */
async function captured(send: (url: string) => Promise<void>): Promise<Captured[]> {
  const requests: Captured[] = []
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await buffer(request)
    const { method, url, headers } = request
    const encoding = headers['content-encoding']
    const head = [method, url, headers['content-type'], encoding]
    requests.push({ head, body: encoding === 'gzip' ? gunzipSync(bytes) : bytes })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }
  const server = createServer((request, response) => void take(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await send(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/logs`)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  return requests
}

const isProtobuf = ({ head }: Captured): boolean => head.includes('application/x-protobuf')

/** The ways to use the three exporters. */
const uses: readonly [string, (exporters: readonly Exporter[]) => Promise<void>][] = [
  [
    'one provider for each exporter',
    async (exporters) => {
      for (const exporter of exporters) await emitAll(exporter)
    },
  ],
  ['one provider for all exporters', emitAll],
]

describe.each(uses)('OTLP requests and OTLP/JSON lines, %s', (title, use) => {
  // Requirements: OTL1, OTL2, OTL5, FIL1, JS1, JS2, JS3, JS4, JS5, JS6, JS7, JS8, JS9, JS10, JS11, JS12
  testDecoder(
    'protobuf requests, compressed JSON requests and OTLP/JSON lines decode to the same records',
    async () => {
      const path = directory.path(`${title}.jsonl`)
      const requests = await captured((url) =>
        use([
          otlpExporter({ url }),
          otlpExporter({ url, protocol: 'http/json', compression: 'gzip' }),
          fileExporter({ path, format: 'otlpJson' }),
        ]),
      )
      const [protobuf, json] = requests.toSorted((a, b) => Number(isProtobuf(b)) - Number(isProtobuf(a)))
      expect([protobuf?.head, json?.head, requests.length]).toEqual([
        ['POST', '/v1/logs', 'application/x-protobuf', undefined],
        ['POST', '/v1/logs', 'application/json', 'gzip'],
        2,
      ])

      const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
      const records = (await Promise.all(lines.map((line) => decoder!.decode('json', line)))).flat()
      expect(records).toHaveLength(RECORDS)
      expect(await decoder!.decode('protobuf', protobuf!.body)).toEqual(records)
      expect(await decoder!.decode('json', json!.body)).toEqual(records)
    },
  )
})
