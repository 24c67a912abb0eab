import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import { BoundState, type NamedValues } from '../../record/bound.ts'
import type { LogRecord } from '../../record/record.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import type { Rules } from '../../values/record-rules.ts'
import { AttributesWalk } from './attributes.ts'
import { boundAttributesFor } from '../bound-attributes.ts'
import { exceptionKeys } from './error-attributes.ts'
import { plainRules } from '../plain.ts'
import { RecordWalk } from './record-walk.ts'
import type { ShapeNode } from './shapes.ts'
import { ValueWalk } from './value-walk.ts'

/**
 * Walks a record into redacted data, for a consumer that is not an encoding of this package. With `plainRules`, the result encodes to the
 * same text as the record itself.
 */
export function resolveRecord(record: LogRecord, rules: Rules): LogRecord {
  const walk = new RecordWalk(new ValueWalk(rules), rules)
  walk.read(record)
  const { object, dropped } = walk.attributes
  return {
    ...record,
    body: walk.structured ?? walk.message,
    bound: resolvedBound(record.bound, walk.attributes),
    literal: true,
    args: undefined,
    extra: undefined,
    attributes: object,
    exception: walk.exceptionParts,
    enriched: undefined,
    droppedAttributes: record.droppedAttributes + dropped,
  }
}

/** Returns a bound state for attributes that are read by their names. The message already contains the message prefix. */
function resolvedBound(bound: BoundState, attributes: AttributesWalk<AnyValue, AnyValueMap, AnyValue[]>): BoundState {
  const { unprefixed, names } = bound
  // An Error that became the exception is in exception.*, but it still overrides the bound attribute with its key.
  const isOverridden = (name: string) => {
    const { key } = names.originOf(name)
    return attributes.hasKey(key) && (key !== name || !attributes.object.has(name))
  }
  const isTaken = (name: string) => attributes.object.has(name) && !attributes.hasKey(names.originOf(name).key)
  const differs = [...bound.attributes.keys()].some((name) => isOverridden(name) || isTaken(name))
  return differs ? BoundState.of(unprefixed.origin, new Map(boundAttributesFor(bound, attributes))) : unprefixed
}

/** A snapshot of attributes, and the number of attributes over the limit. */
export interface ResolvedValue {
  readonly attributes: AnyValueMap
  readonly dropped: number
}

/** Captured attributes as names and values. */
export interface CapturedParts extends NamedValues {
  /** Identifies the names: captures with the same shape have the same names in the same order. Undefined if no shape identifies them. */
  readonly shape: object | undefined
  /** The number of attributes over the limit. */
  readonly dropped: number
}

/** The result of the last capture. Its getters copy, so read each only once. */
class CapturedAttributes implements CapturedParts {
  private readonly allNames: string[] = []
  private readonly allValues: AnyValue[] = []
  private count = 0
  shape: object | undefined
  /** The nodes by name, if some names differ from their keys. */
  nodes: ReadonlyMap<string, ShapeNode> | undefined
  patterns: TextPatterns | undefined
  dropped = 0

  get keys(): readonly string[] | undefined {
    const { nodes } = this
    return nodes && this.written.map((name) => nodes.get(name)!.key)
  }

  /** The names without the numbers that make them unique, because those depend on the names of a parent. */
  get names(): readonly string[] {
    const { keys, patterns, written } = this
    return keys === undefined || patterns === undefined ? written : keys.map((key) => patterns.redacted(key))
  }

  private get written(): readonly string[] {
    return this.allNames.slice(0, this.count)
  }

  get values(): readonly AnyValue[] {
    return this.allValues.slice(0, this.count)
  }

  /** Removes all attributes. The arrays keep their length, because shortening an array frees its memory. */
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

/** Takes snapshots of attributes by one set of rules: redacted data that is independent of later changes to the caller's objects. */
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
    this.captured.patterns = rules.redaction.patterns
  }

  resolve(attributes: object): ResolvedValue {
    // User code inside the walk may create a child logger.
    if (this.busy) return new Resolver(this.rules).resolve(attributes)
    this.busy = true
    try {
      const { top } = this
      this.walk.begin()
      top.begin()
      top.write(attributes)
      // There is no call and so no exception: a bound Error stays an attribute.
      top.exception(undefined, false)
      return { attributes: top.object, dropped: top.dropped }
    } finally {
      this.busy = false
    }
  }

  /** Captures attributes as names and values, without a map. */
  capture(attributes: object): CapturedParts {
    // User code inside the walk may create a child logger.
    if (this.busy) return new Resolver(this.rules).capture(attributes)
    this.busy = true
    const { captured, top } = this
    try {
      captured.clear()
      this.walk.begin()
      // The walk only adds members to the object that is passed to it.
      top.begin(undefined, captured as unknown as Map<string, AnyValue>)
      top.write(attributes)
      top.exception(undefined, false)
      captured.shape = top.omitted === undefined ? top.leaf : undefined
      captured.nodes = top.leaf.names === undefined ? undefined : nodesByName(top.leaf)
      captured.dropped = top.dropped
      return captured
    } finally {
      this.busy = false
    }
  }

  /** Captures attributes that were already captured by other rules. They keep their keys. */
  captureBound({ attributes, names: before, droppedAttributes }: BoundState): CapturedParts {
    const { names, keys = names, values, dropped } = this.capture(this.asGiven(attributes))
    return {
      names,
      keys: keys === names && !before.areRenamed ? undefined : keys.map((name) => before.originOf(name).key),
      values,
      shape: undefined,
      dropped: dropped + droppedAttributes,
    }
  }

  /** Returns whether these rules can change attributes that were captured by other rules, so that they must be captured again. */
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

  /** Returns whether no limit applies to a value. */
  private isUsual(value: AnyValue): boolean {
    if (typeof value === 'string') return value.length <= this.walk.usual
    return typeof value !== 'object' && typeof value !== 'bigint'
  }

  /** Converts maps to plain objects for serializers, which expect those. The data of an Error stays unchanged. */
  private asGiven(data: AnyValueMap): ReadonlyMap<string, unknown> {
    const { serializers } = this.rules
    const isPlain = (key: string) => serializers.has(key) && !exceptionKeys.includes(key)
    if (![...data.keys()].some(isPlain)) return data
    return new Map(Array.from(data, ([key, value]) => [key, isPlain(key) ? plainValue(value) : value]))
  }
}

/** Returns the nodes of a shape by their names. */
function nodesByName(leaf: ShapeNode): ReadonlyMap<string, ShapeNode> {
  const nodes = new Map<string, ShapeNode>()
  for (let node = leaf; node.parent !== undefined; node = node.parent) nodes.set(node.name, node)
  return nodes
}

/** Redacts bound attributes by additional rules. Serializers and limits were applied when they were bound. */
export function redactedBound(bound: BoundState, rules: Rules): NamedValues {
  return new Resolver({ ...plainRules, redaction: rules.redaction }).captureBound(bound)
}

/** Redacts a snapshot by additional rules. Serializers and limits were applied when it was taken. */
export function redactedData(data: AnyValueMap, rules: Rules): AnyValueMap {
  return new Resolver({ ...plainRules, redaction: rules.redaction }).resolve(data).attributes
}

function plainValue(value: AnyValue): unknown {
  if (value instanceof Map)
    return Object.fromEntries(Array.from(value, ([key, item]) => [key, plainValue(item as AnyValue)]))
  return Array.isArray(value) ? value.map(plainValue) : value
}
