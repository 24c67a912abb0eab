import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import { addException, addExceptionTexts } from './exceptions.ts'
import { findFields, type FoundField, type FoundFields, type RoleTable } from './field-finder.ts'
import type { Field, JsonFormat } from './json-format.ts'
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
  const prepared = format.prepare?.(members) ?? members
  const found = findFields(prepared, roles)
  const { level: levelField, severityNumber: numberField, message, time, traceFlags } = found
  let level = levelField === undefined ? noLevel : levelOf(levelField.value as string | number, format.levels)
  if (numberField !== undefined) level = withSeverityNumber(level, numberField.value as number)
  return new JsonRecord(
    {
      format: format.name,
      time: time === undefined ? undefined : timeOf(time.value),
      severityNumber: level.severityNumber,
      level: level.name,
      severityText: level.text,
      message: typeof message?.value === 'string' ? message.value : undefined,
      eventName: textOf(found, 'eventName'),
      scope: textOf(found, 'scope'),
      scopeVersion: textOf(found, 'scopeVersion'),
      traceId: textOf(found, 'traceId'),
      spanId: textOf(found, 'spanId'),
      traceFlags: traceFlags?.value as number | undefined,
      origin: context.origin,
      raw: context.raw,
    },
    new FlatParts(text, prepared, format, roles, found),
  )
}

function textOf(found: FoundFields, field: Field): string | undefined {
  return found[field]?.value as string | undefined
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
    const value = this.found.time?.value
    if (typeof value !== 'number' || Number.isSafeInteger(value) || !Number.isInteger(value)) return nanosOf(value)
    this.readExactly()
    return nanosOf(this.found.time?.value)
  }

  body(): AnyValue | undefined {
    const value = this.found.message?.value
    return value === undefined ? undefined : this.exactly(() => converter.value(this.found.message?.value))
  }

  attributes(): AnyValueMap {
    return this.exactly(() => this.readAttributes())
  }

  resource(): AnyValueMap {
    const resource = new Map<string, AnyValue>()
    this.addResource(resource, this.members, this.roles)
    const object = this.found.resource?.value
    if (object !== undefined)
      for (const [key, value] of this.exactly(() => converter.value(this.found.resource?.value)) as AnyValueMap)
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
    if (found.attributes !== undefined) this.addNested(attributes, found.attributes)
    if (found.exception !== undefined) {
      const { key, value } = found.exception
      addException(attributes, key, value as JsonMembers, converter)
    }
    addExceptionTexts(attributes, found)
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
      const { field, children, resourceName, isIgnored } = role
      if (isIgnored || (field !== undefined && this.found[field]?.role === role)) continue
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
  private addNested(attributes: Map<string, AnyValue>, { key, value, role }: FoundField): void {
    const members = value as JsonMembers
    const names = Object.keys(members)
    if (this.format.nested === 'reserved' && !names.every((name) => this.isReserved(name))) {
      attributes.set(key, converter.value(members))
      return
    }
    const rest = new Map<string, AnyValue>()
    for (const name of names) {
      const nestedRole = role.children?.get(name)
      if (nestedRole?.field !== undefined && this.found[nestedRole.field]?.role === nestedRole) continue
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
