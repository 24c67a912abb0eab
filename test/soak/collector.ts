import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import {
  neverRead,
  dripBody,
  dripHeader,
  hangUpInBody,
  partialSuccess,
  resetAfterBody,
  resetBeforeBody,
  neverRespond,
  stallInBody,
  status,
  accept,
  type Responder,
} from '../support/otlp/fake-collector.ts'
import { decodeRequest } from '../support/otlp/messages.ts'
import { recordsOf, type OtlpRecord, type OtlpRequest, type OtlpValue } from '../support/otlp/records.ts'
import { Arrivals, type Arrived } from './arrivals.ts'
import type { collectorResponses } from './faults.ts'

type ResponseName = (typeof collectorResponses)[number]

/** A collector on the loopback interface that checks every record and keeps none. */
export interface SoakCollector {
  readonly port: number
  /** Returns the records that arrived at `/<application>/<destination>/v1/logs`. */
  arrivals(application: string, destination: string): Arrivals
  /** Sets the response to an application. undefined accepts all requests. */
  respondWith(application: string, name: ResponseName | undefined): void
  close(): Promise<void>
}

/** The records of a request that a response accepts. */
type AcceptedRecords = 'all' | 'none' | 'all but one'

const responses: Readonly<Record<ResponseName, readonly [taken: AcceptedRecords, answer: Responder]>> = {
  '503': ['none', status(503)],
  '503 with Retry-After': ['none', status(503, { 'retry-after': '1' })],
  '429': ['none', status(429, { 'retry-after': '0' })],
  '400': ['none', status(400)],
  '413': ['none', status(413)],
  'rejects one': ['all but one', rejectsOne],
  'no response': ['all', neverRespond],
  'unread request': ['none', neverRead],
  'reset before the body': ['none', resetBeforeBody],
  'reset after the body': ['all', resetAfterBody],
  'hang-up in the body': ['all', hangUpInBody],
  'stall in the body': ['all', stallInBody],
  'drip of the body': ['all', dripBody(50)],
  'drip of a header': ['all', dripHeader(50)],
}
const unreadResponses: ReadonlySet<ResponseName> = new Set(['unread request', 'reset before the body'])

/** Starts a collector. */
export async function soakCollector(): Promise<SoakCollector> {
  const sinks = new Map<string, Arrivals>()
  const responseNames = new Map<string, ResponseName>()

  function arrivals(application: string, destination: string): Arrivals {
    const key = `${application}/${destination}`
    if (!sinks.has(key)) sinks.set(key, new Arrivals())
    return sinks.get(key)!
  }

  /** Spooled records must not be rejected permanently, because they count as written. */
  function responseFor(application: string, destination: string): ResponseName | undefined {
    const name = responseNames.get(application)
    return destination === 'spool' && (name === '400' || name === '413' || name === 'rejects one') ? '503' : name
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const [, application = '', destination = ''] = request.url!.split('/')
    const name = responseFor(application, destination)
    const [accepted, respond] = name === undefined ? (['all', accept] as const) : responses[name]
    request.on('error', () => {})
    response.on('error', () => {})
    if (name !== undefined && unreadResponses.has(name)) return respond(response, request)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      addRecords(arrivals(application, destination), accepted, Buffer.concat(chunks), request)
      respond(response, request)
    })
  }

  const server = createServer(handle)
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    arrivals,
    respondWith(application, name) {
      if (name === undefined) responseNames.delete(application)
      else responseNames.set(application, name)
    },
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function addRecords(arrivals: Arrivals, accepted: AcceptedRecords, raw: Buffer, { headers }: IncomingMessage): void {
  try {
    const body = headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw
    arrivals.search(body)
    const isJson = headers['content-type'] === 'application/json'
    const request = (isJson ? JSON.parse(body.toString()) : decodeRequest(body)) as OtlpRequest
    const records = recordsOf(request)
    const count = accepted === 'none' ? 0 : accepted === 'all' ? records.length : records.length - 1
    for (const record of records.slice(0, count)) arrivals.record(arrivedRecord(record))
  } catch (error) {
    arrivals.addError(`a request cannot be read: ${String(error)}`)
  }
}

function rejectsOne(response: ServerResponse, request: IncomingMessage): void {
  if (request.headers['content-type'] === 'application/json') return partialSuccess('1')(response, request)
  // ExportLogsServiceResponse { partial_success { rejected_log_records: 1 } }
  response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end(Buffer.from([0x0a, 0x02, 0x08, 0x01]))
}

function arrivedRecord({ scope, severityText, body, eventName, timeUnixNano, attributes }: OtlpRecord): Arrived {
  return {
    scope: scope.name,
    level: severityText.toLowerCase(),
    message: body !== undefined && 'stringValue' in body ? body.stringValue : '',
    eventName: eventName === '' ? undefined : eventName,
    time: timeUnixNano,
    attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)])),
  }
}

function plain(value: OtlpValue): unknown {
  if ('stringValue' in value) return value.stringValue
  if ('intValue' in value) return Number(value.intValue)
  if ('doubleValue' in value) return value.doubleValue
  return value
}
