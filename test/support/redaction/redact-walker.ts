import type { RedactState, Redaction } from '../../../src/redact/redact.ts'

/** The rules for what is inside of a censor's answer; `replacedState` of src, or none. */
type Below = (state: RedactState, value: unknown, replacement: unknown) => RedactState

const left: unique symbol = Symbol('left out')

/** Applies a redaction to plain JSON data as the real walk does, without its other concerns; the data stays as it was. */
export function applyRedaction(redaction: Redaction, data: unknown, below?: Below): unknown {
  return walk(data, redaction.root, [])

  function walk(value: unknown, state: RedactState | undefined, path: readonly string[]): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) {
      return value.map((item: unknown, i) => {
        const part = place(item, state?.item ?? state?.step(String(i)), [...path, String(i)])
        return part === left || part === undefined ? null : part
      })
    }
    const members = Object.entries(value)
      .map(([key, member]): [string, unknown] => [key, place(member, state?.step(key), [...path, key])])
      .filter(([, member]) => member !== left && member !== undefined)
    return Object.fromEntries(members)
  }

  function place(value: unknown, state: RedactState | undefined, path: readonly string[]): unknown {
    const censor = state?.censor
    if (state === undefined || censor === undefined || value === null || value === undefined)
      return walk(value, state, path)
    if (censor.remove) return left
    const replacement = censor.replace(value, path)
    if (censor.isOfTexts && replacement === value) return walk(value, state, path)
    return walk(replacement, below?.(state, value, replacement), path)
  }
}
