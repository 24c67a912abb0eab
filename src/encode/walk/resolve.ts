import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import { BoundState, type NamedValues } from '../../record/bound.ts'
import type { LogRecord } from '../../record/record.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import type { Rules } from '../../values/record-rules.ts'
import { AttributesWalk } from './attributes.ts'
import { boundAttributesFor } from '../bound-attributes.ts'
import { exceptionKeys } from './error-attributes.ts'
import { plainRules } from '../plain-data.ts'
import { RecordWalk } from './record-walk.ts'
import type { ShapeNode } from './shapes.ts'
import { ValueWalk } from './value-walk.ts'

/**
 * Returns a copy of a record in which all values are data that does not refer to the caller's objects, with redaction, limits and
 * serializers applied, for a consumer that is not an encoding of this package. Encoding the copy with `plainRules` gives the same text as
 * encoding the record with `rules`.
 */
export function resolveRecord(record: LogRecord, rules: Rules): LogRecord {
  return resolveWith(new RecordWalk(new ValueWalk(rules), rules), record)
}

/** Creates a function that does the same as `resolveRecord` with one set of rules, several times faster for many records. */
export function createRecordResolver(rules: Rules): (record: LogRecord) => LogRecord {
  const walk = new RecordWalk(new ValueWalk(rules), rules)
  let isBusy = false
  return (record) => {
    // User code inside the walk may log.
    if (isBusy) return resolveRecord(record, rules)
    isBusy = true
    try {
      return resolveWith(walk, record)
    } finally {
      isBusy = false
    }
  }
}

function resolveWith(walk: RecordWalk<AnyValue, AnyValueMap, AnyValue[]>, record: LogRecord): LogRecord {
  walk.read(record)
  const { builtObject, droppedCount } = walk.attributes
  return {
    ...record,
    body: walk.structuredBody ?? walk.message,
    bound: resolvedBound(record.bound, walk.attributes),
    keepsBraces: true,
    printfArguments: undefined,
    extraArguments: undefined,
    attributes: builtObject,
    exception: walk.exceptionParts,
    enrichedAttributes: undefined,
    baggageAttributes: undefined,
    droppedAttributes: record.droppedAttributes + droppedCount,
  }
}

/**
 * Returns the bound state of the resolved record, for a consumer that merges attributes by name: without attributes that the call
 * overrides, and with numbers where names would be equal. It has no message prefix, because the message already contains that.
 */
function resolvedBound(bound: BoundState, attributes: AttributesWalk<AnyValue, AnyValueMap, AnyValue[]>): BoundState {
  const { unprefixed, names } = bound
  // The call overrides these attributes, but a merge by name would keep them: they have another name than their key, or the call has an
  // Error with their key, which is written as exception.*.
  const survivesMerge = (name: string) => {
    const { key } = names.keyAndBaseOf(name)
    return attributes.hasKey(key) && (key !== name || !attributes.builtObject.has(name))
  }
  const isTaken = (name: string) => attributes.builtObject.has(name) && !attributes.hasKey(names.keyAndBaseOf(name).key)
  const mustReplace = [...bound.attributes.keys()].some((name) => survivesMerge(name) || isTaken(name))
  return mustReplace ? BoundState.of(unprefixed.origin, new Map(boundAttributesFor(bound, attributes))) : unprefixed
}

/** A snapshot of attributes. */
export interface ResolvedAttributes {
  readonly attributes: AnyValueMap
  /** The number of attributes over the limit. */
  readonly droppedCount: number
}

/** A snapshot of attributes as names and values. */
export interface NamedValuesSnapshot extends NamedValues {
  /** Identifies the names: snapshots with the same shape have the same names in the same order. Undefined if no shape identifies them. */
  readonly shape: object | undefined
  /** The number of attributes over the limit. */
  readonly droppedCount: number
}

/** The object that `Resolver.snapshot` returns, and reuses for the next snapshot. Its getters copy, so read each only once. */
class AttributesSnapshot implements NamedValuesSnapshot {
  private readonly allNames: string[] = []
  private readonly allValues: AnyValue[] = []
  private count = 0
  shape: object | undefined
  /** The nodes by name, if some names differ from their keys. */
  nodeByName: ReadonlyMap<string, ShapeNode> | undefined
  patterns: TextPatterns | undefined
  droppedCount = 0

  get keys(): readonly string[] | undefined {
    const { nodeByName } = this
    return nodeByName && this.writtenNames.map((name) => nodeByName.get(name)!.key)
  }

  /** The names without the numbers that make them unique, because the numbers depend on the names of a parent. */
  get names(): readonly string[] {
    const { keys, patterns, writtenNames } = this
    return keys === undefined || patterns === undefined ? writtenNames : keys.map((key) => patterns.redact(key))
  }

