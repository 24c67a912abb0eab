import { types } from 'node:util'
import { isOnEveryObject, member, withoutPrototype } from '../../options/own-members.ts'
import { addMembers, define, setMember } from '../../options/define-member.ts'
import { isMatchingByteList } from '../shared/listed-bytes.ts'
import { isError } from '../../values/is-error.ts'
import type { Rules } from '../../values/record-rules.ts'
import { mayContainHeaders } from '../../redact/headers.ts'
import { withItemsAsAttributes, mergeStates, type RedactState } from '../../redact/redact.ts'
import { replaceRedactedTexts } from '../../values/stacktrace.ts'
import { thrownMarker } from '../../values/thrown-marker.ts'
import { maskPasswordIfUrlMember } from '../../redact/url-password.ts'
import { errorMessageReplacements } from '../shared/redacted-error.ts'
import { InfoText } from './info-text.ts'
import { LEVEL, ERROR_SOURCE, SPLAT, type TransformableInfo } from './info.ts'
import { RecordNames } from './record-names.ts'
import { PlainWalk } from './plain-walk.ts'

/**
 * Copies the arguments of a call into redacted data for formats. Formats cannot change the caller's objects through it, and reading it
 * never throws. Errors and Dates keep their class, because formats check for it.
 */
export class InfoCopier {
  private readonly rules: Rules
  private readonly walk: PlainWalk
  /** Whether the option `redact` is set. Without it, arguments that are scalars and infos with only safe scalars are not walked. */
  private readonly hasCustomRules: boolean
  /** Rules for an Error that is an argument or the message: those for `err`, and those for attributes, which apply to its members. */
  private readonly errorState: RedactState
  /**
   * Rules for a message that is another object: those for `message`, and those for attributes, which apply to the members of the object or,
   * if it is an array, of each item.
   */
  private readonly messageState: RedactState
  /** The names of the current record's members; undefined if names are not redacted. */
  private names: RecordNames | undefined
  private isCopying = false

  constructor(rules: Rules, hasCustomRules: boolean) {
    this.rules = rules
    this.walk = new PlainWalk(rules)
    this.hasCustomRules = hasCustomRules
    const { root } = rules.redaction
    this.errorState = mergeStates(root, root.step('err'))
    this.messageState = mergeStates(withItemsAsAttributes(root), root.step('message'))
  }

  /** Returns whether an object is a list of bytes in which patterns match. */
  readonly isSecretByteList = (value: object): boolean => {
    const { patterns } = this.walk
    return patterns !== undefined && isMatchingByteList(value, patterns)
  }

  /** Returns the info for formats. The members of `given` were already read once, so none is a getter. */
  copy(given: TransformableInfo): TransformableInfo {
    // A getter or toJSON may log, and a nested call needs its own copier.
    if (this.isCopying) return new InfoCopier(this.rules, this.hasCustomRules).copy(given)
    this.isCopying = true
    const { patterns } = this.walk
    this.names = patterns && new RecordNames(patterns)
    try {
      const splat = given[SPLAT]
      const level = given[LEVEL]
      const info = this.copyMembers(given)
      // Restore the level: the walk treats it like any text, but rules must not change it, because it decides where the record goes.
      setMember(info, 'level', given.level)
      info[LEVEL] = level
      if (Array.isArray(splat)) info[SPLAT] = splat.map((item: unknown) => this.copyArgument(item))
      delete info[ERROR_SOURCE]
      if (this.hasCustomRules) this.redactMessageAndErrorCopies(info, given)
      return info
    } finally {
      this.isCopying = false
    }
  }

  /** Copies an Error that was logged by itself. The result is an Error, whose members are overridden by those of `overrides`. */
  copyError(error: Error, overrides: TransformableInfo): TransformableInfo {
    // `Object`, because a rule may have replaced the Error by a text.
    const info = Object(this.copyArgument(error)) as TransformableInfo
    const { [LEVEL]: level, ...members } = this.copy(overrides)
    return addMembers(info, members, { [LEVEL]: level })
  }

