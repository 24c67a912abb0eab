import type { IncomingMessage, ServerResponse } from 'node:http'
import { bytesField, encodeUtf8, varint } from '../../encode/otlp/protobuf.ts'
import type { LogArchive } from '../database/log-archive.ts'
import { addLogsRequest } from '../otlp/add-logs.ts'
import { addLogsJson } from '../otlp/otlp-json.ts'
import { addTracesRequest } from '../otlp/spans.ts'
import { addTracesJson } from '../otlp/spans-json.ts'
import type { DuplicateFinder } from '../store/duplicate-finder.ts'
import type { LogStore } from '../store/log-store.ts'
import { RecordAdder } from '../store/record-adder.ts'
import type { SpanSink, SpanStore } from '../store/span-store.ts'
import { HttpError } from './http-error.ts'
import type { OriginGuard } from './origin-guard.ts'
import { jsonType, protobufType } from './otlp-types.ts'
import { BodyReader } from './request-body.ts'
import { allowedMethod } from './routes.ts'

/** What receives telemetry. */
export interface TelemetryStores {
  readonly logs: LogStore
  readonly spans: SpanStore
  /** Saves what is received; undefined without a database. */
  readonly archive: LogArchive | undefined
  readonly duplicates: DuplicateFinder
}

/** Answers requests of OTLP/HTTP (https://opentelemetry.io/docs/specs/otlp/#otlphttp). */
export class TelemetryEndpoints {
  private readonly stores: TelemetryStores
  private readonly guard: OriginGuard
  private readonly adder: RecordAdder
  private readonly bodies = new BodyReader()

  constructor(stores: TelemetryStores, guard: OriginGuard) {
    this.stores = stores
    this.guard = guard
    this.adder = new RecordAdder(stores.logs)
  }

  /**
   * Refuses a request of a page of another machine, and permits a page of this one to read the response.
   *
   * @throws HttpError
   */
  checkOrigin(request: IncomingMessage, response: ServerResponse): void {
    const origin = this.guard.telemetryOrigin(request)
    if (origin === undefined) return
    response.setHeader('access-control-allow-origin', origin)
    response.setHeader('vary', 'origin')
    // `sendBeacon` always sends cookies.
    response.setHeader('access-control-allow-credentials', 'true')
  }

  /**
   * Answers a request to `/v1/…`, whose origin and token are valid.
   *
   * @throws HttpError
   */
  async answer(signal: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    allowedMethod(request, response, 'POST')
    const type = contentTypeOf(request)
    const body = await this.bodies.read(request)
    const rejected = this.save(signal, type, body)
    response.writeHead(200, { 'content-type': type })
    response.end(type === jsonType ? jsonResponse(rejected) : protobufResponse(rejected))
  }

  /** Adds the records or spans of a request, and saves them. What is acknowledged was saved. */
  private save(signal: string, type: string, body: Buffer): number {
    const { archive, spans, duplicates } = this.stores
    const add = (): number => this.add(signal, type, body, archive ?? spans)
    try {
      return archive === undefined ? add() : archive.save(add)
    } catch (error) {
      // The client sends it again.
      if (error instanceof HttpError && error.status === 503) duplicates.undo()
      throw error
    } finally {
      duplicates.commit()
    }
  }

  /** Adds the records or spans of a request. Returns how many spans were not valid. */
  private add(signal: string, type: string, body: Buffer, spans: SpanSink): number {
    const { logs, duplicates } = this.stores
    // Metrics are not shown.
    if (signal === 'metrics') return 0
    try {
      if (type === protobufType) {
        if (signal === 'traces') return addTracesRequest(spans, body)
        addLogsRequest(logs, body, Date.now(), duplicates)
        return 0
      }
      const text = body.toString()
      const result = signal === 'logs' ? addLogsJson(this.adder, text, duplicates) : addTracesJson(spans, text)
      if (result === undefined) throw new RangeError('it is not a request of OTLP/JSON')
      return signal === 'logs' ? 0 : result
    } catch (error) {
      throw new HttpError(400, `the body is damaged: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

/** Answers the request of a browser before a page sends telemetry. A page of another machine was refused before. */
export function answerPreflight({ headers }: IncomingMessage, response: ServerResponse): void {
  const requested = headers['access-control-request-headers'] ?? ''
  response.writeHead(204, {
    'access-control-allow-methods': 'POST',
    // Users can add headers to an exporter, so all are allowed.
    'access-control-allow-headers': /^[\w\-, ]*$/.test(requested) ? requested : '',
    'access-control-max-age': '600',
  })
  response.end()
}

function contentTypeOf({ headers }: IncomingMessage): string {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
  if (type === protobufType || type === jsonType) return type
  throw new HttpError(415, `the content type must be ${protobufType} or ${jsonType}`)
}

const rejectedMessage = 'the trace ID must have 16 bytes and the span ID 8, not all of them zero'

/** Returns an `ExportTraceServiceResponse`. Without fields, everything was accepted. */
function protobufResponse(rejected: number): Buffer | string {
  if (rejected === 0) return ''
  const partial = `\x08${varint(rejected)}${bytesField('\x12', encodeUtf8(rejectedMessage))}`
  return Buffer.from(bytesField('\x0a', partial), 'latin1')
}

function jsonResponse(rejected: number): string {
  if (rejected === 0) return '{}'
  return JSON.stringify({ partialSuccess: { rejectedSpans: String(rejected), errorMessage: rejectedMessage } })
}
