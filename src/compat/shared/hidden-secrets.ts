import { types } from 'node:util'
import { valueOf } from '../../record/value-of.ts'
import { redacted } from '../../redact/censor.ts'
import { isCredentialHeader } from '../../redact/headers.ts'
import { unionState, type Redaction, type RedactState } from '../../redact/redact.ts'
import { isUrl, maskMember, maskPassword } from '../../redact/url-password.ts'
import type { JsonText } from './json-text.ts'

/** Maximum number of objects of a record that are searched. */
const maxObjects = 20_000

/**
 * Returns whether a stream must not receive a record unchanged: a rule changes its line or may change it, or matches something in the
 * record that the line does not contain.
 *
 * @param line - the line of the record
 */
export function isRedacted(record: object, line: string, json: JsonText): boolean {
  const { redaction } = json
  if (redaction === undefined) return false
  const isChanged = !json.hasNoCustomRules || (json.holdsSecrets(line) && line.includes(redacted))
  return isChanged || holdsHiddenSecrets(record, redaction)
}

/**
 * Returns whether a record contains a credential header, or a URL with a password, where JSON does not show it: in fetch's `Headers`,
 * `Request` or `Response`, in a Map or a Set, under a symbol, or in a non-enumerable member. Calls no user getters. Returns true if the
 * record cannot be searched.
 */
function holdsHiddenSecrets(record: object, { root }: Redaction): boolean {
  try {
    const room = { objects: maxPlain }
    const members = record as Readonly<Record<string, unknown>>
    return !Object.keys(record).every((key) => isShown(members[key], room)) && new Search().finds(record, root)
  } catch {
    return true // a proxy, or too many objects
  }
}

/** Maximum number of objects checked before the slower search, which tracks visited objects, is used. */
const maxPlain = 1_000

/** Returns whether JSON shows everything a value contains, as for plain objects, lists and Dates, which most records consist of. */
function isShown(value: unknown, room: { objects: number }): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function'
  if (room.objects-- <= 0) return false
  if (Array.isArray(value)) return value.every((item) => isShown(item, room))
  const prototype: unknown = Object.getPrototypeOf(value)
  const keys = Reflect.ownKeys(value)
  if (prototype !== Object.prototype && prototype !== null) return prototype === Date.prototype && keys.length === 0
  for (const key of keys) {
    if (typeof key !== 'string' || !Object.prototype.propertyIsEnumerable.call(value, key)) return false
    if (!isShown(valueOf(value, key), room)) return false
  }
  return true
}

class Search {
  /** The rules with which each object was already searched. */
  private readonly seen = new Map<object, Set<RedactState>>()

  /** `named` is the state for the values of a list that also contains their names. */
  finds(value: unknown, state: RedactState, named?: RedactState): boolean {
    if (value === undefined || value === null) return false
    if (state.censor !== undefined && state.censor.replace(value, []) !== value) return true
    if (typeof value !== 'object' && typeof value !== 'function') return false
    if (ArrayBuffer.isView(value) || this.isVisited(value, state)) return false
    if (isUrl(value)) return holdsPassword((value as URL).href)
    if (types.isMap(value)) return this.findsInEntries(Map.prototype.entries.call(value), state)
    if (types.isSet(value)) return this.findsInItems([...Set.prototype.values.call(value)], state, undefined)
    if (Array.isArray(value) && this.findsInItems(value, state, named ?? this.pairsOf(value, state))) return true
    return findsInFetch(value) || this.findsInMembers(value, state)
  }

  private isVisited(value: object, state: RedactState): boolean {
    const states = this.seen.get(value) ?? new Set()
    if (states.has(state)) return true
    this.seen.set(value, states.add(state))
    if (this.seen.size > maxObjects) throw new RangeError('too many objects')
    return false
  }

  /** Returns the rules for the values of a list of two, which can be a name and a value, as in `Object.entries(…)`. */
  private pairsOf({ length }: readonly unknown[], state: RedactState): RedactState | undefined {
    return length === 2 ? state : undefined
  }

  private findsInItems(items: readonly unknown[], state: RedactState, named: RedactState | undefined): boolean {
    return items.some((item, index) => {
      const own = state.item ?? state.step(String(index))
      const name: unknown = index % 2 === 1 ? items[index - 1] : undefined
      const isNamed = named !== undefined && typeof name === 'string'
      return this.finds(item, isNamed ? unionState(own, named.step(name)) : own)
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
    const isList = Array.isArray(value)
    const names = Object.keys(value)
    for (const key of Reflect.ownKeys(value)) {
      if (isList && typeof key === 'string') continue
      const name = typeof key === 'string' ? key : (key.description ?? '')
      const member = valueOf(value, key)
      if (typeof member === 'string' && maskMember(name, member, names) !== member) return true
      if (this.findsMember(name, member, state)) return true
    }
    return false
  }

  private findsMember(name: string, value: unknown, state: RedactState): boolean {
    const own = state.step(name)
    // A flat list in a header container alternates names and values.
    return this.finds(value, own, own === state ? undefined : own)
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
  return maskPassword(url) !== url
}
