import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpError } from './http-error.ts'

/**
 * Refuses another method.
 *
 * @throws HttpError
 */
export function allowedMethod(
  { method }: IncomingMessage,
  response: ServerResponse,
  ...allowed: readonly ('GET' | 'HEAD' | 'POST')[]
): void {
  if (allowed.some((each) => each === method)) return
  response.setHeader('allow', allowed.join(', '))
  throw new HttpError(405, `use ${allowed[0]}`)
}
