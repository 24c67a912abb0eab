import { exceptionFields, exceptionRules } from '../../encode/walk/exception-fields.ts'
import { exceptionOf } from '../../values/exception.ts'
import type { Rules } from '../../values/record-rules.ts'

/** Returns the attributes of an exception before redaction, as processors receive them (EXC1). */
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
 * Returns the exception attributes listed in `keys`, redacted by the rules for exceptions. Returns none when a rule redacts the
 * whole exception.
 */
export function redactedException(error: object, keys: readonly string[], rules: Rules): Record<string, string> {
  const exception = exceptionRules(rules.redaction.root)
  if (exception.state.censor !== undefined) return {}
  const { type, message, stacktrace } = exceptionFields(error, exception, 'err', rules.limits)
  const texts = { 'exception.type': type, 'exception.message': message, 'exception.stacktrace': stacktrace }
  const kept = Object.entries(texts).filter(([key, text]) => text !== undefined && keys.includes(key))
  return Object.fromEntries(kept) as Record<string, string>
}
