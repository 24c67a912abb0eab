import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpError } from './http-error.ts'

/**
 * Refuses another method.
 *
 * @throws HttpError
 */
export function allowedMethod({ method }: IncomingMessage, response: ServerResponse, allowed: 'GET' | 'POST'): void {
  if (method === allowed) return
  response.setHeader('allow', allowed)
  throw new HttpError(405, `use ${allowed}`)
}
