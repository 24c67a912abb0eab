import { coverText } from '../rules/stacktrace.ts'
import type { JsonText } from './json-text.ts'
import { coveredTexts, withCoveredStack } from './pino/covered-error.ts'

/** What a line says of an error: itself serialized, and the message of the record. */
export interface ErrorTexts {
  readonly err: unknown
  readonly message: string | undefined
}

/** Takes out of both what a rule for the member `err` covers of the error. */
export function safeErrorTexts(error: unknown, { err, message }: ErrorTexts, json: JsonText): ErrorTexts {
  if (json.redaction === undefined) return { err, message }
  const covered = coveredTexts(error, json.stateAt('err'), 'err')
  if (covered === undefined) return { err, message }
  return { err: withCoveredStack(err, covered), message: message === undefined ? message : coverText(message, covered) }
}
