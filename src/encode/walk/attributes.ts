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

/** What may have a hook of `JSON.stringify`. */
type Hooked = { readonly toJSON?: unknown }

/** Names that count against the limit of attributes before the call's own are written. */
export interface ReservedNames extends Iterable<string> {
  readonly size: number
  has(name: string): boolean
}

const noPath: readonly string[] = ['']

/**
 * Walks the attributes of one call: the top level, where serializers, the attribute limit and the search for the
 * exception belong. What it found stands in its fields until the next call.
 */
export class AttributesWalk<T, O extends T, A extends T> {
  /** The attributes, still open. */
  object: O
  /** The shape: the last member's node. */
  leaf: ShapeNode
  /** Members of the shape that were not written. */
  omitted: Set<string> | undefined
  /** How many attributes were past the limit. */
  dropped = 0

  private readonly walk: Walk<T, O, A>
  private readonly rules: Rules
  private readonly root: ShapeNode
  private reserved: ReservedNames = BoundNames.none
  private room = 0
  /** Whether the room of reserved names was given back that the call has set so far. */
  private counted = false
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
   * Forgets the last record. `reserved` names count against the limit, unless the call sets the same ones: bound attributes,
   * or the attributes of an exception where the limits are OpenTelemetry's.
   */
  begin(reserved: ReservedNames = BoundNames.none, object: O = this.walk.attributes()): void {
    this.leaf = this.root
    this.object = object
    this.omitted = undefined
    this.dropped = 0
    this.exceptionKey = undefined
    this.errors.clear()
    this.reserved = reserved
    this.counted = false
    this.givenBack = 0
    this.room = this.rules.limits.attributes - reserved.size
  }

  /**
   * Walks `attributes`. `inserted` collects the values that the message inserts; `skip` names those that a higher precedence
   * has said already.
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
        this.other(attributes, skip)
      }
    } catch (error) {
      if (!this.has('attributes')) this.add('attributes', () => thrownMarker(error)) // a proxy trap
    } finally {
      this.walk.inside(undefined)
    }
  }

  /**
   * The record's exception: `argument`, else the Error under `err`, else the one under `error`. The others become
   * attributes like any other, as all do unless `wanted`. `key` names it for the rules.
   */
  exception(argument: unknown, wanted = true): { readonly error: object; readonly key: string } | undefined {
    // Before the attributes of the exception are added, which have the reserved names.
    if (argument !== undefined && this.rules.limits.bare) this.giveBack()
    if (this.errors.isEmpty) return argument === undefined ? undefined : { error: argument as object, key: 'err' }
    const { chosen, others } = this.errors.take(wanted && argument === undefined)
    for (const { node, error } of others) {
      if (this.omitted?.has(node.key) === true) this.append(node.key, this.walk.member(error, node, 1))
    }
    if (chosen === undefined) return argument === undefined ? undefined : { error: argument as object, key: 'err' }
    this.exceptionKey = chosen.node.key
    // The attributes of the exception take the place of the Error.
    this.room++
    return { error: chosen.error, key: chosen.node.key }
  }

  /** Whether a rule or a serializer is defined for attributes of this name. */
  changes(key: string): boolean {
    const { covered, serializer } = this.root.follow(key)
    return covered || serializer !== undefined
  }

  /** Whether the record has this name, as an attribute or as its exception. `leaf`: its shape in one of several targets. */
  says(key: string, leaf: ShapeNode = this.leaf): boolean {
    return key === this.exceptionKey || this.has(key, leaf)
  }

  /** Whether an attribute of this name was written, or will be when it is known which Error is the exception. */
  has(key: string, leaf: ShapeNode = this.leaf): boolean {
    if (this.omitted?.has(key) === true) return this.errors.has(key)
    for (let node = leaf; node.parent !== undefined; node = node.parent) {
      if (node.key === key) return true
    }
    return false
  }

  /** Adds an attribute that is not of the call, unless the call set one of that name. */
  addField(key: string, part: T | undefined): void {
    if (part !== undefined && this.mayAdd(key)) this.append(key, part)
  }

  /** Adds the three texts of an exception (EXC1), those that it has and that the call did not say itself. Returns which. */
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

  /** Whether an attribute may be added that is not of the call. OpenTelemetry's limits count it as any other (LIM3). */
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

  /** One attribute more than there may be. */
  private drop(): void {
    this.dropped++
    this.rules.limits.surplus?.()
  }

