import { withoutPrototype } from '../../options/own-members.ts'

/** A request to the levels handler, in a form that does not depend on the server. */
export interface LevelsRequest {
  readonly method: string
  /** The path with its query, or the whole URL. */
  readonly url: string
  readonly remoteAddress: string | undefined
  /** Returns a header, by its name in lowercase. */
  header(name: string): string | undefined
  /**
   * Reads the body.
   *
   * @throws RejectedRequest if it is too long or incomplete.
   */
  readBody(): Promise<RequestBody>
}

/** The body of a request: its text, or the value that a body parser of the framework has created. */
export type RequestBody = { readonly text: string } | { readonly parsed: unknown }

/** The response of the levels handler, in a form that does not depend on the server. */
export interface LevelsResponse {
  readonly status: number
  /** The headers, by names in lowercase. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The maximum length of a body in bytes. */
export const maxBodyBytes = 4_096

/** The error that is thrown for a request that is answered with an error status. */
export class RejectedRequest extends Error {
  override readonly name = 'RejectedRequest'
  readonly status: number
  /** Further members of the error in the response. */
  readonly details: object
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, details: object = {}, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.details = details
    this.headers = headers
  }
}

/** Returns the error for a body that is too long. */
export function bodyTooLong(): RejectedRequest {
  // The rest of the body is not read, so the connection cannot be used again.
  return new RejectedRequest(413, `the body must have at most ${maxBodyBytes} bytes`, {}, { connection: 'close' })
}

/** Returns the error for a body that does not arrive in time. */
export function bodyTimeout(millis: number): RejectedRequest {
  return new RejectedRequest(408, `the body was not complete after ${millis} ms`, {}, { connection: 'close' })
}

/** Returns the error for a body that ended early. */
export function bodyIncomplete(): RejectedRequest {
  return new RejectedRequest(400, 'the body is incomplete')
}

/** Returns the error for a body that other code has read without keeping it. */
export function bodyConsumed(): RejectedRequest {
  return new RejectedRequest(
    400,
    'the body was already read by other code of the server; call the levels handler before it',
  )
}

/**
 * Decodes a body.
 *
 * @throws RejectedRequest if it is not UTF-8.
 */
export function decodeBody(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder('utf-8', withoutPrototype({ fatal: true }))
  try {
    return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode()
  } catch {
    throw new RejectedRequest(400, 'the body must be UTF-8')
  }
}
