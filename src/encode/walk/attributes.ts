import { BoundNames } from '../../record/bound-names.ts'
import { isToJSONPolluted, member } from '../../options/own-members.ts'
import { defaultReplacement } from '../../redact/censor.ts'
import { isCredentialHeader } from '../../redact/headers.ts'
import type { Rules } from '../../values/record-rules.ts'
import { thrownMarker } from '../../values/thrown-marker.ts'
import type { ExceptionFields } from './exception-fields.ts'
import { PendingErrors, withExceptionKeys } from './error-attributes.ts'
import type { InsertedAttributes } from './inserted-attributes.ts'
import { Bytes, Items, Members } from './members.ts'
import { unwrapValue } from './unwrap-value.ts'
import { ShapeSettings, type ShapeNode } from './shapes.ts'
import type { Walk } from './walk.ts'

const hasOwn = Object.prototype.hasOwnProperty

/** An object that may have the method `toJSON`, which `JSON.stringify` calls. */
type MayHaveToJSON = { readonly toJSON?: unknown }

/** Names for each of which a place within the attribute limit is reserved, before the attributes of the call are written. */
export interface NamesWithPlace extends Iterable<string> {
  readonly size: number
  has(name: string): boolean
}

/** The path of the object of the attributes: its `toJSON` receives '' as the key, as with `JSON.stringify`. */
const rootPath: readonly string[] = ['']

/**
 * Walks the attributes of one log call at a time. At this top level, serializers run, the attribute limit applies, and the exception is
 * found. The result is in the public fields until `begin` is called again.
 */
export class AttributesWalk<T, O extends T, A extends T> {
  /** The object of the attributes, which is not closed yet. */
  builtObject: O
  /** The node of the last member, which identifies the shape. */
  shapeLeaf: ShapeNode
  /** The keys of the shape whose members were not written. */
  omittedKeys: Set<string> | undefined
  /** The number of attributes that were dropped because of the limit. */
  droppedCount = 0

  private readonly walk: Walk<T, O, A>
  private readonly rules: Rules
  private readonly root: ShapeNode
  private namesWithPlace: NamesWithPlace = BoundNames.none
  /** How many more attributes may be written. */
  private remainingAttributes = 0
  /** Whether no unreserved place remains, so that each further attribute is checked for a place reserved for its name. */
  private mustCheckEachName = false
  /** How many reserved places were added to `remainingAttributes` again. */
  private releasedPlaces = 0
  private insertedAttributes: InsertedAttributes<T> | undefined
  private readonly pendingErrors = new PendingErrors()
  /** The key of the Error that became the exception. */
  private exceptionKey: string | undefined

  constructor(walk: Walk<T, O, A>, rules: Rules) {
    this.walk = walk
    this.rules = rules
    this.root = new ShapeSettings(walk.dialect, withExceptionKeys(rules.serializers), walk.patterns).createRoot(
      rules.redaction.root,
    )
    this.shapeLeaf = this.root
    this.builtObject = walk.newAttributes()
    walk.setTopState(rules.redaction.root)
  }

  /**
   * Resets the state for a new record.
   *
   * @param namesWithPlace - names for which places are reserved within the limit: those of bound attributes, or of the attributes of an
   *   exception if the limits are OpenTelemetry's
   * @param object - an object without members, to which the attributes are added
   */
  begin(namesWithPlace: NamesWithPlace = BoundNames.none, object: O = this.walk.newAttributes()): void {
    this.shapeLeaf = this.root
    this.builtObject = object
    this.omittedKeys = undefined
    this.droppedCount = 0
    this.exceptionKey = undefined
    this.pendingErrors.clear()
    this.namesWithPlace = namesWithPlace
    this.mustCheckEachName = false
    this.releasedPlaces = 0
    this.remainingAttributes = this.rules.limits.attributes - namesWithPlace.size
  }

  /**
   * Walks `attributes`.
   *
   * @param insertedAttributes - collects the values that the message inserts
   * @param isSkipped - returns whether an attribute is skipped, because a source of higher precedence has set it
   */
  write(attributes: object, insertedAttributes?: InsertedAttributes<T>, isSkipped?: (key: string) => boolean): void {
    this.insertedAttributes = insertedAttributes
    try {
      const prototype: unknown = Object.getPrototypeOf(attributes)
      if (
        (prototype === Object.prototype || prototype === null) &&
        typeof (isToJSONPolluted()
          ? member(attributes as MayHaveToJSON, 'toJSON')
          : (attributes as MayHaveToJSON).toJSON) !== 'function'
      ) {
        this.writeMembers(attributes as Record<string, unknown>, attributes, isSkipped)
      } else {
        this.walk.setTopObject(attributes)
        this.writeUnwrapped(attributes, isSkipped)
      }
    } catch (error) {
      if (!this.hasAttribute('attributes')) this.writeMember('attributes', () => thrownMarker(error)) // a proxy trap
    } finally {
      this.walk.setTopObject(undefined)
    }
  }

