import type { AnyValue, AnyValueMap } from '../record/any-value.ts'
import type { BoundState } from '../record/bound.ts'
import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../rules/rules.ts'
import { AttributesWalk } from './attributes.ts'
import { exceptionKeys } from './error-attributes.ts'
import { plainRules } from './plain.ts'
import { RecordWalk } from './record-walk.ts'
import { ValueWalk } from './value-walk.ts'

/**
 * Walks a record into redacted data, for a consumer that is no encoding of this package. Encoded by `plainRules`, the result gives the
 * same text as the record itself.
 */
export function resolveRecord(record: LogRecord, rules: Rules): LogRecord {
  const walk = new RecordWalk(new ValueWalk(rules), rules)
  walk.read(record)
  const { object, dropped } = walk.attributes
  const { bound } = record
  // What the record says as its exception stands there as exception.* and must hide the bound one all the same.
  const hidden = [...bound.attributes.keys()].some((key) => !object.has(key) && walk.attributes.says(key))
  return {
    ...record,
    body: walk.structured ?? walk.message,
    // The prefix stands in the message already.
    bound: hidden
      ? bound.unprefixed.withAttributes(new Map([...bound.attributes].filter(([key]) => !walk.attributes.says(key))))
      : bound.unprefixed,
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

/** Captured attributes as names and values. */
export interface CapturedParts {
  readonly names: readonly string[]
  readonly values: readonly AnyValue[]
  /** Identifies the names: captures with one shape have the same names in the same order. undefined: no shape does. */
  readonly shape: object | undefined
  /** How many attributes were over the limit. */
  readonly dropped: number
}

/** What the last capture has found. Its getters copy, so read them once. */
class CapturedAttributes implements CapturedParts {
  private readonly allNames: string[] = []
  private readonly allValues: AnyValue[] = []
  private count = 0
  shape: object | undefined
  dropped = 0

  get names(): readonly string[] {
    return this.allNames.slice(0, this.count)
  }

  get values(): readonly AnyValue[] {
    return this.allValues.slice(0, this.count)
  }

  /** Empties it. The arrays keep their room: shortening an array frees it. */
  clear(): void {
    this.count = 0
  }

  set(name: string, value: AnyValue): this {
    this.allNames[this.count] = name
    this.allValues[this.count] = value
    this.count++
    return this
  }
}

/** Takes snapshots of attributes by one set of rules: redacted data that no later change of the caller's objects reaches. */
export class Resolver {
  private readonly rules: Rules
  private readonly walk: ValueWalk
  private readonly top: AttributesWalk<AnyValue, Map<string, AnyValue>, AnyValue[]>
  private readonly captured = new CapturedAttributes()
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

  /** Captures attributes as names and values, without a map. */
  capture(attributes: object): CapturedParts {
    // User code inside the walk may make a child logger.
    if (this.busy) return new Resolver(this.rules).capture(attributes)
    this.busy = true
    const { captured, top } = this
    try {
      captured.clear()
      this.walk.begin()
      // The walk only adds members to the object that it is given.
      top.begin(undefined, captured as unknown as Map<string, AnyValue>)
      top.write(attributes)
      top.exception(undefined, false)
      captured.shape = top.omitted === undefined ? top.leaf : undefined
      captured.dropped = top.dropped
      return captured
    } finally {
      this.busy = false
    }
  }

  /** Captures attributes that were captured by other rules. */
  captureBound({ attributes: before, droppedAttributes }: BoundState): CapturedParts {
    const { attributes, dropped } = this.resolveData(before)
    return {
      names: [...attributes.keys()],
      values: [...attributes.values()],
      shape: undefined,
      dropped: dropped + droppedAttributes,
    }
  }

  /** Whether these rules can change attributes that were captured by other rules: then they are captured again. */
  changes({ parent, names, values }: BoundState): boolean {
    if (names.checkedBy !== this) {
      names.checkedBy = this
      names.isChanged =
        this.walk.patterns !== undefined ||
        names.size > this.rules.limits.attributes ||
        names.own.some((name) => this.top.changes(name))
    }
    if (names.isChanged) return true
    for (const value of values) if (!this.isUsual(value)) return true
    return parent !== undefined && parent.names.size > 0 && this.changes(parent)
  }

  /** Whether no limit concerns a value. */
  private isUsual(value: AnyValue): boolean {
    if (typeof value === 'string') return value.length <= this.walk.usual
    return typeof value !== 'object' && typeof value !== 'bigint'
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
