import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import { BoundState, type NamedValues } from '../../record/bound.ts'
import type { LogRecord } from '../../record/record.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import type { Rules } from '../../values/record-rules.ts'
import { AttributesWalk } from './attributes.ts'
import { boundAttributesFor } from '../bound-beside.ts'
import { exceptionKeys } from './error-attributes.ts'
import { plainRules } from '../plain.ts'
import { RecordWalk } from './record-walk.ts'
import type { ShapeNode } from './shapes.ts'
import { ValueWalk } from './value-walk.ts'

/**
 * Walks a record into redacted data, for a consumer that is no encoding of this package. Encoded by `plainRules`, the result gives the
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

/** A bound state for attributes that are read by their names. The message prefix is in the message already. */
function resolvedBound(bound: BoundState, attributes: AttributesWalk<AnyValue, AnyValueMap, AnyValue[]>): BoundState {
  const { unprefixed, names } = bound
  // An Error that has become the exception is in exception.*, and overrides the bound attribute of its key all the same.
  const isOverridden = (name: string) => {
    const { key } = names.originOf(name)
    return attributes.says(key) && (key !== name || !attributes.object.has(name))
  }
  const isTaken = (name: string) => attributes.object.has(name) && !attributes.says(names.originOf(name).key)
  const differs = [...bound.attributes.keys()].some((name) => isOverridden(name) || isTaken(name))
  return differs ? BoundState.of(unprefixed.origin, new Map(boundAttributesFor(bound, attributes))) : unprefixed
}

/** A snapshot of attributes, and how many were past the limit. */
export interface Resolved {
  readonly attributes: AnyValueMap
  readonly dropped: number
}

/** Captured attributes as names and values. */
export interface CapturedParts extends NamedValues {
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
  /** The nodes of the names where some differ from their keys. */
  nodes: ReadonlyMap<string, ShapeNode> | undefined
  patterns: TextPatterns | undefined
  dropped = 0

  get keys(): readonly string[] | undefined {
    const { nodes } = this
    return nodes && this.written.map((name) => nodes.get(name)!.key)
  }

  /** Without numbers, which depend on the names that a parent has. */
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
    this.captured.patterns = rules.redaction.patterns
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
      captured.nodes = top.leaf.names === undefined ? undefined : nodesByName(top.leaf)
      captured.dropped = top.dropped
      return captured
    } finally {
      this.busy = false
    }
  }

  /** Captures attributes that were captured by other rules. They keep their keys. */
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

  /** Serializers get plain objects, as they expect them; what was an Error stays what it has become. */
  private asGiven(data: AnyValueMap): ReadonlyMap<string, unknown> {
    const { serializers } = this.rules
    const isPlain = (key: string) => serializers.has(key) && !exceptionKeys.includes(key)
    if (![...data.keys()].some(isPlain)) return data
    return new Map(Array.from(data, ([key, value]) => [key, isPlain(key) ? plainValue(value) : value]))
  }
}

/** The nodes of a shape by their names. */
function nodesByName(leaf: ShapeNode): ReadonlyMap<string, ShapeNode> {
  const nodes = new Map<string, ShapeNode>()
  for (let node = leaf; node.parent !== undefined; node = node.parent) nodes.set(node.name, node)
  return nodes
}

/** Redacts bound attributes by further rules; all else was done when they were bound. */
export function redactedBound(bound: BoundState, rules: Rules): NamedValues {
  return new Resolver({ ...plainRules, redaction: rules.redaction }).captureBound(bound)
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
