import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import { addException, addExceptionTexts } from './exceptions.ts'
import { findFields, type FoundFields, type RoleTable } from './field-finder.ts'
import type { JsonFormat } from './json-format.ts'
import { isMembers, parseMembersExactly, type JsonMembers } from './json-members.ts'
import { JsonRecord, type RecordParts } from './json-record.ts'
import { emptyMap, ValueConverter } from './json-values.ts'
import type { LineContext } from './line-context.ts'
import { levelOf, noLevel, withSeverityNumber } from './levels.ts'
import { nanosOf, timeOf } from './times.ts'

const converter = new ValueConverter()

/** Returns the record of an object whose fields are its members. */
export function readFlatRecord(
  text: string,
  members: JsonMembers,
  format: JsonFormat,
  roles: RoleTable,
  context: LineContext,
): JsonRecord {
  let prepared = format.prepare?.(members) ?? members
  let found = findFields(prepared, roles)
  const exact = found.hasInexactId ? parseMembersExactly(text) : undefined
  if (exact !== undefined) {
    prepared = format.prepare?.(exact) ?? exact
    found = findFields(prepared, roles)
  }
  const levelValue = found.value('level') as string | number | undefined
  const severityNumber = found.value('severityNumber') as number | undefined
  const message = found.value('message')
  let level = levelValue === undefined ? noLevel : levelOf(levelValue, format.levels)
  if (severityNumber !== undefined) level = withSeverityNumber(level, severityNumber)
  return new JsonRecord(
    {
      format: format.name,
      time: timeOf(found.value('time')),
      severityNumber: level.severityNumber,
      level: level.name,
      severityText: level.text,
      message: typeof message === 'string' ? message : undefined,
      eventName: found.value('eventName') as string | undefined,
      scope: found.value('scope') as string | undefined,
      scopeVersion: found.value('scopeVersion') as string | undefined,
      traceId: found.value('traceId') as string | undefined,
      spanId: found.value('spanId') as string | undefined,
      traceFlags: found.value('traceFlags') as number | undefined,
      origin: context.origin,
      raw: context.raw,
    },
    new FlatParts(text, prepared, format, roles, found),
  )
}

class FlatParts implements RecordParts {
  private readonly text: string
  private readonly format: JsonFormat
  private readonly roles: RoleTable
  private members: JsonMembers
  private found: FoundFields
  private isExact = false

  constructor(text: string, members: JsonMembers, format: JsonFormat, roles: RoleTable, found: FoundFields) {
    this.text = text
    this.members = members
    this.format = format
    this.roles = roles
    this.found = found
  }

  timeUnixNano(): bigint | undefined {
    const value = this.found.value('time')
    if (typeof value !== 'number' || Number.isSafeInteger(value) || !Number.isInteger(value)) return nanosOf(value)
    this.readExactly()
    return nanosOf(this.found.value('time'))
  }

  body(): AnyValue | undefined {
    const value = this.found.value('message')
    return value === undefined ? undefined : this.exactly(() => converter.value(this.found.value('message')))
  }

  attributes(): AnyValueMap {
    return this.exactly(() => this.readAttributes())
  }

  resource(): AnyValueMap {
    const resource = new Map<string, AnyValue>()
    this.addResource(resource, this.members, this.roles)
    const object = this.found.value('resource')
    if (object !== undefined)
      for (const [key, value] of this.exactly(() => converter.value(this.found.value('resource'))) as AnyValueMap)
        resource.set(key, value)
    return resource.size === 0 ? emptyMap : resource
  }

  /** Returns what a function reads; if it saw an integer that lost digits, parses the text again and repeats it. */
  private exactly<T>(read: () => T): T {
    converter.sawInexactInteger = false
    const value = read()
    if (!converter.sawInexactInteger || this.isExact) return value
    this.readExactly()
    return read()
  }

  private readExactly(): void {
    if (this.isExact) return
    this.isExact = true
    const members = parseMembersExactly(this.text)
    if (members === undefined) return
    this.members = this.format.prepare?.(members) ?? members
    this.found = findFields(this.members, this.roles)
  }

  private readAttributes(): AnyValueMap {
    const attributes = new Map<string, AnyValue>()
    this.addAttributes(attributes, this.members, this.roles)
    const { found } = this
    // A number without a meaning, such as 0 in pino, is not lost.
    const level = found.value('level') as string | number | undefined
    if (level !== undefined && levelOf(level, this.format.levels).name === '')
      attributes.set(found.nameOf('level'), typeof level === 'number' ? level : level.trim())
    const nested = found.value('attributes') as JsonMembers | undefined
    if (nested !== undefined) this.addNested(attributes, nested)
    const error = found.value('exception') as JsonMembers | undefined
    if (error !== undefined) addException(attributes, found.nameOf('exception'), error, converter)
    addExceptionTexts(
      attributes,
      found.value('exceptionType') as string | undefined,
      found.value('exceptionMessage') as string | undefined,
      found.value('exceptionStacktrace') as string | undefined,
    )
    return attributes.size === 0 ? emptyMap : attributes
  }

  /** Adds the members that are neither fields nor attributes of the resource. */
  private addAttributes(attributes: Map<string, AnyValue>, members: JsonMembers, roles: RoleTable): void {
    for (const key of Object.keys(members)) {
      const member = members[key]
      const role = roles.get(key)
      if (role === undefined) {
        attributes.set(key, converter.value(member))
        continue
      }
      const { children, resourceName, isIgnored } = role
      if (isIgnored || this.found.has(role)) continue
      if (resourceName !== undefined && isScalar(member)) continue
      if (children === undefined || !isMembers(member)) {
        attributes.set(key, converter.value(member))
        continue
      }
      const rest = new Map<string, AnyValue>()
      this.addAttributes(rest, member, children)
      if (rest.size > 0 || Object.keys(member).length === 0) attributes.set(key, rest)
    }
  }

  /** Adds the members of an object with attributes. A member whose name is taken stays in the object. */
  private addNested(attributes: Map<string, AnyValue>, members: JsonMembers): void {
    const key = this.found.nameOf('attributes')
    const roles = this.found.childrenOf('attributes')
    const names = Object.keys(members)
    const isAlways = this.format.nested !== 'reserved' || this.found.isNamed('attributes')
    if (!isAlways && !names.every((name) => this.isReserved(name))) {
      attributes.set(key, converter.value(members))
      return
    }
    const rest = new Map<string, AnyValue>()
    for (const name of names) {
      const role = roles?.get(name)
      if (role !== undefined && this.found.has(role)) continue
      const target = attributes.has(name) ? rest : attributes
      target.set(name, converter.value(members[name]))
    }
    if (rest.size > 0) attributes.set(key, rest)
  }

  private isReserved(name: string): boolean {
    return this.roles.has(name) || this.format.reservedNames?.includes(name) === true
  }

  private addResource(resource: Map<string, AnyValue>, members: JsonMembers, roles: RoleTable): void {
    for (const key of Object.keys(members)) {
      const role = roles.get(key)
      if (role === undefined) continue
      const member = members[key]
      if (role.children !== undefined && isMembers(member)) this.addResource(resource, member, role.children)
      if (role.resourceName !== undefined && isScalar(member)) resource.set(role.resourceName, converter.value(member))
    }
  }
}

function isScalar(value: unknown): boolean {
  return value !== null && typeof value !== 'object'
}