  /**
   * Returns the record's exception: `argument`, or the Error under `err`, or the one under `error`. Writes the other Errors as ordinary
   * attributes. The returned `key` is the name of the exception for rules.
   *
   * @param mayBeAttribute - whether an attribute may become the exception; if false, all Errors are written as ordinary attributes
   */
  chooseException(
    argument: unknown,
    mayBeAttribute = true,
  ): { readonly error: object; readonly key: string } | undefined {
    // The reserved places are for the attributes of this exception. Only those for names that the call itself has set are released, so this
    // must happen before `addException` sets the others.
    if (argument !== undefined && this.rules.limits.followsOpenTelemetry) this.releaseReservedPlaces()
    if (this.pendingErrors.isEmpty)
      return argument === undefined ? undefined : { error: argument as object, key: 'err' }
    const { chosen, others } = this.pendingErrors.takeAll(mayBeAttribute && argument === undefined)
    for (const { node, error } of others) {
      if (this.omittedKeys?.has(node.key) === true) this.appendMember(node.key, this.walk.member(error, node, 1))
    }
    if (chosen === undefined) return argument === undefined ? undefined : { error: argument as object, key: 'err' }
    this.exceptionKey = chosen.node.key
    // The Error does not count as an attribute, because those of the exception replace it.
    this.remainingAttributes++
    return { error: chosen.error, key: chosen.node.key }
  }

  /** Returns whether a rule or a serializer applies to attributes with this key, so that it may change their values. */
  mayChangeValueOf(key: string): boolean {
    const { isRedacted, serializer } = this.root.follow(key)
    return isRedacted || serializer !== undefined
  }

  /**
   * Returns whether the record has this key, as an attribute or as its exception.
   *
   * @param leaf - the shape of the record in one of several targets
   */
  hasKey(key: string, leaf: ShapeNode = this.shapeLeaf): boolean {
    return key === this.exceptionKey || this.hasAttribute(key, leaf)
  }

  /** Returns whether an attribute with this key was written, or will be once the exception is chosen from the Errors. */
  hasAttribute(key: string, leaf: ShapeNode = this.shapeLeaf): boolean {
    if (this.omittedKeys?.has(key) === true) return this.pendingErrors.has(key)
    for (let node = leaf; node.parent !== undefined; node = node.parent) {
      if (node.key === key) return true
    }
    return false
  }

  /** Adds an attribute that is not part of the call, unless the call has set the same key or OpenTelemetry's limit is reached. */
  addUnlessSet(key: string, builtValue: T | undefined): void {
    if (builtValue !== undefined && this.mayAdd(key)) this.appendMember(key, builtValue)
  }

  /**
   * Adds the attributes `exception.type`, `exception.message` and `exception.stacktrace`, except those that the call has set or
   * that are over OpenTelemetry's limit. Returns which of them were added.
   */
  addException(fields: ExceptionFields): Record<'type' | 'message' | 'stacktrace', boolean> {
    const { type, message, stacktrace } = this.limitedTexts(fields)
    const added = {
      type: type !== undefined && this.mayAdd('exception.type'),
      message: message !== undefined && this.mayAdd('exception.message'),
      stacktrace: stacktrace !== undefined && this.mayAdd('exception.stacktrace'),
    }
    let object = this.builtObject
    let isQuoteOpen = false
    if (added.type) {
      object = this.walk.withText(object, this.advanceTo('exception.type'), type!, isQuoteOpen)
      isQuoteOpen = true
    }
    if (added.message) {
      object = this.walk.withText(object, this.advanceTo('exception.message'), message!, isQuoteOpen)
      isQuoteOpen = true
    }
    if (added.stacktrace) {
      const node = this.advanceTo('exception.stacktrace')
      object = this.walk.withMember(object, node, this.walk.ofMultilineString(stacktrace!), isQuoteOpen)
      isQuoteOpen = false
    }
    this.builtObject = this.walk.withQuoteClosed(object, isQuoteOpen)
    return added
  }

