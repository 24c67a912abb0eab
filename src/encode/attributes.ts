import { isError, threw } from '../rules/exception.ts'
import type { Rules, Serializer } from '../rules/rules.ts'
import { callHook, hookIsRunning } from './hooks.ts'
import { Bytes, Members } from './members.ts'
import { reveal } from './reveal.ts'
import { ShapeNode } from './shapes.ts'
import type { Walk } from './walk.ts'

/** An Error under one of these keys is the record's exception, the first one present counting most. */
const exceptionKeys: readonly string[] = ['err', 'error']

const hasOwn = Object.prototype.hasOwnProperty
const identity: Serializer = (value) => value

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
  private room = 0
  private captured: Map<string, T | undefined> | undefined
  private errors: Candidate[] = []

  constructor(walk: Walk<T, O, A>, rules: Rules) {
    this.walk = walk
    this.rules = rules
    const serializers = new Map([...exceptionKeys.map((key) => [key, identity] as const), ...rules.serializers])
    this.root = new ShapeNode('', rules.redaction.root, undefined, { left: 10_000, serializers })
    this.leaf = this.root
    this.object = walk.object()
  }

  /** Forgets the last record. `taken` attributes are there already and count against the limit. */
  begin(taken: number): void {
    this.leaf = this.root
    this.object = this.walk.object()
    this.omitted = undefined
    this.dropped = 0
    if (this.errors.length > 0) this.errors = []
    this.room = this.rules.limits.attributes - taken
  }

  /**
   * Walks `attributes`. `captured` gets the values of the names it holds; `skip` names those that a higher precedence
   * has said already.
   */
  write(attributes: object, captured?: Map<string, T | undefined>, skip?: (key: string) => boolean): void {
    this.captured = captured
    try {
      const prototype: unknown = Object.getPrototypeOf(attributes)
      if (
        (prototype === Object.prototype || prototype === null) &&
        typeof (attributes as { toJSON?: unknown }).toJSON !== 'function'
      ) {
        this.members(attributes as Record<string, unknown>, skip)
      } else {
        this.other(attributes, skip)
      }
    } catch (error) {
      this.add('attributes', () => threw(error)) // a proxy trap
    }
  }

  /**
   * The record's exception: `argument`, else the Error under `err`, else the one under `error`. The others become
   * attributes like any other, as all do unless `wanted`. `key` names it for the rules.
   */
  exception(argument: unknown, wanted = true): { readonly error: object; readonly key: string } | undefined {
    if (this.errors.length === 0) return argument === undefined ? undefined : { error: argument as object, key: 'err' }
    const errors = this.errors
    this.errors = []
    const chosen = wanted && argument === undefined ? (errors.find(({ node }) => node.key === 'err') ?? errors[0]) : undefined
    for (const candidate of errors) {
      const { node, error } = candidate
      if (candidate !== chosen && this.omitted?.has(node.key) === true) this.addField(node.key, this.walk.member(error, node, 1))
    }
    if (chosen === undefined) return argument === undefined ? undefined : { error: argument as object, key: 'err' }
    return { error: chosen.error, key: chosen.node.key }
  }

  /** Whether an attribute of this name was written. */
  has(key: string): boolean {
    if (this.omitted?.has(key) === true) return false
    for (let node: ShapeNode | undefined = this.leaf; node !== undefined; node = node.parent) {
      if (node.key === key && node !== this.root) return true
    }
    return false
  }

  /** Adds an attribute, unless the call said one of that name. */
  addField(key: string, part: T | undefined): void {
    if (part === undefined || this.has(key)) return
    this.leaf = this.leaf.follow(key)
    this.omitted?.delete(key)
    this.object = this.walk.withMember(this.object, this.leaf, part)
  }

  private members(source: Record<string, unknown>, skip: ((key: string) => boolean) | undefined): void {
    let node = this.leaf
    for (const key in source) {
      if (!hasOwn.call(source, key) || (skip !== undefined && skip(key))) continue
      if (--this.room < 0) {
        this.dropped++
        continue
      }
      const follower = node.follower
      node = follower !== undefined && follower.key === key ? follower : node.follow(key)
      let part: T | undefined
      try {
        const value = source[key]
        part = node.serializer === undefined ? this.walk.member(value, node, 1) : this.serialized(value, node)
      } catch (error) {
        part = this.walk.unread(error, node, 1)
      }
      if (part === undefined) {
        this.omit(key)
        continue
      }
      this.object = this.walk.withMember(this.object, node, part)
      if (this.captured !== undefined && this.captured.has(key)) this.captured.set(key, part)
    }
    this.leaf = node
  }

  /** One member that does not come from a plain object. */
  private add(key: string, read: () => unknown): void {
    if (--this.room < 0) {
      this.dropped++
      return
    }
    const node = (this.leaf = this.leaf.follow(key))
    let part: T | undefined
    try {
      const value = read()
      part = node.serializer === undefined ? this.walk.member(value, node, 1) : this.serialized(value, node)
    } catch (error) {
      part = this.walk.unread(error, node, 1)
    }
    if (part === undefined) return this.omit(key)
    this.object = this.walk.withMember(this.object, node, part)
    if (this.captured?.has(key) === true) this.captured.set(key, part)
  }

  private omit(key: string): void {
    this.omitted ??= new Set()
    this.omitted.add(key)
  }

  /** Attributes that are a class instance, a Map, or what their `toJSON` returns. */
  private other(source: object, skip: ((key: string) => boolean) | undefined): void {
    const revealed = reveal(source, this.rules.redaction.root, true, '', this.rules.limits)
    if (revealed instanceof Members) {
      for (const { key, value } of revealed.entries) if (skip?.(key) !== true) this.add(key, () => value)
    } else if (typeof revealed === 'object' && revealed !== null && !Array.isArray(revealed) && !(revealed instanceof Bytes)) {
      this.members(revealed as Record<string, unknown>, skip)
    } else if (revealed !== undefined && revealed !== null) {
      this.add('value', () => revealed)
    }
  }

  /** A member whose key has a serializer, or may hold the exception. */
  private serialized(value: unknown, node: ShapeNode): T | undefined {
    const serializer = node.serializer!
    let result = value
    if (serializer !== identity && value !== undefined && value !== null) {
      result = hookIsRunning(value) ? '[Circular]' : callHook(value, () => serializer(value))
    }
    if (exceptionKeys.includes(node.key) && !node.covered) {
      if (isError(result)) {
        this.errors.push({ node, error: result })
        return undefined
      }
      if (result !== value && isError(value)) this.errors.push({ node, error: asError(result) })
    }
    return this.walk.member(result, node, 1)
  }
}

/** An Error among the attributes; it is written when it is known which one is the record's exception. */
interface Candidate {
  readonly node: ShapeNode
  readonly error: object
}

/** What a user's serializer made of an Error, as one again: only what it let through. */
function asError(result: unknown): object {
  if (typeof result !== 'object' || result === null) return { __proto__: null, message: result }
  const { type, name, message, stack } = result as Readonly<Record<string, unknown>>
  return { __proto__: null, name: type ?? name, message, stack }
}
