import { types } from 'node:util'
import { isOnEveryObject, member, ownCopy } from '../../options/own-members.ts'
import { addMembers, define, setMember } from '../../options/define-member.ts'
import { holdsAsBytes } from '../../encode/walk/listed-bytes.ts'
import { isError } from '../../values/is-error.ts'
import type { Rules } from '../../values/record-rules.ts'
import { mayBeOfHeaders } from '../../redact/headers.ts'
import { listState, unionState, type RedactState } from '../../redact/redact.ts'
import { redactParts } from '../../values/stacktrace.ts'
import { thrownMarker } from '../../values/thrown-marker.ts'
import { maskMember } from '../../redact/url-password.ts'
import { redactedTexts } from '../shared/redacted-error.ts'
import { InfoText } from './info-text.ts'
import { LEVEL, SOURCE, SPLAT, type TransformableInfo } from './info.ts'
import { RecordNames } from './record-names.ts'
import { PlainWalk } from './plain-walk.ts'

/**
 * Copies the arguments of a call into redacted data for formats. Formats cannot change the caller's objects through it, and reading it
 * never throws. Errors and Dates keep their class, because formats check for it.
 */
export class InfoCopier {
  private readonly rules: Rules
  private readonly walk: PlainWalk
  /** Whether values of all types must be walked; otherwise values that are not objects are used unchanged. */
  private readonly hasRules: boolean
  /** Rules for an Error that is logged by itself: those for its members at the top level, and those for `err`. */
  private readonly errorState: RedactState
  /** Rules for an object that is the message: those for the members of a record, and those for `message`. */
  private readonly messageState: RedactState
  /** The names of the current record's members; undefined if names are not redacted. */
  private names: RecordNames | undefined
  private busy = false

  constructor(rules: Rules, hasRules: boolean) {
    this.rules = rules
    this.walk = new PlainWalk(rules)
    this.hasRules = hasRules
    const { root } = rules.redaction
    this.errorState = unionState(root, root.step('err'))
    this.messageState = unionState(listState(root), root.step('message'))
  }

  /** Returns whether an object is a list of bytes in which patterns match. */
  readonly hides = (value: object): boolean => {
    const { patterns } = this.walk
    if (patterns === undefined || !Array.isArray(value)) return false
    return holdsAsBytes(value, value.length, value.length, patterns)
  }

  /** Returns the info for formats. The members of `given` were already read once, so none is a getter. */
  copy(given: TransformableInfo): TransformableInfo {
    // A getter or toJSON may log, and a nested call needs its own copier.
    if (this.busy) return new InfoCopier(this.rules, this.hasRules).copy(given)
    this.busy = true
    const { patterns } = this.walk
    this.names = patterns && new RecordNames(patterns)
    try {
      const splat = given[SPLAT]
      const level = given[LEVEL]
      const info = this.members(given)
      // Restore the level: the walk treats it like any text, but rules must not change it, because it decides where the record goes.
      setMember(info, 'level', given.level)
      info[LEVEL] = level
      if (Array.isArray(splat)) info[SPLAT] = splat.map((item: unknown) => this.argument(item))
      delete info[SOURCE]
      if (this.hasRules) this.redactCopies(info, given)
      return info
    } finally {
      this.busy = false
    }
  }

  /** Copies an Error that was logged by itself. The result is an Error, with the members of `over` on top of its own. */
  copyError(error: Error, over: TransformableInfo): TransformableInfo {
    const info = Object(this.argument(error)) as TransformableInfo
    const { [LEVEL]: level, ...members } = this.copy(over)
    return addMembers(info, members, { [LEVEL]: level })
  }

  /** Redacts copies of an error's texts under other names, by the rules for the members of a record and for `err`. */
  private redactCopies(info: TransformableInfo, given: TransformableInfo): void {
    const { message, cause, [SOURCE]: error } = ownCopy(given)
    // If a rule redacts the whole message, that is already done.
    const isRedacted = this.messageState.censor !== undefined
    if (isError(message) && !isRedacted) setMember(info, 'message', this.argument(message))
    else if (typeof message === 'object' && message !== null && !isRedacted)
      setMember(info, 'message', revive(message, this.walkValue(message, this.messageState)))
    if (!isError(error)) return
    const err = this.rules.redaction.root.step('err')
    if (isError(cause)) setMember(info, 'cause', this.member('cause', cause, err.step('cause')))
    if (isError(member(info, 'error'))) setMember(info, 'error', this.member('error', error, err))
    const redactedParts = redactedTexts(error, err, 'err')
    if (redactedParts === undefined) return
    for (const key of ['message', 'stack']) {
      const text = member(info, key)
      if (typeof text === 'string') setMember(info, key, redactParts(text, redactedParts))
    }
  }