  /**
   * Returns the texts of an exception with pattern matches redacted. Only OpenTelemetry's limits of strings apply to them: the others are
   * `stackFrames`, which was applied before, and `recordBytes`, which is applied to the whole record.
   */
  private limitedTexts(fields: ExceptionFields): Pick<ExceptionFields, 'type' | 'message' | 'stacktrace'> {
    const { walk, rules } = this
    const { patterns } = walk
    const { followsOpenTelemetry } = rules.limits
    if (!followsOpenTelemetry && patterns === undefined) return fields
    const { type, message, stacktrace } = fields
    const limited = (text: string | undefined) => {
      if (text === undefined) return undefined
      return followsOpenTelemetry ? walk.redactAndCut(text) : patterns!.redact(text)
    }
    return { type: limited(type), message: limited(message), stacktrace: limited(stacktrace) }
  }

  private appendMember(key: string, builtValue: T | undefined): void {
    if (builtValue !== undefined)
      this.builtObject = this.walk.withMember(this.builtObject, this.advanceTo(key), builtValue, false)
  }

  /**
   * Returns whether an attribute that is not part of the call may be added, and counts it. Only OpenTelemetry's limits count such an
   * attribute.
   */
  private mayAdd(key: string): boolean {
    if (this.hasAttribute(key)) return false
    if (!this.rules.limits.followsOpenTelemetry || this.namesWithPlace.has(key)) return true
    if (this.remainingAttributes > 0) {
      this.remainingAttributes--
      return true
    }
    this.countDropped()
    return false
  }

  /** Counts an attribute over the limit. */
  private countDropped(): void {
    this.droppedCount++
    this.rules.limits.onAttributeDropped?.()
  }

  /** Moves to the node of an attribute that is about to be added, and returns it. */
  private advanceTo(key: string): ShapeNode {
    const { recentNextNode } = this.shapeLeaf
    this.shapeLeaf =
      recentNextNode !== undefined && recentNextNode.key === key ? recentNextNode : this.shapeLeaf.follow(key)
    this.omittedKeys?.delete(key)
    return this.shapeLeaf
  }

  /**
   * Writes the members of `source`.
   *
   * @param root - the logged object; `source` is this object or the result of unwrapping it
   */
  private writeMembers(
    source: Record<string, unknown>,
    root: object,
    isSkipped: ((key: string) => boolean) | undefined,
  ): void {
    // A local variable instead of the field: storing a new object in an old one triggers V8's write barrier, which takes about 5 ns.
    let object = this.builtObject
    let node = this.shapeLeaf
    let isQuoteOpen = false
    try {
      for (const key in source) {
        if (!hasOwn.call(source, key) || (isSkipped !== undefined && isSkipped(key))) continue
        if ((--this.remainingAttributes < 0 || this.mustCheckEachName) && this.lacksPlaceFor(key)) {
          this.countDropped()
          continue
        }
        const recentNextNode = node.recentNextNode
        node = recentNextNode !== undefined && recentNextNode.key === key ? recentNextNode : node.follow(key)
        this.shapeLeaf = node
        let builtValue: T | undefined
        try {
          const value = source[key]
          if (typeof value === 'string' && value.length <= this.walk.maxShortLength && this.canUseFastPath(node)) {
            const text = this.walk.redactText(value)
            object = this.walk.withText(object, node, text, isQuoteOpen)
            isQuoteOpen = true
            if (this.insertedAttributes !== undefined) this.insertedAttributes.setScalar(key, text)
            continue
          }
          if (this.walk.supportsWithScalar && this.walk.isPlainScalar(value) && this.canUseFastPath(node)) {
            const added = this.walk.withScalar(object, node, value, isQuoteOpen)
            if (added !== undefined) {
              object = added
              isQuoteOpen = this.walk.leavesQuoteOpen(value)
              if (this.insertedAttributes !== undefined) this.insertedAttributes.setScalar(key, value)
              continue
            }
          }
          // The walk compares containers with the logged object to find cycles. A number contains none.
          if (typeof value !== 'number') this.walk.setTopObject(root)
          builtValue = this.walk.member(
            node.serializer === undefined ? value : this.pendingErrors.serializeOrKeep(value, node),
            node,
            1,
          )
        } catch (error) {
          builtValue = this.walk.unreadableMember(error, node, 1)
        }
        if (builtValue === undefined) {
          this.omitMember(key)
          continue
        }
        object = this.walk.withMember(object, node, builtValue, isQuoteOpen)
        isQuoteOpen = false
        // `enrich` may set an attribute that is undefined in the call.
        if (this.omittedKeys !== undefined) this.omittedKeys.delete(key)
        if (this.insertedAttributes !== undefined) this.insertedAttributes.set(key, builtValue)
      }
    } finally {
      // Also after an error, because a proxy may throw at its second key.
      this.builtObject = this.walk.withQuoteClosed(object, isQuoteOpen)
    }
  }

