import type { Directive, Predicate } from '../levels/directive.ts'
import type { LevelChangeEvent, LevelLayer } from '../levels/level-layer.ts'
import { defaultReplacement } from '../redact/censor.ts'

/** The event name of the records of changes. */
export const levelChangeEventName: string = 'sluice.level_changed'

/** Returns a value as the logger would write it under a key of a record's attributes: redacted; undefined if it is omitted. */
export type RedactAttribute = (key: string, value: unknown) => unknown

/** The message and the attributes of the record of a change. */
export interface LevelChangeRecord {
  readonly message: string
  readonly attributes: object
}

/**
 * Returns the record of a change. The rules of the logger that writes it apply to the values of conditions too, since these are values of
 * attributes.
 */
export function levelChangeRecord(
  { action, layer, from, to }: LevelChangeEvent,
  redact: RedactAttribute,
): LevelChangeRecord {
  const { source, by, remoteAddress, until, ignored } = layer
  const directives = redactedText(layer, redact)
  const untilTime = until === undefined ? undefined : new Date(until).toISOString()
  const origin = source + (by === undefined ? '' : ` (${redactedValue({ key: 'by', value: by }, redact)})`)
  const verb = action === 'set' ? `set by ${origin}${untilTime === undefined ? '' : ` until ${untilTime}`}` : action
  const attributes = {
    action,
    directives,
    source,
    ...(by !== undefined && { by }),
    ...(remoteAddress !== undefined && { 'client.address': remoteAddress }),
    ...(untilTime !== undefined && { until: untilTime }),
    ...(ignored !== undefined && { ignored }),
    from: from.map((each) => redactedText(each, redact)),
    to: to.map((each) => redactedText(each, redact)),
  }
  return { message: `log level directives ${verb}: ${directives}`, attributes }
}

/** Returns the text of a layer, in which the values that rules match are redacted. */
function redactedText({ directives, text }: LevelLayer, redact: RedactAttribute): string {
  const texts = directives.map((directive) => redactedDirective(directive, redact))
  return texts.every((each, i) => each === directives[i]!.text) ? text : texts.join()
}

function redactedDirective({ pattern, predicates, level, text }: Directive, redact: RedactAttribute): string {
  const values = predicates.map((predicate) => redactedValue(predicate, redact))
  if (values.every((value, i) => value === predicates[i]!.value)) return text
  const conditions = predicates.map(
    ({ key, value }, i) => `${quoted(key)}=${values[i] === value ? quoted(value) : values[i]!}`,
  )
  return `${pattern === undefined ? '' : quoted(pattern)}[${conditions.join()}]=${level}`
}

function redactedValue({ key, value }: Predicate, redact: RedactAttribute): string {
  const redacted = redact(key, value)
  if (redacted !== value) return typeof redacted === 'string' ? redacted : defaultReplacement
  const [first = '', ...names] = key.split('.')
  if (names.length === 0) return value
  // A path such as `user.password` also matches the attribute with this name.
  const nested = redact(
    first,
    names.reduceRight<unknown>((member, name) => ({ [name]: member }), value),
  )
  return innermost(nested) === value ? value : defaultReplacement
}

/** Returns the value in objects with one member each. */
function innermost(value: unknown): unknown {
  let inner = value
  while (typeof inner === 'object' && inner !== null) {
    const members: unknown[] = [...(inner instanceof Map ? inner.values() : Object.values(inner))]
    inner = members[0]
  }
  return inner
}

/** Returns a word of a directive, in quotes if it needs them. */
function quoted(word: string): string {
  return /^[\w.*?:/-]+$/.test(word) ? word : `"${word.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
