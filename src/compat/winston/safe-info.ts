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
 * Makes of what a call was given what formats may see: data of our own, by the rules, that no format can change for the caller
 * and that throws nowhere. Errors stay Errors, and Dates stay Dates, because formats ask for them.
 */
export class InfoCopier {
  private readonly rules: Rules
  private readonly walk: PlainWalk
  /** Whether values of every kind must be looked at: else those that are no objects are as good as they are. */
  private readonly hasRules: boolean
  /** The rules for an Error that is said by itself: its members stand at the top level, and everywhere here it is `err`. */
  private readonly errorState: RedactState
  /** The rules for an object that is said as the message: its members stand where those of a record do. */
  private readonly messageState: RedactState
  /** The names of the record at hand; undefined where none is redacted. */
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

  /** Whether an object is a list of bytes in which patterns find something. */
  readonly hides = (value: object): boolean => {
    const { patterns } = this.walk
    if (patterns === undefined || !Array.isArray(value)) return false
    return holdsAsBytes(value, value.length, value.length, patterns)
  }

  /** The info for formats. `given` has been read once already: its members are no getters any more. */
  copy(given: TransformableInfo): TransformableInfo {
    // A getter or toJSON may log.
    if (this.busy) return new InfoCopier(this.rules, this.hasRules).copy(given)
    this.busy = true
    const { patterns } = this.walk
    this.names = patterns && new RecordNames(patterns)
    try {
      const splat = given[SPLAT]
      const level = given[LEVEL]
      const info = this.members(given)
      // The walk has read a level like any other text; what decides about the record is none of the rules' business.
      setMember(info, 'level', given.level)
      info[LEVEL] = level
      if (Array.isArray(splat)) info[SPLAT] = splat.map((item: unknown) => this.argument(item))
      delete info[SOURCE]
      if (this.hasRules) this.cover(info, given)
      return info
    } finally {
      this.busy = false
    }
  }

  /** The same for an Error that was logged by itself: it stays one, and `over` stands over what it says. */
  copyError(error: Error, over: TransformableInfo): TransformableInfo {
    const info = Object(this.argument(error)) as TransformableInfo
    const { [LEVEL]: level, ...members } = this.copy(over)
    return addMembers(info, members, { [LEVEL]: level })
  }

  /** What rules for the members of a record and for `err` cover of what stands under other names. */
  private cover(info: TransformableInfo, given: TransformableInfo): void {
    const { message, cause, [SOURCE]: error } = ownCopy(given)
    // Where a rule covers the message whole, it is redacted already.
    const isCovered = this.messageState.censor !== undefined
    if (isError(message) && !isCovered) setMember(info, 'message', this.argument(message))
    else if (typeof message === 'object' && message !== null && !isCovered)
      setMember(info, 'message', revived(message, this.walked(message, this.messageState)))
    if (!isError(error)) return
    const err = this.rules.redaction.root.step('err')
    if (isError(cause)) setMember(info, 'cause', this.member('cause', cause, err.step('cause')))
    if (isError(member(info, 'error'))) setMember(info, 'error', this.member('error', error, err))
    const covered = redactedTexts(error, err, 'err')
    if (covered === undefined) return
    for (const key of ['message', 'stack']) {
      const text = member(info, key)
      if (typeof text === 'string') setMember(info, key, redactParts(text, covered))
    }
  }

  /** A member for which other rules hold as well. */
  private member(key: string, value: object, state: RedactState): unknown {
    const both = unionState(this.rules.redaction.root.step(key), state)
    this.walk.begin()
    return revived(value, this.walk.place(value, both, 1, key))
  }

  private members(given: TransformableInfo, depth = 0): TransformableInfo {
    if (!this.hasRules && isFlat(given)) return { ...given }
    const { walk } = this
    walk.begin()
    const data = walk.value(given, this.rules.redaction.root, depth, '') as TransformableInfo
    return restored(given, data, this.names)
  }

  private argument(value: unknown): unknown {
    if (value === undefined) return value
    if (typeof value === 'symbol') return this.symbol(value)
    if (typeof value === 'function') return this.walked(value)
    if (typeof value !== 'object' || value === null) return this.hasRules ? this.walked(value) : value
    if (!isPlain(value)) {
      const data = revived(value, this.walked(value, isError(value) ? this.errorState : undefined))
      return typeof data === 'string' ? new InfoText(data) : data
    }
    const own = {} as TransformableInfo
    assignRead(own, value)
    return this.members(own)
  }

  /** A symbol stays one, unless its description holds what must not be shown. */
  private symbol(value: symbol): unknown {
    const text = String(value)
    const clean = this.walk.clean(text)
    return clean === text ? value : clean
  }