  /**
   * Redacts what needs other rules than those for the members of an info. A message that is an object is redacted by `messageState`, or by
   * `errorState` if it is an Error. The members `message`, `stack`, `cause` and `error` that come from a logged error are also
   * redacted by the rules for these parts of `err`.
   */
  private redactMessageAndErrorCopies(info: TransformableInfo, given: TransformableInfo): void {
    const { message, cause, [ERROR_SOURCE]: error } = withoutPrototype(given)
    // If a rule redacts the whole message, that is already done.
    const isRedacted = this.messageState.censor !== undefined
    if (isError(message) && !isRedacted) setMember(info, 'message', this.copyArgument(message))
    else if (typeof message === 'object' && message !== null && !isRedacted)
      setMember(info, 'message', restoreClass(message, this.walkValue(message, this.messageState)))
    if (!isError(error)) return
    const errState = this.rules.redaction.root.step('err')
    if (isError(cause)) setMember(info, 'cause', this.copyMember('cause', cause, errState.step('cause')))
    if (isError(member(info, 'error'))) setMember(info, 'error', this.copyMember('error', error, errState))
    const replacements = errorMessageReplacements(error, errState, 'err')
    if (replacements === undefined) return
    for (const key of ['message', 'stack']) {
      const text = member(info, key)
      if (typeof text === 'string') setMember(info, key, replaceRedactedTexts(text, replacements))
    }
  }

  /** Copies a member to which additional rules apply. */
  private copyMember(key: string, value: object, state: RedactState): unknown {
    const combinedState = mergeStates(this.rules.redaction.root.step(key), state)
    this.walk.begin()
    return restoreClass(value, this.walk.redactedValue(value, combinedState, 1, key))
  }

  private copyMembers(given: TransformableInfo): TransformableInfo {
    if (!this.hasCustomRules && hasOnlySafeScalars(given)) return { ...given }
    const { walk } = this
    walk.begin()
    const data = walk.value(given, this.rules.redaction.root, 0, '') as TransformableInfo
    return restoreNames(given, data, this.names)
  }

  private copyArgument(value: unknown): unknown {
    if (value === undefined) return value
    if (typeof value === 'symbol') return this.copySymbol(value)
    if (typeof value === 'function') return this.walkValue(value)
    if (typeof value !== 'object' || value === null) return this.hasCustomRules ? this.walkValue(value) : value
    if (!isPlain(value)) {
      const data = restoreClass(value, this.walkValue(value, isError(value) ? this.errorState : undefined))
      return typeof data === 'string' ? new InfoText(data) : data
    }
    const members = {} as TransformableInfo
    copyContent(members, value)
    return this.copyMembers(members)
  }

  /** Returns a symbol unchanged, unless its description contains a pattern match. */
  private copySymbol(value: symbol): unknown {
    const text = String(value)
    const redacted = this.walk.redactText(text)
    return redacted === text ? value : redacted
  }

  private walkValue(value: unknown, state = this.rules.redaction.root): unknown {
    this.walk.begin()
    // Depth 1, because the value is part of the info, whose depth is 0.
    return this.walk.value(value, state, 1, '')
  }
}

/**
 * Returns the walked members of an object in their original order, under their names in the record. These can differ from the names that
 * the walk returns, which are unique only within this object. Members that are undefined, which the walk omits, are added again if names
 * are not redacted.
 */
