import type { AnyValue, AnyValueMap } from '../record/any-value.ts'
import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../rules/rules.ts'
import { AttributesWalk } from './attributes.ts'
import { exceptionKeys } from './error-attributes.ts'
import { plainRules } from './plain.ts'
import { RecordWalk } from './record-walk.ts'
import { ValueWalk } from './value-walk.ts'

/**
 * Walks a record once for several formats: what comes back holds data only, redacted, and says the same line in each
 * format as the record itself would. It is to be encoded by `plainRules`.
 */
export function resolveRecord(record: LogRecord, rules: Rules): LogRecord {
  const walk = new RecordWalk(new ValueWalk(rules), rules)
  walk.read(record)
  const { object, dropped } = walk.attributes
  const { bound } = record
  // What the record says as its exception stands there as exception.* and must hide the bound one all the same.
  const hidden = [...bound.attributes].some(([key]) => !object.has(key) && walk.attributes.says(key))
  const attributes = hidden
    ? new Map([...bound.attributes].filter(([key]) => !walk.attributes.says(key)))
    : bound.attributes
  return {
    ...record,
    body: walk.structured ?? walk.message,
    // The prefix stands in the message already.
    bound: { ...bound, attributes, messagePrefix: '', rendered: { by: undefined, value: undefined } },
    literal: true,
    args: undefined,
    extra: undefined,
    attributes: object,
    exception: walk.exceptionParts,
    enriched: undefined,
    droppedAttributes: record.droppedAttributes + dropped,
  }
}

/** A snapshot of attributes, and how many were past the limit. */
export interface Resolved {
  readonly attributes: AnyValueMap
  readonly dropped: number
}

/** Takes snapshots of attributes by one set of rules: redacted data that no later change of the caller's objects reaches. */
export class Resolver {
  private readonly rules: Rules
  private readonly walk: ValueWalk
  private readonly top: AttributesWalk<AnyValue, Map<string, AnyValue>, AnyValue[]>
  private busy = false

  constructor(rules: Rules) {
    this.rules = rules
    this.walk = new ValueWalk(rules)
    this.top = new AttributesWalk(this.walk, rules)
  }

  resolve(attributes: object): Resolved {
    // User code inside the walk may make a child logger.
    if (this.busy) return new Resolver(this.rules).resolve(attributes)
    this.busy = true
    try {
      const { top } = this
      this.walk.begin()
      top.begin()
      top.write(attributes)
      // No call, so no exception: an Error that is bound stays an attribute.
      top.exception(undefined, false)
      return { attributes: top.object, dropped: top.dropped }
    } finally {
      this.busy = false
    }
  }

  /**
   * The same for a snapshot that was taken by other rules. Serializers get plain objects, as they expect them; what was an
   * Error stays what it has become.
   */
  resolveData(data: AnyValueMap): Resolved {
    const { serializers } = this.rules
    const isPlain = (key: string) => serializers.has(key) && !exceptionKeys.includes(key)
    if (![...data.keys()].some(isPlain)) return this.resolve(data)
    return this.resolve(new Map(Array.from(data, ([key, value]) => [key, isPlain(key) ? plainValue(value) : value])))
  }
}

/** Redacts a snapshot by further rules; all else was done when it was taken. */
export function redactedData(data: AnyValueMap, rules: Rules): AnyValueMap {
  return new Resolver({ ...plainRules, redaction: rules.redaction }).resolve(data).attributes
}

function plainValue(value: AnyValue): unknown {
  if (value instanceof Map)
    return Object.fromEntries(Array.from(value, ([key, item]) => [key, plainValue(item as AnyValue)]))
  return Array.isArray(value) ? value.map(plainValue) : value
}
