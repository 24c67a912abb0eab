import { BoundNames } from '../../record/bound-names.ts'
import { isToJSONPolluted, member } from '../../options/own-members.ts'
import { redacted } from '../../redact/censor.ts'
import { isCredentialHeader } from '../../redact/headers.ts'
import type { Rules } from '../../values/record-rules.ts'
import { thrownMarker } from '../../values/thrown-marker.ts'
import type { ExceptionFields } from './exception-fields.ts'
import { ErrorMembers, withExceptionKeys } from './error-attributes.ts'
import type { InsertedAttributes } from './inserted-attributes.ts'
import { Bytes, Items, Members } from './members.ts'
import { unwrapValue } from './unwrap-value.ts'
import { ShapeSettings, type ShapeNode } from './shapes.ts'
import type { Walk } from './walk.ts'

const hasOwn = Object.prototype.hasOwnProperty

/** An object that may have the `toJSON` method of `JSON.stringify`. */
type Hooked = { readonly toJSON?: unknown }

/** Names that count against the attribute limit before the attributes of the call are written. */
export interface ReservedNames extends Iterable<string> {
  readonly size: number
  has(name: string): boolean
}

const noPath: readonly string[] = ['']

/**
 * Walks the attributes of one call. At this top level, serializers run, the attribute limit applies, and the exception is found. The result
 * is in the public fields until the next call.
 */
export class AttributesWalk<T, O extends T, A extends T> {
  /** The object of the attributes, which is not closed yet. */
  object: O
  /** The node of the last member, which identifies the shape. */
  leaf: ShapeNode
  /** The keys of the shape whose members were not written. */
  omitted: Set<string> | undefined
  /** The number of attributes over the limit. */
  dropped = 0

  private readonly walk: Walk<T, O, A>
  private readonly rules: Rules
  private readonly root: ShapeNode
  private reserved: ReservedNames = BoundNames.none
  /** How many more attributes may be written. */
  private room = 0
  /** Whether `room` includes the places of all reserved names that the call has set so far. */
  private isRoomExact = false
  /** The number of reserved names whose places were given back to `room`. */
  private givenBack = 0
  private inserted: InsertedAttributes<T> | undefined
  private readonly errors = new ErrorMembers()
  /** The key of the Error that became the exception. */
  private exceptionKey: string | undefined

  constructor(walk: Walk<T, O, A>, rules: Rules) {
    this.walk = walk
    this.rules = rules
    this.root = new ShapeSettings(walk.dialect, withExceptionKeys(rules.serializers), walk.patterns).root(
      rules.redaction.root,
    )
    this.leaf = this.root
    this.object = walk.attributes()
    walk.within(rules.redaction.root)
  }

  /**
   * Resets the state for a new record.
   *
   * @param reserved - names that count against the limit unless the call sets them: bound attributes, or the attributes of an exception
   *   if the limits are OpenTelemetry's
   */
  begin(reserved: ReservedNames = BoundNames.none, object: O = this.walk.attributes()): void {
    this.leaf = this.root
    this.object = object
    this.omitted = undefined
    this.dropped = 0
    this.exceptionKey = undefined
    this.errors.clear()
    this.reserved = reserved
    this.isRoomExact = false
    this.givenBack = 0
    this.room = this.rules.limits.attributes - reserved.size
  }

  /**
   * Walks `attributes`.
   *
   * @param inserted - collects the values that the message inserts
   * @param skip - returns whether an attribute is skipped, because a source of higher precedence has set it
   */
  write(attributes: object, inserted?: InsertedAttributes<T>, skip?: (key: string) => boolean): void {
    this.inserted = inserted
    try {
      const prototype: unknown = Object.getPrototypeOf(attributes)
      if (
        (prototype === Object.prototype || prototype === null) &&
        typeof (isToJSONPolluted() ? member(attributes as Hooked, 'toJSON') : (attributes as Hooked).toJSON) !==
          'function'
      ) {
        this.members(attributes as Record<string, unknown>, attributes, skip)
      } else {
        this.walk.inside(attributes)
        this.unwrapped(attributes, skip)
      }
    } catch (error) {
      if (!this.has('attributes')) this.add('attributes', () => thrownMarker(error)) // a proxy trap
    } finally {
      this.walk.inside(undefined)
    }
  }

  /**
   * Returns the record's exception: `argument`, or the Error under `err`, or the one under `error`. Other Errors are written as ordinary
   * attributes. `key` is the name of the exception for rules.
   *
   * @param wanted - whether an attribute may become the exception; if false, all Errors are written as ordinary attributes
   */
  exception(argument: unknown, wanted = true): { readonly error: object; readonly key: string } | undefined {
    // This must precede the attributes of the exception, which have the reserved names.
    if (argument !== undefined && this.rules.limits.bare) this.giveBack()
    if (this.errors.isEmpty) return argument === undefined ? undefined : { error: argument as object, key: 'err' }
    const { chosen, others } = this.errors.take(wanted && argument === undefined)
    for (const { node, error } of others) {
      if (this.omitted?.has(node.key) === true) this.append(node.key, this.walk.member(error, node, 1))
    }
    if (chosen === undefined) return argument === undefined ? undefined : { error: argument as object, key: 'err' }
    this.exceptionKey = chosen.node.key
    // The attributes of the exception replace the Error.
    this.room++
    return { error: chosen.error, key: chosen.node.key }
  }

