import { censorText } from '../../encode/walk/error-members.ts'
import { member } from '../../options/own-members.ts'
import type { RedactState } from '../../redact/redact.ts'
import { redactParts, type RedactedParts } from '../../values/stacktrace.ts'
import type { JsonText } from './json-text.ts'

/**
 * Returns the messages of an error and its causes with their replacements, if a rule redacts the message; undefined if there is no
 * such rule. Copies of these messages in other places are redacted with them.
 */
export function redactedTexts(error: unknown, state: RedactState, key: string): readonly RedactedParts[] | undefined {
  if (state.inert || state.findsHeadersOnly) return undefined
  const censor = state.censor ?? state.step('message').censor
  if (censor === undefined) return undefined
  const redactedParts: RedactedParts[] = []
  const seen = new Set<unknown>()
  for (let next = error; typeof next === 'object' && next !== null && !seen.has(next);) {
    seen.add(next)
    const { message, cause } = read(next)
    if (typeof message === 'string' && message !== '') {
      redactedParts.push({ text: message, replacement: censorText(censor, message, [key, 'message']) })
    }
    next = cause
  }
  return redactedParts
}

/** Returns the same as `redactedTexts` for a member that is an error, or was one before it was serialized. */
export function redactedTextsOf(source: object, key: string, state: RedactState): readonly RedactedParts[] | undefined {
  if (state.inert || state.findsHeadersOnly) return undefined
  try {
    return redactedTexts((source as Record<string, unknown>)[key], state, key)
  } catch {
    return undefined // a getter threw; the thrown marker is written with the member
  }
}

/** Returns a serialized error with the redacted texts removed from its stack. */
export function withRedactedStack(value: unknown, redactedParts: readonly RedactedParts[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  const stack = member(value as { stack?: unknown }, 'stack')
  return typeof stack === 'string' ? { ...value, stack: redactParts(stack, redactedParts) } : value
}

/** The parts of a line that describe an error: the serialized error and the message of the record. */
export interface ErrorTexts {
  readonly err: unknown
  readonly message: string | undefined
}

/** Redacts in both texts the error messages to which a rule for the member `err` applies. */
export function safeErrorTexts(error: unknown, { err, message }: ErrorTexts, json: JsonText): ErrorTexts {
  if (json.redaction === undefined) return { err, message }
  const redactedParts = redactedTexts(error, json.stateAt('err'), 'err')
  if (redactedParts === undefined) return { err, message }
  return {
    err: withRedactedStack(err, redactedParts),
    message: message === undefined ? message : redactParts(message, redactedParts),
  }
}

function read(error: object): { message: unknown; cause: unknown } {
  try {
    const texts = error as { message?: unknown; cause?: unknown }
    return { message: member(texts, 'message'), cause: member(texts, 'cause') }
  } catch {
    return { message: undefined, cause: undefined }
  }
}
