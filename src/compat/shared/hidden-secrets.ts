import { types } from 'node:util'
import { ownDataValue } from '../../record/own-data-value.ts'
import { defaultReplacement } from '../../redact/censor.ts'
import { isCredentialHeader } from '../../redact/headers.ts'
import { mergeStates, type Redaction, type RedactState } from '../../redact/redact.ts'
import { isUrl, maskPasswordIfUrlMember, maskUrlPassword } from '../../redact/url-password.ts'
import type { JsonWriter } from './json-text.ts'

/** Maximum number of objects of a record that are searched. */
const maxObjects = 20_000

/**
 * Returns whether a record must be redacted before a stream receives it as an object: a rule may have changed its line, or matches
 * something in the record that the line does not contain.
 *
 * @param line - the redacted line of the record
 */
export function needsRedaction(record: object, line: string, json: JsonWriter): boolean {
  const { redaction } = json
  if (redaction === undefined) return false
  const mayChangeLine = !json.hasNoCustomRules || (json.mayMatchDefaultRules(line) && line.includes(defaultReplacement))
  return mayChangeLine || holdsHiddenSecrets(record, redaction)
}

/**
 * Returns whether a record contains a credential header, or a URL with a password, where JSON does not show it: in fetch's `Headers`,
 * `Request` or `Response`, in a Map or a Set, under a symbol, in a non-enumerable member, or in a member of an array that is not an item.
 * Calls no getters of logged objects but `Symbol.toStringTag`, and those of URL, `Request` and `Response`. Returns true if the record
 * cannot be searched.
 */
function holdsHiddenSecrets(record: object, { root }: Redaction): boolean {
  try {
    const remaining = { objects: maxQuickObjects }
    const members = record as Readonly<Record<string, unknown>>
    return (
      !Object.keys(record).every((key) => isFullyShownInJson(members[key], remaining)) &&
      new SecretSearch().finds(record, root)
    )
  } catch {
    return true // a proxy, or too many objects
  }
}

/** Maximum number of objects that `isFullyShownInJson` checks. Larger records are searched with `SecretSearch`, which is slower. */
const maxQuickObjects = 1_000

/**
 * Returns whether JSON shows everything a value contains, as for plain objects, lists and Dates, which most records consist of. Returns
 * false once the value and those before it contained more objects than `remaining` allows.
 */
function isFullyShownInJson(value: unknown, remaining: { objects: number }): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function'
  if (remaining.objects-- <= 0) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (Array.isArray(value)) {
    // The keys of items are before `length`, and all others after it.
    const hasOnlyItems = prototype === Array.prototype && Reflect.ownKeys(value).at(-1) === 'length'
    return hasOnlyItems && value.every((item) => isFullyShownInJson(item, remaining))
  }
  const keys = Reflect.ownKeys(value)
  if (prototype !== Object.prototype && prototype !== null) return prototype === Date.prototype && keys.length === 0
  for (const key of keys) {
    if (typeof key !== 'string' || !Object.prototype.propertyIsEnumerable.call(value, key)) return false
    if (!isFullyShownInJson(ownDataValue(value, key), remaining)) return false
  }
  return true
}

/** Returns the keys of an object's own members, without the items and the length of an array or the items of a typed array. */
function keysExceptItems(value: object): readonly (string | symbol)[] {
  // A Buffer may have millions of items, and their keys cannot be skipped, so its members with string keys are not searched.
  if (ArrayBuffer.isView(value)) return Object.getOwnPropertySymbols(value)
  const keys = Reflect.ownKeys(value)
  // The keys of items are before `length`, and all others after it.
  return Array.isArray(value) ? keys.slice(keys.indexOf('length') + 1) : keys
}

/** Searches one record for values to which redaction rules apply. */
class SecretSearch {
  /** The rules with which each object was already searched. */
  private readonly seen = new Map<object, Set<RedactState>>()