  /** Returns whether a rule or a serializer applies to attributes with this key. */
  changes(key: string): boolean {
    const { isRedacted, serializer } = this.root.follow(key)
    return isRedacted || serializer !== undefined
  }

  /**
   * Returns whether the record has this key, as an attribute or as its exception.
   *
   * @param leaf - the shape of the record in one of several targets
   */
  hasKey(key: string, leaf: ShapeNode = this.leaf): boolean {
    return key === this.exceptionKey || this.has(key, leaf)
  }

  /** Returns whether an attribute with this key was written, or will be once the exception is chosen from the Errors. */
  has(key: string, leaf: ShapeNode = this.leaf): boolean {
    if (this.omitted?.has(key) === true) return this.errors.has(key)
    for (let node = leaf; node.parent !== undefined; node = node.parent) {
      if (node.key === key) return true
    }
    return false
  }

  /** Adds an attribute that is not part of the call, unless the call has set the same key. */
  addField(key: string, part: T | undefined): void {
    if (part !== undefined && this.mayAdd(key)) this.append(key, part)
  }

  /** Adds the type, message and stack trace of an exception (EXC1), except those that the call has set. Returns which were added. */
  addException(fields: ExceptionFields): Record<'type' | 'message' | 'stacktrace', boolean> {
    const { type, message, stacktrace } = this.textsOf(fields)
    const added = {
      type: type !== undefined && this.mayAdd('exception.type'),
      message: message !== undefined && this.mayAdd('exception.message'),
      stacktrace: stacktrace !== undefined && this.mayAdd('exception.stacktrace'),
    }
    let object = this.object
    let inText = false
    if (added.type) {
      object = this.walk.withText(object, this.enter('exception.type'), type!, inText)
      inText = true
    }
    if (added.message) {
      object = this.walk.withText(object, this.enter('exception.message'), message!, inText)
      inText = true
    }
    if (added.stacktrace) {
      const node = this.enter('exception.stacktrace')
      object = this.walk.withMember(object, node, this.walk.ofLines(stacktrace!), inText)
      inText = false
    }
    this.object = this.walk.settled(object, inText)
    return added
  }

  private textsOf(fields: ExceptionFields): Pick<ExceptionFields, 'type' | 'message' | 'stacktrace'> {
    const { walk, rules } = this
    if (!rules.limits.bare && walk.patterns === undefined) return fields
    const { type, message, stacktrace } = fields
    const text = (text: string | undefined) =>
      text === undefined ? undefined : rules.limits.bare ? walk.cut(text) : walk.clean(text)
    return { type: text(type), message: text(message), stacktrace: text(stacktrace) }
  }

  private append(key: string, part: T | undefined): void {
    if (part !== undefined) this.object = this.walk.withMember(this.object, this.enter(key), part, false)
  }

  /** Returns whether an attribute that is not part of the call may be added. OpenTelemetry's limits count it as any other (LIM3). */
  private mayAdd(key: string): boolean {
    if (this.has(key)) return false
    if (!this.rules.limits.bare || this.reserved.has(key)) return true
    if (this.room > 0) {
      this.room--
      return true
    }
    this.drop()
    return false
  }

  /** Counts an attribute over the limit. */
  private drop(): void {
    this.dropped++
    this.rules.limits.surplus?.()
  }

  /** Returns the node of an attribute that is about to be added. */
  private enter(key: string): ShapeNode {
    const { nextShape } = this.leaf
    this.leaf = nextShape !== undefined && nextShape.key === key ? nextShape : this.leaf.follow(key)
    this.omitted?.delete(key)
    return this.leaf
  }