  private get writtenNames(): readonly string[] {
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

/**
 * Takes snapshots of attributes with one set of rules: data that does not refer to the caller's objects, so that later changes to them have
 * no effect, with redaction, limits and serializers applied.
 */
export class Resolver {
  private readonly rules: Rules
  private readonly walk: ValueWalk
  private readonly attributesWalk: AttributesWalk<AnyValue, Map<string, AnyValue>, AnyValue[]>
  private readonly lastSnapshot = new AttributesSnapshot()
  private isBusy = false

  constructor(rules: Rules) {
    this.rules = rules
    this.walk = new ValueWalk(rules)
    this.attributesWalk = new AttributesWalk(this.walk, rules)
    this.lastSnapshot.patterns = rules.redaction.patterns
  }

  /** Returns a snapshot of attributes as a map. */
  resolve(attributes: object): ResolvedAttributes {
    // User code inside the walk may create a child logger.
    if (this.isBusy) return new Resolver(this.rules).resolve(attributes)
    this.isBusy = true
    try {
      const { attributesWalk } = this
      this.walk.begin()
      attributesWalk.begin()
      attributesWalk.write(attributes)
      // There is no call and so no exception: a bound Error stays an attribute.
      attributesWalk.chooseException(undefined, false)
      return { attributes: attributesWalk.builtObject, droppedCount: attributesWalk.droppedCount }
    } finally {
      this.isBusy = false
    }
  }

  /** Returns a snapshot of attributes as names and values, without a map. It is valid until the next call. */
  snapshot(attributes: object): NamedValuesSnapshot {
    // User code inside the walk may create a child logger.
    if (this.isBusy) return new Resolver(this.rules).snapshot(attributes)
    this.isBusy = true
    const { lastSnapshot, attributesWalk } = this
    try {
      lastSnapshot.clear()
      this.walk.begin()
      // The walk only adds members to the object that is passed to it.
      attributesWalk.begin(undefined, lastSnapshot as unknown as Map<string, AnyValue>)
      attributesWalk.write(attributes)
      attributesWalk.chooseException(undefined, false)
      lastSnapshot.shape = attributesWalk.omittedKeys === undefined ? attributesWalk.shapeLeaf : undefined
      lastSnapshot.nodeByName =
        attributesWalk.shapeLeaf.names === undefined ? undefined : nodesByName(attributesWalk.shapeLeaf)
      lastSnapshot.droppedCount = attributesWalk.droppedCount
      return lastSnapshot
    } finally {
      this.isBusy = false
    }
  }

  /** Returns a snapshot of bound attributes, which are already a snapshot by other rules. They keep their keys. */
  snapshotBound({ attributes, names: boundNames, droppedAttributes }: BoundState): NamedValuesSnapshot {
    const { names, keys = names, values, droppedCount } = this.snapshot(this.withPlainObjects(attributes))
    return {
      names,
      keys:
        keys === names && !boundNames.mayDifferFromKeys
          ? undefined
          : keys.map((name) => boundNames.keyAndBaseOf(name).key),
      values,
      shape: undefined,
      droppedCount: droppedCount + droppedAttributes,
    }
  }

  /** Returns whether these rules can change bound attributes, which are a snapshot by other rules, so that `snapshotBound` is needed. */
  mayChangeBound({ parent, names, values }: BoundState): boolean {
    if (names.lastResolver !== this) {
      names.isChangedByLastResolver =
        this.walk.patterns !== undefined ||
        names.size > this.rules.limits.attributes ||
        names.ownNames.some((name) => this.attributesWalk.mayChangeValueOf(name))
      // Set last: the result is not computed if the stack is exhausted.
      names.lastResolver = this
    }
    if (names.isChangedByLastResolver) return true
    for (const value of values) if (!this.isWithinLimits(value)) return true
    return parent !== undefined && parent.names.size > 0 && this.mayChangeBound(parent)
  }

  /** Returns whether a value is certainly within the limits. */
  private isWithinLimits(value: AnyValue): boolean {
    if (typeof value === 'string') return value.length <= this.walk.maxShortLength
    return typeof value !== 'object' && typeof value !== 'bigint'
  }

  /** Returns attributes in which maps are plain objects if a serializer receives them. The data of an Error stays a map. */
  private withPlainObjects(data: AnyValueMap): ReadonlyMap<string, unknown> {
    const { serializers } = this.rules
    const needsPlainObject = (key: string) => serializers.has(key) && !exceptionKeys.includes(key)
    if (![...data.keys()].some(needsPlainObject)) return data
    return new Map(Array.from(data, ([key, value]) => [key, needsPlainObject(key) ? plainObjectsOf(value) : value]))
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
  return new Resolver({ ...plainRules, redaction: rules.redaction }).snapshotBound(bound)
}

/** Redacts a snapshot by additional rules. Serializers and limits were applied when it was taken. */
export function redactedData(data: AnyValueMap, rules: Rules): AnyValueMap {
  return new Resolver({ ...plainRules, redaction: rules.redaction }).resolve(data).attributes
}

/** Returns a value with plain objects in place of maps. */
export function plainObjectsOf(value: AnyValue): unknown {
  if (value instanceof Map)
    return Object.fromEntries(Array.from(value, ([key, item]) => [key, plainObjectsOf(item as AnyValue)]))
  return Array.isArray(value) ? value.map(plainObjectsOf) : value
}