  /** @param namedValueState - the rules for the values of a list that alternates names and values; undefined for other values */
  finds(value: unknown, state: RedactState, namedValueState?: RedactState): boolean {
    if (value === undefined || value === null) return false
    if (state.censor !== undefined && state.censor.replace(value, []) !== value) return true
    if (typeof value !== 'object' && typeof value !== 'function') return false
    if (this.markVisited(value, state)) return false
    return this.findsInContents(value, state, namedValueState) || this.findsInMembers(value, state)
  }

  /** Searches what an object contains in addition to its members; of an array, the items. */
  private findsInContents(value: object, state: RedactState, namedValueState: RedactState | undefined): boolean {
    if (isUrl(value)) return holdsPassword((value as URL).href)
    if (types.isMap(value)) return this.findsInEntries(Map.prototype.entries.call(value), state)
    if (types.isSet(value)) return this.findsInItems([...Set.prototype.values.call(value)], state, undefined)
    if (Array.isArray(value))
      return this.findsInItems(value, state, namedValueState ?? this.namedValueStateOf(value, state))
    return findsInFetch(value)
  }

  /**
   * Marks an object as searched with these rules. Returns whether it was marked before.
   *
   * @throws RangeError if the record contains more than `maxObjects` objects
   */
  private markVisited(value: object, state: RedactState): boolean {
    const states = this.seen.get(value) ?? new Set()
    if (states.has(state)) return true
    this.seen.set(value, states.add(state))
    if (this.seen.size > maxObjects) throw new RangeError('too many objects')
    return false
  }

  /** Returns the rules for the value in a list of two items, which can be a name and a value; undefined for other lists. */
  private namedValueStateOf({ length }: readonly unknown[], state: RedactState): RedactState | undefined {
    return length === 2 ? state : undefined
  }

  private findsInItems(
    items: readonly unknown[],
    state: RedactState,
    namedValueState: RedactState | undefined,
  ): boolean {
    return items.some((item, index) => {
      const itemState = state.itemState ?? state.step(String(index))
      const name: unknown = index % 2 === 1 ? items[index - 1] : undefined
      const isNamed = namedValueState !== undefined && typeof name === 'string'
      return this.finds(item, isNamed ? mergeStates(itemState, namedValueState.step(name)) : itemState)
    })
  }

  private findsInEntries(entries: Iterable<[unknown, unknown]>, state: RedactState): boolean {
    for (const [key, value] of entries) {
      const name = typeof key === 'string' ? key : ''
      if (this.finds(key, state) || this.findsMember(name, value, state)) return true
    }
    return false
  }

  private findsInMembers(value: object, state: RedactState): boolean {
    const keys = keysExceptItems(value)
    const names = keys.filter((key) => typeof key === 'string')
    for (const key of keys) {
      const name = typeof key === 'string' ? key : (key.description ?? '')
      const member = ownDataValue(value, key)
      if (typeof member === 'string' && maskPasswordIfUrlMember(name, member, names) !== member) return true
      if (this.findsMember(name, member, state)) return true
    }
    return false
  }

  private findsMember(name: string, value: unknown, state: RedactState): boolean {
    const memberState = state.step(name)
    // With only the default rules, a name changes the state only if the member is a credential or contains headers. Headers can be a flat
    // list that alternates names and values.
    return this.finds(value, memberState, memberState === state ? undefined : memberState)
  }
}

/** Returns whether an object of fetch contains a credential; its members are getters of its class. */
function findsInFetch(value: object): boolean {
  switch (Object.prototype.toString.call(value)) {
    case '[object Headers]':
      return [...(value as Headers).keys()].some(isCredentialHeader)
    case '[object Request]':
    case '[object Response]': {
      const { url, headers } = value as Request | Response
      return holdsPassword(url) || findsInFetch(headers)
    }
    default:
      return false
  }
}

function holdsPassword(url: string): boolean {
  return maskUrlPassword(url) !== url
}