  /**
   * Writes the members of `source`.
   *
   * @param root - the logged object, of which `source` has the members
   */
  private members(source: Record<string, unknown>, root: object, skip: ((key: string) => boolean) | undefined): void {
    // A local variable instead of the field: storing a young value in an old object triggers V8's write barrier, which takes about 5 ns.
    let object = this.object
    let node = this.leaf
    let inText = false
    try {
      for (const key in source) {
        if (!hasOwn.call(source, key) || (skip !== undefined && skip(key))) continue
        if ((--this.room < 0 || this.isRoomExact) && this.isFull(key)) {
          this.drop()
          continue
        }
        const follower = node.nextShape
        node = follower !== undefined && follower.key === key ? follower : node.follow(key)
        this.leaf = node
        let part: T | undefined
        try {
          const value = source[key]
          if (typeof value === 'string' && value.length <= this.walk.usual && this.isPlain(node)) {
            const text = this.walk.clean(value)
            object = this.walk.withText(object, node, text, inText)
            inText = true
            if (this.inserted !== undefined) this.inserted.setScalar(key, text)
            continue
          }
          if (this.walk.hasScalars && this.walk.isShort(value) && this.isPlain(node)) {
            const added = this.walk.withScalar(object, node, value, inText)
            if (added !== undefined) {
              object = added
              inText = this.walk.leavesOpen(value)
              if (this.inserted !== undefined) this.inserted.setScalar(key, value)
              continue
            }
          }
          if (typeof value !== 'number') this.walk.inside(root)
          part = this.walk.member(node.serializer === undefined ? value : this.errors.serialized(value, node), node, 1)
        } catch (error) {
          part = this.walk.unread(error, node, 1)
        }
        if (part === undefined) {
          this.omit(key)
          continue
        }
        object = this.walk.withMember(object, node, part, inText)
        inText = false
        // `enrich` may set an attribute that is undefined in the call.
        if (this.omitted !== undefined) this.omitted.delete(key)
        if (this.inserted !== undefined) this.inserted.set(key, part)
      }
    } finally {
      // Also after an error, because a proxy may throw at its second key.
      this.object = this.walk.settled(object, inText)
    }
  }

  /** Returns whether no rule or serializer changes a member, and no member was omitted before. */
  private isPlain(node: ShapeNode): boolean {
    return !node.isRedacted && node.serializer === undefined && this.omitted === undefined
  }

  /** Writes one member that does not come from a plain object. */
  private add(key: string, read: () => unknown): void {
    if ((--this.room < 0 || this.isRoomExact) && this.isFull(key)) {
      this.drop()
      return
    }
    const node = (this.leaf = this.leaf.follow(key))
    let part: T | undefined
    try {
      const value = read()
      part = this.walk.member(node.serializer === undefined ? value : this.errors.serialized(value, node), node, 1)
    } catch (error) {
      part = this.walk.unread(error, node, 1)
    }
    if (part === undefined) return this.omit(key)
    this.object = this.walk.withMember(this.object, node, part, false)
    this.omitted?.delete(key)
    this.inserted?.set(key, part)
  }

  /** Returns whether the limit is reached, when `room` seems used up. An attribute with a reserved name uses the place of that name. */
  private isFull(key: string): boolean {
    this.giveBack()
    if (this.reserved.has(key)) {
      this.room++
      this.givenBack++
    }
    this.isRoomExact = this.room <= 0
    if (this.room >= 0) return false
    // A dropped attribute uses no room, because a reserved name may follow.
    this.room++
    return true
  }

  /** Gives back the room of reserved names that the call has set, because those attributes are already counted. */
  private giveBack(): void {
    if (this.isRoomExact) return
    let set = 0
    for (const name of this.reserved) if (this.has(name)) set++
    this.room += set - this.givenBack
    this.givenBack = set
    // While there is room, reserved names that the call sets use it and are not checked.
    this.isRoomExact = this.room <= 0
  }

  /** Omits a member that has no value, which uses no room (JS9). An Error may become an attribute later. */
  private omit(key: string): void {
    this.omitted ??= new Set()
    this.omitted.add(key)
    if (this.errors.has(key)) return
    this.room++
    this.isRoomExact = false
    // A reserved name that is not set after all already has its room.
    if (this.givenBack > 0) this.giveBack()
  }

  /** Writes attributes that are a class instance, a Map, or the result of `toJSON`. */
  private unwrapped(source: object, skip: ((key: string) => boolean) | undefined): void {
    const { redaction, limits } = this.rules
    let value = unwrapValue(source, redaction.root, true, noPath, 0, limits)
    // The result of `toJSON` may be such an object too, but its own `toJSON` is not called.
    if (value !== source && isForeign(value)) value = unwrapValue(value, redaction.root, false, noPath, 0, limits)
    if (value instanceof Members) {
      for (const { key, value: entry } of value.entries) {
        // No member named headers contains these, so its rules do not redact their credentials.
        const isCredential = value.areHeaders && redaction.credentialHeaders && isCredentialHeader(key)
        if (skip?.(key) !== true) this.add(key, () => (isCredential ? redacted : entry))
      }
      this.dropped += value.size - value.entries.length
    } else if (value instanceof Bytes || value instanceof Items) {
      this.single(source)
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      this.members(value as Record<string, unknown>, source, skip)
    } else if (value !== undefined && value !== null) {
      this.single(value)
    }
  }

  /** Writes a value without members as the attribute `value`. */
  private single(value: unknown): void {
    this.walk.inside(undefined)
    this.add('value', () => value)
  }
}

/** Returns whether a value is an object that is neither plain, nor an array, nor already unwrapped. */
function isForeign(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (value instanceof Members || value instanceof Items || value instanceof Bytes) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype !== Object.prototype && prototype !== null
}
