import type { IncomingMessage, ServerResponse } from 'node:http'
import { addLogsRequest } from '../otlp/add-logs.ts'
import { addLogsJson } from '../otlp/otlp-json.ts'
import { addTracesRequest } from '../otlp/spans.ts'
import { addTracesJson } from '../otlp/spans-json.ts'
import type { LogStore } from '../store/log-store.ts'
import { RecordAdder } from '../store/record-adder.ts'
import type { SpanStore } from '../store/span-store.ts'
import { HttpError } from './http-error.ts'
import type { OriginGuard } from './origin-guard.ts'
import { readBody } from './request-body.ts'
import { allowedMethod } from './routes.ts'

/** The content types of OTLP/HTTP. */
const protobufType = 'application/x-protobuf'
const jsonType = 'application/json'

/** What receives telemetry. */
export interface TelemetryStores {
  readonly logs: LogStore
  readonly spans: SpanStore
}

/** Answers requests of OTLP/HTTP (https://opentelemetry.io/docs/specs/otlp/#otlphttp). */
export class TelemetryEndpoints {
  private readonly stores: TelemetryStores
  private readonly guard: OriginGuard
  private readonly adder: RecordAdder

  constructor(stores: TelemetryStores, guard: OriginGuard) {
    this.stores = stores
    this.guard = guard
    this.adder = new RecordAdder(stores.logs)
  }

  /** Answers a request to `/v1/…`. */
  async answer(signal: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const origin = this.guard.telemetryOrigin(request)
    if (origin !== undefined) {
      response.setHeader('access-control-allow-origin', origin)
      response.setHeader('vary', 'origin')
    }
    if (request.method === 'OPTIONS') return answerPreflight(response)
    allowedMethod(request, response, 'POST')
    const type = contentTypeOf(request)
    const body = await readBody(request)
    this.add(signal, type, body)
    // A response without fields: everything was accepted.
    response.writeHead(200, { 'content-type': type })
    response.end(type === jsonType ? '{}' : '')
  }

  private add(signal: string, type: string, body: Buffer): void {
    const { logs, spans } = this.stores
    // Metrics are not shown.
    if (signal === 'metrics') return
    try {
      if (type === protobufType) {
        if (signal === 'logs') addLogsRequest(logs, body, Date.now())
        else addTracesRequest(spans, body)
        return
      }
      const text = body.toString()
      const count = signal === 'logs' ? addLogsJson(this.adder, text) : addTracesJson(spans, text)
      if (count === undefined) throw new RangeError('it is not a request of OTLP/JSON')
    } catch (error) {
      throw new HttpError(400, `the body is damaged: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

function contentTypeOf({ headers }: IncomingMessage): string {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
  if (type === protobufType || type === jsonType) return type
  throw new HttpError(415, `the content type must be ${protobufType} or ${jsonType}`)
}

function answerPreflight(response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'authorization, content-encoding, content-type, traceparent, tracestate, baggage',
    'access-control-max-age': '600',
  })
  response.end()
}
