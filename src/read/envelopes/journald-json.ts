import type { AnyValue } from '../../record/any-value.ts'
import type { Envelope } from './envelope.ts'
import { journalEnvelope } from './journald.ts'

/**
 * Unwraps a line of `journalctl -o json`: an object of the fields of an entry, all of them texts. A field that is not UTF-8 is an array
 * of its bytes, one that occurs several times is an array of values, and one that is too long is null (Journal JSON format of systemd).
 */
export function unwrapJournalJson(text: string): Envelope | undefined {
  // The names of fields begin with `_` or a capital letter. Older versions write spaces around names.
  const quote = text.charCodeAt(1) === 32 ? 2 : 1
  const first = text.charCodeAt(quote + 1)
  if (text.charCodeAt(quote) !== 34 || (first !== 95 && !(first >= 65 && first <= 90))) return undefined
  if (!text.includes('"__REALTIME_TIMESTAMP"')) return undefined
  let entry: unknown
  try {
    entry = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof entry !== 'object' || entry === null || !Object.hasOwn(entry, '__REALTIME_TIMESTAMP')) return undefined
  const fields = new Map<string, AnyValue>()
  for (const [name, value] of Object.entries(entry)) {
    const field = fieldOf(value)
    if (field !== undefined) fields.set(name, field)
  }
  return journalEnvelope(fields)
}

function fieldOf(value: unknown): AnyValue | undefined {
  if (typeof value === 'string' || typeof value === 'number') return value
  if (!Array.isArray(value)) return undefined
  if (value.every((item) => typeof item === 'number')) return Buffer.from(value).toString('utf8')
  return value.map(fieldOf).filter((item) => item !== undefined)
}
