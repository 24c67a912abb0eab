import { censorText } from '../../encode/walk/error-members.ts'
import { member } from '../../options/own-members.ts'
import type { RedactState } from '../../redact/redact.ts'
import { redactParts, type RedactedParts } from '../../values/stacktrace.ts'
import type { JsonText } from './json-text.ts'

/**
 * What a rule for the message of an error covers: its message and those of its causes, wherever they were copied to. Undefined
 * where there is no such rule.
 */
export function redactedTexts(error: unknown, state: RedactState, key: string): readonly RedactedParts[] | undefined {
  if (state.inert || state.findsHeadersOnly) return undefined
  const censor = state.censor ?? state.step('message').censor
  if (censor === undefined) return undefined
  const covered: RedactedParts[] = []
  const seen = new Set<unknown>()
  for (let next = error; typeof next === 'object' && next !== null && !seen.has(next);) {
    seen.add(next)
    const { message, cause } = read(next)
    if (typeof message === 'string' && message !== '') {
      covered.push({ text: message, replacement: censorText(censor, message, [key, 'message']) })
    }
    next = cause
  }
  return covered
}

/** The same of a member that may be an error, or have been one before its serializer. */
export function redactedTextsOf(source: object, key: string, state: RedactState): readonly RedactedParts[] | undefined {
  if (state.inert || state.findsHeadersOnly) return undefined
  try {
    return redactedTexts((source as Record<string, unknown>)[key], state, key)
  } catch {
    return undefined // a getter, which is marked where the member is written
  }
}

/** A serialized error without them in its stack. */
export function withRedactedStack(value: unknown, covered: readonly RedactedParts[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  const stack = member(value as { stack?: unknown }, 'stack')
  return typeof stack === 'string' ? { ...value, stack: redactParts(stack, covered) } : value
}

/** What a line says of an error: itself serialized, and the message of the record. */
export interface ErrorTexts {
  readonly err: unknown
  readonly message: string | undefined
}

/** Takes out of both what a rule for the member `err` covers of the error. */
export function safeErrorTexts(error: unknown, { err, message }: ErrorTexts, json: JsonText): ErrorTexts {
  if (json.redaction === undefined) return { err, message }
  const covered = redactedTexts(error, json.stateAt('err'), 'err')
  if (covered === undefined) return { err, message }
  return {
    err: withRedactedStack(err, covered),
    message: message === undefined ? message : redactParts(message, covered),
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