  private walked(value: unknown, state = this.rules.redaction.root): unknown {
    this.walk.begin()
    return this.walk.value(value, state, 1, '')
  }
}

/**
 * What the walk has made of members, under their names in the record. Members that are undefined, which the walk leaves out, are in their
 * places where names are not redacted.
 */
function restored(
  given: TransformableInfo,
  data: TransformableInfo,
  names: RecordNames | undefined,
): TransformableInfo {
  const info = {} as TransformableInfo
  const keys = Object.keys(given)
  const left = new Set(Object.keys(data))
  for (const [key, own, name] of names?.ofObject(keys) ?? keys.map((same) => [same, same, same] as const)) {
    const value = given[key]
    if (left.delete(own)) {
      setMember(info, name, typeof value === 'object' && value !== null ? revived(value, data[own]) : data[own])
    } else if (value === undefined && names === undefined) setMember(info, name, undefined)
  }
  for (const key of left) if (!Object.hasOwn(info, key)) setMember(info, key, data[key])
  return info
}

/** An object of nobody's class, whose members are what it says. */
function isPlain(value: object): boolean {
  try {
    const prototype: unknown = Object.getPrototypeOf(value)
    // Also one of another realm.
    const isNobodys = prototype === null || Object.getPrototypeOf(prototype) === null
    return isNobodys && !Array.isArray(value) && typeof member(value as { toJSON?: unknown }, 'toJSON') !== 'function'
  } catch {
    return false
  }
}

/** Whether all members are texts, finite numbers, booleans, null or undefined, and none can be a credential header. */
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

/** What formats ask the class of: an Error or a Date again, made of what the rules have left of it. */
function revived(original: object, data: unknown): unknown {
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
 * An Error that says what a snapshot of one says. Its class is that of the original where this realm knows it, and what is listed
 * among that one's members is so here.
 */
export function errorFrom(data: ErrorData, original: object): Error {
  const { type, message, stacktrace, cause, ...own } = ownCopy(data)
  const listed = new Set(listedIn(original))
  // A real one, which util.inspect shows as such.
  const error = Object.setPrototypeOf(new Error(''), prototypeOf(original)) as Error
  const say = (key: string, value: unknown) =>
    define(error, key, { value, writable: true, configurable: true, enumerable: listed.has(key) })
  say('message', message ?? '')
  say('stack', stacktrace)
  if (cause !== undefined) say('cause', cause)
  if (listed.has('name') || nameOf(error) !== type) say('name', type)
  for (const key of Object.keys(own)) {
    setMember(error, nameGiven(key, listed), own[key])
  }
  return error
}

/** A snapshot has places of its own for `type` and `stacktrace`, and calls members of these names `_type` and `_stacktrace`. */
function nameGiven(key: string, listed: ReadonlySet<string>): string {
  const [, name] = /^_+(type|stacktrace)$/.exec(key) ?? []
  return name !== undefined && listed.has(name) && !listed.has(key) ? name : key
}

function listedIn(object: object): readonly string[] {
  try {
    return Object.keys(object)
  } catch {
    return [] // a proxy
  }
}

function prototypeOf(original: object): object {
  try {
    const prototype: unknown = Object.getPrototypeOf(original)
    if (prototype instanceof Error || prototype === Error.prototype) return prototype
  } catch {
    // a proxy
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

/** A member of an object of the caller's; where reading it throws, what says so. */
export function readMember(object: object, key: PropertyKey): unknown {
  try {
    return member(object as Record<PropertyKey, unknown>, key)
  } catch (error) {
    return thrownMarker(error)
  }
}

/**
 * Puts what an object says into `target`, each member read once: its own members, the entries of a Map, or what its own `toJSON`
 * returns. Bytes are the member `value`: as members, their numbers could not be redacted. Never throws.
 *
 * @param hides - whether an object is a list of bytes that must be redacted; it is the member `value` too
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
    const said = Object.hasOwn(source, 'toJSON') ? resultOfToJSON(source) : source
    const names = Object.keys(said)
    for (const key of names) {
      const value = readMember(said, key)
      setMember(target, key, typeof value === 'string' ? maskMember(key, value, names) : value)
    }
  } catch (error) {
    setMember(target, 'threw', thrownMarker(error))
  }
}

function resultOfToJSON(source: object): object {
  const { toJSON: hook } = source as { toJSON?: unknown }
  if (typeof hook !== 'function') return source
  const said: unknown = hook.call(source, '')
  return typeof said === 'object' && said !== null ? said : { toJSON: said }
}

function assignEntries(target: Record<string, unknown>, source: Map<unknown, unknown>): void {
  // The language's own: a subclass may say otherwise.
  Map.prototype.forEach.call(source, (value: unknown, key: unknown) => {
    if (typeof key === 'string') setMember(target, key, value)
  })
}
