import { exceptionFields, exceptionRules } from '../../encode/walk/exception-fields.ts'
import { exceptionOf } from '../../values/exception.ts'
import type { Rules } from '../../values/record-rules.ts'

/** Returns the attributes of an exception before redaction, as processors receive them. */
export function exceptionAttributes(error: object): (readonly [key: string, text: string])[] {
  const { type, message, stacktrace } = exceptionOf(error)
  const texts = [
    ['exception.type', type],
    ['exception.message', message],
    ['exception.stacktrace', stacktrace],
  ] as const
  return texts.flatMap(([key, text]) => (text === undefined || text === '' ? [] : [[key, text] as const]))
}

/**
 * Returns the exception attributes listed in `keys`, redacted by the rules for exceptions. Returns an empty object if a rule redacts
 * the whole exception.
 */
export function redactedExceptionAttributes(
  error: object,
  keys: readonly string[],
  rules: Rules,
): Record<string, string> {
  const ruleStates = exceptionRules(rules.redaction.root)
  if (ruleStates.redactState.censor !== undefined) return {}
  const { type, message, stacktrace } = exceptionFields(error, ruleStates, 'err', rules.limits)
  const texts = { 'exception.type': type, 'exception.message': message, 'exception.stacktrace': stacktrace }
  const requested = Object.entries(texts).filter(([key, text]) => text !== undefined && keys.includes(key))
  return Object.fromEntries(requested) as Record<string, string>
}
