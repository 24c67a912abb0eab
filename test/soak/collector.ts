import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import {
  deafness,
  dripBody,
  dripHeader,
  hangUpInBody,
  partial,
  resetAfterBody,
  resetBeforeBody,
  silence,
  stallInBody,
  status,
  taken,
  type Answer,
} from '../support/otlp/fake-collector.ts'
import { decodeRequest } from '../support/otlp/messages.ts'
import { recordsOf, type OtlpRecord, type OtlpRequest, type OtlpValue } from '../support/otlp/records.ts'
import { Arrivals, type Arrived } from './arrivals.ts'
import type { collectorAnswers } from './faults.ts'

type AnswerName = (typeof collectorAnswers)[number]

/** A collector on the loopback that looks at every record, and keeps none. */
export interface SoakCollector {
  readonly port: number
  /** What has come by the path `/<application>/<destination>/v1/logs`. */
  arrivals(application: string, destination: string): Arrivals
  /** How it answers an application from now on; undefined: it takes what comes. */
  answer(application: string, name: AnswerName | undefined): void
  close(): Promise<void>
}

/** Which records of a request are taken by one who answers so. */
type Taken = 'all' | 'none' | 'all but one'

const answers: Readonly<Record<AnswerName, readonly [taken: Taken, answer: Answer]>> = {
  '503': ['none', status(503)],
  '503 with Retry-After': ['none', status(503, { 'retry-after': '1' })],
  '429': ['none', status(429, { 'retry-after': '0' })],
  '400': ['none', status(400)],
  '413': ['none', status(413)],
  'rejects one': ['all but one', rejectsOne],
  silence: ['all', silence],
  deafness: ['none', deafness],
  'reset before the body': ['none', resetBeforeBody],
  'reset after the body': ['all', resetAfterBody],
  'hang-up in the body': ['all', hangUpInBody],
  'stall in the body': ['all', stallInBody],
  'drip of the body': ['all', dripBody(50)],
  'drip of a header': ['all', dripHeader(50)],
}
const deaf: ReadonlySet<AnswerName> = new Set(['deafness', 'reset before the body'])

/** Starts one. */
export async function soakCollector(): Promise<SoakCollector> {
  const sinks = new Map<string, Arrivals>()
  const answering = new Map<string, AnswerName>()

  function arrivals(application: string, destination: string): Arrivals {
    const key = `${application}/${destination}`
    if (!sinks.has(key)) sinks.set(key, new Arrivals())
    return sinks.get(key)!
  }

  /** What a spool has, it has promised: it must not be refused for good. */
  function answerTo(application: string, destination: string): AnswerName | undefined {
    const name = answering.get(application)
    return destination === 'spool' && (name === '400' || name === '413' || name === 'rejects one') ? '503' : name
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const [, application = '', destination = ''] = request.url!.split('/')
    const name = answerTo(application, destination)
    const [takes, answer] = name === undefined ? (['all', taken] as const) : answers[name]
    request.on('error', () => {})
    response.on('error', () => {})
    if (name !== undefined && deaf.has(name)) return answer(response, request)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      take(arrivals(application, destination), takes, Buffer.concat(chunks), request)
      answer(response, request)
    })
  }

  const server = createServer(handle)
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    arrivals,
    answer(application, name) {
      if (name === undefined) answering.delete(application)
      else answering.set(application, name)
    },
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function take(arrivals: Arrivals, takes: Taken, raw: Buffer, { headers }: IncomingMessage): void {
  try {
    const body = headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw
    arrivals.search(body)
    const isJson = headers['content-type'] === 'application/json'
    const request = (isJson ? JSON.parse(body.toString()) : decodeRequest(body)) as OtlpRequest
    const records = recordsOf(request)
    const count = takes === 'none' ? 0 : takes === 'all' ? records.length : records.length - 1
    for (const record of records.slice(0, count)) arrivals.record(arrivedRecord(record))
  } catch (error) {
    arrivals.complain(`a request cannot be read: ${String(error)}`)
  }
}

function rejectsOne(response: ServerResponse, request: IncomingMessage): void {
  if (request.headers['content-type'] === 'application/json') return partial('1')(response, request)
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
