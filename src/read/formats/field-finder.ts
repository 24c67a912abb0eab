import { isErrorLike } from './exceptions.ts'
import { isInexact, isMembers, type JsonMembers } from './json-members.ts'
import type { Field, JsonFormat } from './json-format.ts'
import { timeOf } from './times.ts'
import { datadogSpanIdOf, datadogTraceIdOf, spanIdOf, traceFlagsOf, traceIdOf } from './trace-ids.ts'

/** What a member with a certain name can be. */
export interface MemberRole {
  /** The name of the member, without those of the objects that it is nested in. */
  readonly name: string
  readonly field: Field | undefined
  /** The index of the field; -1 without one. */
  readonly fieldIndex: number
  /** The place of the name among those of its field; the lowest place that is present is the field. */
  readonly rank: number
  /** The name of the attribute of the resource; undefined if it is not one. */
  readonly resourceName: string | undefined
  readonly isIgnored: boolean
  readonly isDatadogId: boolean
  /** Whether any value is suitable, and not only a text. */
  readonly acceptsAnyValue: boolean
  /** The roles of its members, if it is an object. */
  readonly children: RoleTable | undefined
}

/** The roles of members by their names. */
export type RoleTable = ReadonlyMap<string, MemberRole>

/** The index of each field in `FoundFields`. */
export const fieldIndexes: Readonly<Record<Field, number>> = {
  time: 0,
  level: 1,
  severityNumber: 2,
  message: 3,
  eventName: 4,
  scope: 5,
  scopeVersion: 6,
  traceId: 7,
  spanId: 8,
  traceFlags: 9,
  exception: 10,
  exceptionType: 11,
  exceptionMessage: 12,
  exceptionStacktrace: 13,
  attributes: 14,
  resource: 15,
}

/** The fields that were found in the members of a line. Arrays, because they are faster than an object with names as its keys. */
export class FoundFields {
  // prettier-ignore
  private readonly roles: (MemberRole | undefined)[] = [u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u]
  /** Whether an ID is a number that lost digits when the line was parsed. */
  hasInexactId = false
  private readonly values: unknown[] = [u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u]

  /** Returns the value of a field in the form that a record has, except that of times, levels and objects; undefined if it was not found. */
  value(field: Field): unknown {
    return this.values[fieldIndexes[field]]
  }
  /** Returns the name of the member that is a field. */
  nameOf(field: Field): string {
    return this.roles[fieldIndexes[field]]?.name ?? field
  }
  /** Returns whether the caller named the member that is a field. */
  isNamed(field: Field): boolean {
    return (this.roles[fieldIndexes[field]]?.rank ?? 1) < 1
  }
  /** Returns the roles of the members in the object that is a field. */
  childrenOf(field: Field): RoleTable | undefined {
    return this.roles[fieldIndexes[field]]?.children
  }
  /** Returns whether the member with a role is a field. */
  has(role: MemberRole): boolean {
    return role.fieldIndex >= 0 && this.roles[role.fieldIndex] === role
  }
  /** Adds a field, unless a member with precedence is that field. */
  add(role: MemberRole, member: unknown): void {
    const { field, fieldIndex } = role
    const known = this.roles[fieldIndex]
    if (field === undefined || (known !== undefined && known.rank <= role.rank)) return
    const value = fieldValue(field, member, role)
    if (value === undefined) return
    if (role.isDatadogId && typeof member === 'number' && isInexact(member)) this.hasInexactId = true
    this.roles[fieldIndex] = role
    this.values[fieldIndex] = value
  }
}

const u = undefined

/**
 * Returns the roles of the members of a format.
 *
 * @param fieldNames - names of members that have precedence over those of the format
 */
export function rolesOf(format: JsonFormat, fieldNames: readonly (readonly [Field, string])[] = []): RoleTable {
  const roles: MutableRoles = new Map()
  for (const [resourceKey, resourceName] of Object.entries(format.resource ?? {}))
    addRole(roles, resourceKey, { ...noRole, resourceName })
  for (const name of format.ignored ?? []) addRole(roles, name, { ...noRole, isIgnored: true })
  for (const [field, names] of Object.entries(format.fields) as [Field, readonly string[]][])
    for (const [index, name] of names.entries())
      addRole(roles, name, { ...noRole, ...fieldRole(field, name), rank: index + 1 })
  for (const [field, name] of fieldNames) addRole(roles, name, { ...noRole, ...fieldRole(field, name) })
  return roles
}

function fieldRole(field: Field, name: string): Partial<MemberRole> {
  return {
    field,
    fieldIndex: fieldIndexes[field],
    isDatadogId: name.startsWith('dd.'),
    acceptsAnyValue: bodyNames.includes(name),
  }
}

/** Members with other names, such as `event`, are often objects with other data. */
const bodyNames = ['message', 'msg', 'body']

type MutableRoles = Map<string, MemberRole>

const noRole: MemberRole = {
  name: '',
  field: undefined,
  fieldIndex: -1,
  rank: 0,
  resourceName: undefined,
  isIgnored: false,
  isDatadogId: false,
  acceptsAnyValue: false,
  children: undefined,
}

/** Adds a role for a member with a literal name, and for the nested member that the dots of the name lead to. */
function addRole(roles: MutableRoles, name: string, role: MemberRole): void {
  roles.set(name, { ...role, name, children: roles.get(name)?.children })
  const dot = name.indexOf('.')
  if (dot <= 0) return
  const first = name.slice(0, dot)
  const parent = roles.get(first) ?? { ...noRole, name: first }
  const children: MutableRoles = new Map(parent.children)
  // A literal name has precedence over a nested one of the same rank.
  addRole(children, name.slice(dot + 1), { ...role, rank: role.rank + 0.5 })
  roles.set(first, { ...parent, children })
}

/** Finds the fields of a record among its members. */
export function findFields(members: JsonMembers, roles: RoleTable): FoundFields {
  const found = new FoundFields()
  findIn(members, roles, found)
  return found
}

function findIn(members: JsonMembers, roles: RoleTable, found: FoundFields): void {
  for (const key of Object.keys(members)) {
    const role = roles.get(key)
    if (role === undefined) continue
    const member = members[key]
    if (role.children !== undefined && isMembers(member)) findIn(member, role.children, found)
    if (role.fieldIndex >= 0) found.add(role, member)
  }
}

/** Returns the value of a member as the value of a field; undefined if it is not suitable. */
function fieldValue(field: Field, value: unknown, role: MemberRole): unknown {
  if (value === null) return undefined
  switch (field) {
    case 'time':
      return timeOf(value) === undefined ? undefined : value
    case 'level':
      return (typeof value === 'string' && value !== '') || (typeof value === 'number' && value >= 0)
        ? value
        : undefined
    case 'severityNumber':
      return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 24 ? value : undefined
    case 'message':
      return typeof value === 'string' || role.acceptsAnyValue ? value : undefined
    case 'traceId':
      return role.isDatadogId ? datadogTraceIdOf(value) : traceIdOf(value)
    case 'spanId':
      return role.isDatadogId ? datadogSpanIdOf(value) : spanIdOf(value)
    case 'traceFlags':
      return traceFlagsOf(value)
    case 'scope':
      return scopeOf(value)
    case 'exception':
      return isMembers(value) && isErrorLike(value) ? value : undefined
    case 'attributes':
    case 'resource':
      return isMembers(value) ? value : undefined
    default:
      return typeof value === 'string' && value !== '' ? value : undefined
  }
}

/** Returns the name of a scope, which LogTape can write as an array. */
function scopeOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  return Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string')
    ? value.join('.')
    : undefined
}