  /** Walks a member to which additional rules apply. */
  private member(key: string, value: object, state: RedactState): unknown {
    const both = unionState(this.rules.redaction.root.step(key), state)
    this.walk.begin()
    return revive(value, this.walk.place(value, both, 1, key))
  }

  private members(given: TransformableInfo, depth = 0): TransformableInfo {
    if (!this.hasRules && isFlat(given)) return { ...given }
    const { walk } = this
    walk.begin()
    const data = walk.value(given, this.rules.redaction.root, depth, '') as TransformableInfo
    return restoreNames(given, data, this.names)
  }

  private argument(value: unknown): unknown {
    if (value === undefined) return value
    if (typeof value === 'symbol') return this.symbol(value)
    if (typeof value === 'function') return this.walkValue(value)
    if (typeof value !== 'object' || value === null) return this.hasRules ? this.walkValue(value) : value
    if (!isPlain(value)) {
      const data = revive(value, this.walkValue(value, isError(value) ? this.errorState : undefined))
      return typeof data === 'string' ? new InfoText(data) : data
    }
    const own = {} as TransformableInfo
    assignRead(own, value)
    return this.members(own)
  }

  /** Returns a symbol unchanged, unless its description contains a pattern match. */
  private symbol(value: symbol): unknown {
    const text = String(value)
    const clean = this.walk.clean(text)
    return clean === text ? value : clean
  }

  private walkValue(value: unknown, state = this.rules.redaction.root): unknown {
    this.walk.begin()
    return this.walk.value(value, state, 1, '')
  }
}

/**
 * Restores the order and the names in the record of members that were walked. Undefined members, which the walk omits, are added again if
 * names are not redacted.
 */
function restoreNames(
  given: TransformableInfo,
  data: TransformableInfo,
  names: RecordNames | undefined,
): TransformableInfo {
  const info = {} as TransformableInfo
  const keys = Object.keys(given)
  const remaining = new Set(Object.keys(data))
  for (const [key, own, name] of names?.ofObject(keys) ?? keys.map((same) => [same, same, same] as const)) {
    const value = given[key]
    if (remaining.delete(own)) {
      setMember(info, name, typeof value === 'object' && value !== null ? revive(value, data[own]) : data[own])
    } else if (value === undefined && names === undefined) setMember(info, name, undefined)
  }
  for (const key of remaining) if (!Object.hasOwn(info, key)) setMember(info, key, data[key])
  return info
}

/** Returns whether an object has no class and no `toJSON`, so that its members are its content. */
function isPlain(value: object): boolean {
  try {
    const prototype: unknown = Object.getPrototypeOf(value)
    // Includes objects of another realm.
    const hasNoClass = prototype === null || Object.getPrototypeOf(prototype) === null
    return hasNoClass && !Array.isArray(value) && typeof member(value as { toJSON?: unknown }, 'toJSON') !== 'function'
  } catch {
    return false
  }
}

/** Returns whether all members are strings, finite numbers, booleans, null or undefined, and none can be a credential header. */
function isFlat(info: TransformableInfo): boolean {
  for (const key in info) {
    if (isOnEveryObject(key) && !Object.hasOwn(info, key)) continue
    if (mayBeOfHeaders(key)) return false
    const value = info[key]
    if (typeof value === 'string' || typeof value === 'boolean' || value === undefined || value === null) continue
    if (typeof value !== 'number' || !Number.isFinite(value)) return false
  }
  return true
}

/** Restores the class of Errors and Dates from redacted data. */
function revive(original: object, data: unknown): unknown {
  if (isError(original)) return isErrorData(data) ? errorFrom(data, original) : data
  return dateOf(original, data) ?? data
}

