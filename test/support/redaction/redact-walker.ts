import type { RedactState, Redaction } from '../../../src/redact/redact.ts'

/** Returns the rules for values inside the result of a censor. */
type Below = (state: RedactState, value: unknown, replacement: unknown) => RedactState

const omitted: unique symbol = Symbol('omitted')

/** Applies a redaction to plain JSON data as the encoder does, without its other features. Does not modify the data. */
export function applyRedaction(redaction: Redaction, data: unknown, below?: Below): unknown {
  return walk(data, redaction.root, [])

  function walk(value: unknown, state: RedactState | undefined, path: readonly string[]): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) {
      return value.map((item: unknown, i) => {
        const part = place(item, state?.itemState ?? state?.step(String(i)), [...path, String(i)])
        return part === omitted || part === undefined ? null : part
      })
    }
    const members = Object.entries(value)
      .map(([key, member]): [string, unknown] => [key, place(member, state?.step(key), [...path, key])])
      .filter(([, member]) => member !== omitted && member !== undefined)
    return Object.fromEntries(members)
  }

  function place(value: unknown, state: RedactState | undefined, path: readonly string[]): unknown {
    const censor = state?.censor
    if (state === undefined || censor === undefined || value === null || value === undefined)
      return walk(value, state, path)
    if (censor.removesMember) return omitted
    const replacement = censor.replace(value, path)
    if (censor.keepsValuesWithoutSecret && replacement === value) return walk(value, state, path)
    return walk(replacement, below?.(state, value, replacement), path)
  }
}