  /** The node of an attribute that is about to be added. */
  private enter(key: string): ShapeNode {
    const { follower } = this.leaf
    this.leaf = follower !== undefined && follower.key === key ? follower : this.leaf.follow(key)
    this.omitted?.delete(key)
    return this.leaf
  }

  /** `root`: what was logged, of which `source` are the members. */
  private members(source: Record<string, unknown>, root: object, skip: ((key: string) => boolean) | undefined): void {
    // Not the field: V8 remembers each young value that an old object gets, which takes some 5 ns.
    let object = this.object
    let node = this.leaf
    let inText = false
    try {
      for (const key in source) {
        if (!hasOwn.call(source, key) || (skip !== undefined && skip(key))) continue
        if ((--this.room < 0 || this.counted) && this.isFull(key)) {
          this.drop()
          continue
        }
        const follower = node.follower
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
          this.leaveOut(key)
          continue
        }
        object = this.walk.withMember(object, node, part, inText)
        inText = false
        // What the call left undefined, `enrich` may have said.
        if (this.omitted !== undefined) this.omitted.delete(key)
        if (this.inserted !== undefined) this.inserted.set(key, part)
      }
    } finally {
      // Not in the `else` of an error: a proxy may fail at its second key.
      this.object = this.walk.settled(object, inText)
    }
  }

  /** Whether a member is written as it is, and was not omitted before. */
  private isPlain(node: ShapeNode): boolean {
    return !node.covered && node.serializer === undefined && this.omitted === undefined
  }

  /** One member that does not come from a plain object. */
  private add(key: string, read: () => unknown): void {
    if ((--this.room < 0 || this.counted) && this.isFull(key)) {
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
    if (part === undefined) return this.leaveOut(key)
    this.object = this.walk.withMember(this.object, node, part, false)
    this.omitted?.delete(key)
    this.inserted?.set(key, part)
  }

  /** Asked when there seems to be no room for one more: what takes the place of a reserved name needs none. */
  private isFull(key: string): boolean {
    this.giveBack()
    if (this.reserved.has(key)) {
      this.room++
      this.givenBack++
    }
    this.counted = this.room <= 0
    if (this.room >= 0) return false
    // What is dropped takes no room: a reserved name may follow.
    this.room++
    return true
  }

  /** Gives back the room that reserved names took which the call has set: they have places of their own. */
  private giveBack(): void {
    if (this.counted) return
    let set = 0
    for (const name of this.reserved) if (this.has(name)) set++
    this.room += set - this.givenBack
    this.givenBack = set
    // While there is room, reserved names take of it without being noticed.
    this.counted = this.room <= 0
  }

  /** What is no attribute takes no room (JS9). An Error may become one later. */
  private leaveOut(key: string): void {
    this.omitted ??= new Set()
    this.omitted.add(key)
    if (this.errors.has(key)) return
    this.room++
    this.counted = false
    // A reserved name that is not set after all has its room already.
    if (this.givenBack > 0) this.giveBack()
  }

  /** Attributes that are a class instance, a Map, or what their `toJSON` returns. */
  private other(source: object, skip: ((key: string) => boolean) | undefined): void {
    const { redaction, limits } = this.rules
    let revealed = unwrapValue(source, redaction.root, true, noPath, 0, limits)
    // What `toJSON` answers may be such an object again; it is not asked again.
    if (revealed !== source && isForeign(revealed))
      revealed = unwrapValue(revealed, redaction.root, false, noPath, 0, limits)
    if (revealed instanceof Members) {
      for (const { key, value } of revealed.entries) {
        // No member called headers is around them.
        const isCovered = revealed.areHeaders && redaction.credentialHeaders && isCredentialHeader(key)
        if (skip?.(key) !== true) this.add(key, () => (isCovered ? redacted : value))
      }
      this.dropped += revealed.size - revealed.entries.length
    } else if (revealed instanceof Bytes || revealed instanceof Items) {
      this.single(source)
    } else if (typeof revealed === 'object' && revealed !== null && !Array.isArray(revealed)) {
      this.members(revealed as Record<string, unknown>, source, skip)
    } else if (revealed !== undefined && revealed !== null) {
      this.single(revealed)
    }
  }

  /** What has no members is an attribute itself. */
  private single(value: unknown): void {
    this.walk.inside(undefined)
    this.add('value', () => value)
  }
}

/** An object that is neither plain nor an array, nor revealed already. */
function isForeign(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (value instanceof Members || value instanceof Items || value instanceof Bytes) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype !== Object.prototype && prototype !== null
}