function dateOf(original: object, data: unknown): Date | undefined {
  if (typeof data !== 'string' || !types.isDate(original)) return undefined
  const date = new Date(data)
  return Number.isNaN(date.getTime()) ? undefined : date
}

interface ErrorData {
  readonly type: unknown
  readonly message: unknown
  readonly stacktrace: unknown
  readonly cause?: unknown
  readonly [key: string]: unknown
}

function isErrorData(data: unknown): data is ErrorData {
  return typeof data === 'object' && data !== null && Object.hasOwn(data, 'type')
}

/**
 * Creates an Error from the snapshot of one. It has the class of the original if that exists in this realm, and the same members are
 * enumerable.
 */
export function errorFrom(data: ErrorData, original: object): Error {
  const { type, message, stacktrace, cause, ...own } = ownCopy(data)
  const enumerableNames = new Set(enumerableNamesOf(original))
  // A real Error, so that util.inspect displays it as one.
  const error = Object.setPrototypeOf(new Error(''), prototypeOf(original)) as Error
  const setField = (key: string, value: unknown) =>
    define(error, key, { value, writable: true, configurable: true, enumerable: enumerableNames.has(key) })
  setField('message', message ?? '')
  setField('stack', stacktrace)
  if (cause !== undefined) setField('cause', cause)
  if (enumerableNames.has('name') || nameOf(error) !== type) setField('name', type)
  for (const key of Object.keys(own)) {
    setMember(error, originalName(key, enumerableNames), own[key])
  }
  return error
}

/** Returns the original name of a member. A snapshot renames members `type` and `stacktrace` to `_type` and `_stacktrace`. */
function originalName(key: string, enumerableNames: ReadonlySet<string>): string {
  const [, name] = /^_+(type|stacktrace)$/.exec(key) ?? []
  return name !== undefined && enumerableNames.has(name) && !enumerableNames.has(key) ? name : key
}

function enumerableNamesOf(object: object): readonly string[] {
  try {
    return Object.keys(object)
  } catch {
    return [] // a proxy threw
  }
}

function prototypeOf(original: object): object {
  try {
    const prototype: unknown = Object.getPrototypeOf(original)
    if (prototype instanceof Error || prototype === Error.prototype) return prototype
  } catch {
    // A proxy threw.
  }
  return Error.prototype
}

function nameOf(error: Error): unknown {
  try {
    return error.name
  } catch {
    return undefined
  }
}

/** Reads a member of the caller's object. If that throws, a marker is returned. */
export function readMember(object: object, key: PropertyKey): unknown {
  try {
    return member(object as Record<PropertyKey, unknown>, key)
  } catch (error) {
    return thrownMarker(error)
  }
}

/**
 * Copies the content of an object to `target`, reading each member once: its own members, the entries of a Map, or the result of its own
 * `toJSON`. Bytes become the member `value`, because as separate numbers they could not be redacted. Never throws.
 *
 * @param hides - returns whether an object is a list of bytes that must be redacted, which also becomes the member `value`
 */
export function assignRead(
  target: Record<string, unknown>,
  source: unknown,
  hides?: (source: object) => boolean,
): void {
  if (typeof source !== 'object' || source === null) return
  try {
    if (ArrayBuffer.isView(source) || hides?.(source) === true) return setMember(target, 'value', source)
    if (source instanceof Map) return assignEntries(target, source)
    const data = Object.hasOwn(source, 'toJSON') ? resultOfToJSON(source) : source
    const names = Object.keys(data)
    for (const key of names) {
      const value = readMember(data, key)
      setMember(target, key, typeof value === 'string' ? maskMember(key, value, names) : value)
    }
  } catch (error) {
    setMember(target, 'threw', thrownMarker(error))
  }
}

function resultOfToJSON(source: object): object {
  const { toJSON: hook } = source as { toJSON?: unknown }
  if (typeof hook !== 'function') return source
  const result: unknown = hook.call(source, '')
  return typeof result === 'object' && result !== null ? result : { toJSON: result }
}

function assignEntries(target: Record<string, unknown>, source: Map<unknown, unknown>): void {
  // The built-in method, because a subclass may override it.
  Map.prototype.forEach.call(source, (value: unknown, key: unknown) => {
    if (typeof key === 'string') setMember(target, key, value)
  })
}
