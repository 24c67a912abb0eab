import { withoutPrototype } from '../options/own-members.ts'
import { BodyCapture } from './body-capture.ts'
import { addBody } from './body-fields.ts'
import type { CompleteResponse, HttpRequest } from './exchange.ts'
import type { Fields } from './fields.ts'
import type { Settings } from './settings.ts'
import type { OptionErrors } from './option-errors.ts'
import { compileRequestTest, type RequestTest } from './request-test.ts'
import { requestBodyPrefix, responseBodyPrefix } from './semantic-conventions.ts'

/** The bodies of one request that are logged. The adapters add them while they are received and sent. */
export class RequestBodies {
  readonly request: BodyCapture | undefined
  readonly response: BodyCapture | undefined

  constructor(request: BodyCapture | undefined, response: BodyCapture | undefined) {
    this.request = request
    this.response = response
  }

  /** Adds the bodies to a record, except for responses that are sent without a body (RFC 9110 section 6.4.1). */
  addTo(fields: Fields, request: HttpRequest, response: CompleteResponse, settings: Settings): void {
    addBody(fields, this.request, request, withoutPrototype({ ...settings, prefix: requestBodyPrefix }))
    const { statusCode } = response
    if (request.method === 'HEAD' || statusCode === 204 || statusCode === 304) return
    addBody(fields, this.response, response, withoutPrototype({ ...settings, prefix: responseBodyPrefix }))
  }

  /** Frees the copies. */
  release(): void {
    this.request?.release()
    this.response?.release()
  }
}

/** Decides which bodies are logged. */
export class BodySelector {
  readonly #logsRequest: RequestTest
  readonly #logsResponse: RequestTest
  readonly #maxBytes: number

  constructor({ requestBody, responseBody, maxBodyBytes }: Settings) {
    this.#logsRequest = compileRequestTest('requestBody', requestBody)
    this.#logsResponse = compileRequestTest('responseBody', responseBody)
    this.#maxBytes = maxBodyBytes
  }

  /** Returns the captures for the bodies of a request that are logged; undefined if no body is logged. */
  select(request: HttpRequest, path: string, optionErrors: OptionErrors): RequestBodies | undefined {
    const logsRequest = this.#logsRequest(request, path, optionErrors)
    const logsResponse = this.#logsResponse(request, path, optionErrors)
    if (!logsRequest && !logsResponse) return undefined
    const capture = (): BodyCapture => new BodyCapture(this.#maxBytes)
    return new RequestBodies(logsRequest ? capture() : undefined, logsResponse ? capture() : undefined)
  }
}