function restoreNames(
  given: TransformableInfo,
  data: TransformableInfo,
  names: RecordNames | undefined,
): TransformableInfo {
  const info = {} as TransformableInfo
  const keys = Object.keys(given)
  const remaining = new Set(Object.keys(data))
  for (const [key, walkedName, name] of names?.ofObject(keys) ?? keys.map((same) => [same, same, same] as const)) {
    const value = given[key]
    if (remaining.delete(walkedName)) {
      setMember(
        info,
        name,
        typeof value === 'object' && value !== null ? restoreClass(value, data[walkedName]) : data[walkedName],
      )
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
function hasOnlySafeScalars(info: TransformableInfo): boolean {
  for (const key in info) {
    if (isOnEveryObject(key) && !Object.hasOwn(info, key)) continue
    if (mayContainHeaders(key)) return false
    const value = info[key]
    if (typeof value === 'string' || typeof value === 'boolean' || value === undefined || value === null) continue
    if (typeof value !== 'number' || !Number.isFinite(value)) return false
  }
  return true
}

/** Returns redacted data, as an Error or Date if the original is one. */
function restoreClass(original: object, data: unknown): unknown {
  if (isError(original)) return isErrorData(data) ? errorFrom(data, original) : data
  return dateOf(original, data) ?? data
}

function dateOf(original: object, data: unknown): Date | undefined {
  if (typeof data !== 'string' || !types.isDate(original)) return undefined
  const date = new Date(data)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** The snapshot of an Error: the redacted data that a walk returns for it. */
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
  const { type, message, stacktrace, cause, ...others } = withoutPrototype(data)
  const enumerableNames = new Set(enumerableNamesOf(original))
  // A real Error, so that util.inspect displays it as one.
  const error = Object.setPrototypeOf(new Error(''), prototypeOf(original)) as Error
  const setField = (key: string, value: unknown) =>
    define(error, key, { value, writable: true, configurable: true, enumerable: enumerableNames.has(key) })
  setField('message', message ?? '')
  setField('stack', stacktrace)
  if (cause !== undefined) setField('cause', cause)
  if (enumerableNames.has('name') || nameOf(error) !== type) setField('name', type)
  for (const key of Object.keys(others)) {
    setMember(error, originalName(key, enumerableNames), others[key])
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
export function memberOrThrownMarker(object: object, key: PropertyKey): unknown {
  try {
    return member(object as Record<PropertyKey, unknown>, key)
  } catch (error) {
    return thrownMarker(error)
  }
}

/**
 * Copies the content of an object to `target`, reading each member once: its own enumerable members, those of the result of its own
 * `toJSON`, or the entries of a Map whose keys are strings. Other values than objects have no content. Bytes become the member `value`,
 * because as separate numbers they could not be redacted. Passwords in the URLs of requests and in results of `url.parse` are redacted.
 * Never throws: if `toJSON`, or reading the list of members throws, the member `threw` contains a marker.
 *
 * @param isSecretByteList - returns whether an object is a list of bytes that must be redacted, which also becomes the member `value`
 */
export function copyContent(
  target: Record<string, unknown>,
  source: unknown,
  isSecretByteList?: (source: object) => boolean,
): void {
  if (typeof source !== 'object' || source === null) return
  try {
    if (ArrayBuffer.isView(source) || isSecretByteList?.(source) === true) return setMember(target, 'value', source)
    if (source instanceof Map) return copyEntries(target, source)
    const data = Object.hasOwn(source, 'toJSON') ? resultOfToJSON(source) : source
    const names = Object.keys(data)
    for (const key of names) {
      const value = memberOrThrownMarker(data, key)
      setMember(target, key, typeof value === 'string' ? maskPasswordIfUrlMember(key, value, names) : value)
    }
  } catch (error) {
    setMember(target, 'threw', thrownMarker(error))
  }
}

function resultOfToJSON(source: object): object {
  const { toJSON } = source as { toJSON?: unknown }
  if (typeof toJSON !== 'function') return source
  const result: unknown = toJSON.call(source, '')
  return typeof result === 'object' && result !== null ? result : { toJSON: result }
}

function copyEntries(target: Record<string, unknown>, source: Map<unknown, unknown>): void {
  // The built-in method, because a subclass may override it.
  Map.prototype.forEach.call(source, (value: unknown, key: unknown) => {
    if (typeof key === 'string') setMember(target, key, value)
  })
}
