import { censorText } from '../../encode/walk/error-members.ts'
import { member } from '../../options/own-members.ts'
import type { RedactState } from '../../redact/redact.ts'
import { replaceRedactedTexts, type RedactedText } from '../../values/stacktrace.ts'
import type { JsonWriter } from './json-text.ts'

/**
 * Returns the messages of an error and its causes with their replacements, if a rule redacts the message; undefined if there is no
 * such rule. They are used to redact copies of these messages in other places, such as the stack.
 *
 * @param state - the rules for the error
 * @param key - the name of the member that contains the error
 */
export function errorMessageReplacements(
  error: unknown,
  state: RedactState,
  key: string,
): readonly RedactedText[] | undefined {
  if (state.hasNoRules || state.hasOnlyHeaderRule) return undefined
  const censor = state.censor ?? state.step('message').censor
  if (censor === undefined) return undefined
  const replacements: RedactedText[] = []
  const seen = new Set<unknown>()
  for (let next = error; typeof next === 'object' && next !== null && !seen.has(next);) {
    seen.add(next)
    const { message, cause } = readTexts(next)
    if (typeof message === 'string' && message !== '') {
      replacements.push({ text: message, replacement: censorText(censor, message, [key, 'message']) })
    }
    next = cause
  }
  return replacements
}

/** Returns the same as `errorMessageReplacements` for a member of the logged object: an error that a serializer may replace. */
export function errorMessageReplacementsOfMember(
  source: object,
  key: string,
  state: RedactState,
): readonly RedactedText[] | undefined {
  if (state.hasNoRules || state.hasOnlyHeaderRule) return undefined
  try {
    return errorMessageReplacements((source as Record<string, unknown>)[key], state, key)
  } catch {
    return undefined // a getter threw; a marker of the error is written instead of the member
  }
}

/** Returns a serialized error with the messages in its stack replaced. Other values are returned unchanged. */
export function withRedactedStack(serialized: unknown, messageReplacements: readonly RedactedText[]): unknown {
  if (typeof serialized !== 'object' || serialized === null) return serialized
  const stack = member(serialized as { stack?: unknown }, 'stack')
  return typeof stack === 'string'
    ? { ...serialized, stack: replaceRedactedTexts(stack, messageReplacements) }
    : serialized
}

/** The parts of a line that describe an error: the serialized error and the message of the record. */
export interface ErrorTexts {
  readonly err: unknown
  readonly message: string | undefined
}

/** Redacts the messages of `error` in the stack of `err` and in `message`, if a rule for the member `err` redacts these messages. */
export function redactMessageCopies(error: unknown, { err, message }: ErrorTexts, json: JsonWriter): ErrorTexts {
  if (json.redaction === undefined) return { err, message }
  const messageReplacements = errorMessageReplacements(error, json.stateAt('err'), 'err')
  if (messageReplacements === undefined) return { err, message }
  return {
    err: withRedactedStack(err, messageReplacements),
    message: message === undefined ? message : replaceRedactedTexts(message, messageReplacements),
  }
}

function readTexts(error: object): { message: unknown; cause: unknown } {
  try {
    const texts = error as { message?: unknown; cause?: unknown }
    return { message: member(texts, 'message'), cause: member(texts, 'cause') }
  } catch {
    return { message: undefined, cause: undefined }
  }
}