  /** Returns whether no rule or serializer changes a member, and no member was omitted before, so that the fast paths can write it. */
  private canUseFastPath(node: ShapeNode): boolean {
    return !node.isRedacted && node.serializer === undefined && this.omittedKeys === undefined
  }

  /** Writes one member that does not come from a plain object. */
  private writeMember(key: string, read: () => unknown): void {
    if ((--this.remainingAttributes < 0 || this.mustCheckEachName) && this.lacksPlaceFor(key)) {
      this.countDropped()
      return
    }
    const node = (this.shapeLeaf = this.shapeLeaf.follow(key))
    let builtValue: T | undefined
    try {
      const value = read()
      builtValue = this.walk.member(
        node.serializer === undefined ? value : this.pendingErrors.serializeOrKeep(value, node),
        node,
        1,
      )
    } catch (error) {
      builtValue = this.walk.unreadableMember(error, node, 1)
    }
    if (builtValue === undefined) return this.omitMember(key)
    this.builtObject = this.walk.withMember(this.builtObject, node, builtValue, false)
    this.omittedKeys?.delete(key)
    this.insertedAttributes?.set(key, builtValue)
  }

  /**
   * Returns whether there is no place for an attribute that was just counted. First releases the places reserved for names that the call
   * has set. An attribute for whose name a place is still reserved uses that place. Called only if no place seems to remain.
   */
  private lacksPlaceFor(key: string): boolean {
    this.releaseReservedPlaces()
    if (this.namesWithPlace.has(key)) {
      this.remainingAttributes++
      this.releasedPlaces++
    }
    this.mustCheckEachName = this.remainingAttributes <= 0
    if (this.remainingAttributes >= 0) return false
    // Undo the count of the dropped attribute, because one for whose name a place is reserved may follow.
    this.remainingAttributes++
    return true
  }

  /** Releases the places reserved for names that the call has set, because those attributes were counted when they were written. */
  private releaseReservedPlaces(): void {
    // If each name is checked, `lacksPlaceFor` releases the reserved places one by one.
    if (this.mustCheckEachName) return
    let setCount = 0
    for (const name of this.namesWithPlace) if (this.hasAttribute(name)) setCount++
    this.remainingAttributes += setCount - this.releasedPlaces
    this.releasedPlaces = setCount
    // While places remain, an attribute is counted without a check whether a place is reserved for its name.
    this.mustCheckEachName = this.remainingAttributes <= 0
  }

  /**
   * Omits a member that has no value, so that it does not count. A pending Error still counts, because it may become an attribute later.
   */
  private omitMember(key: string): void {
    this.omittedKeys ??= new Set()
    this.omittedKeys.add(key)
    if (this.pendingErrors.has(key)) return
    this.remainingAttributes++
    this.mustCheckEachName = false
    // If the place of this name was released, it is reserved again, because the name is not set after all.
    if (this.releasedPlaces > 0) this.releaseReservedPlaces()
  }

  /** Writes attributes that are a class instance, a Map, or the result of `toJSON`. */
  private writeUnwrapped(source: object, isSkipped: ((key: string) => boolean) | undefined): void {
    const { redaction, limits } = this.rules
    let value = unwrapValue(source, redaction.root, true, rootPath, 0, limits)
    // The result of `toJSON` may be such an object too, but its own `toJSON` is not called.
    if (value !== source && needsUnwrapping(value))
      value = unwrapValue(value, redaction.root, false, rootPath, 0, limits)
    if (value instanceof Members) {
      for (const { key, value: entry } of value.entries) {
        // These header fields are attributes, not members of an object named `headers`, whose rules would redact credentials.
        const isCredential = value.areHeaders && redaction.redactsCredentialHeaders && isCredentialHeader(key)
        if (isSkipped?.(key) !== true) this.writeMember(key, () => (isCredential ? defaultReplacement : entry))
      }
      this.droppedCount += value.size - value.entries.length
    } else if (value instanceof Bytes || value instanceof Items) {
      this.writeSingle(source)
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      this.writeMembers(value as Record<string, unknown>, source, isSkipped)
    } else if (value !== undefined && value !== null) {
      this.writeSingle(value)
    }
  }

  /** Writes a value without members as the attribute `value`. */
  private writeSingle(value: unknown): void {
    this.walk.setTopObject(undefined)
    this.writeMember('value', () => value)
  }
}

/** Returns whether a value is an object that `unwrapValue` must convert: neither plain, nor an array, nor already unwrapped. */
function needsUnwrapping(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (value instanceof Members || value instanceof Items || value instanceof Bytes) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype !== Object.prototype && prototype !== null
}
