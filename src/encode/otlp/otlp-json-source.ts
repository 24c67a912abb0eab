import type { AnyValueMap } from '../../record/any-value.ts'
import type { Resource, Scope } from '../../record/instrumentation-source.ts'
import { otlpJsonMember } from './otlp-json-walk.ts'
import { quoteWellFormed } from '../json/quote.ts'
import { wellFormedMembers } from '../well-formed-members.ts'

/** Returns the members `"scope":{…},"schemaUrl":"…"` of a ScopeLogs, without empty fields. */
export function otlpJsonScopeMembers({ name, version, schemaUrl, attributes, droppedAttributes = 0 }: Scope): string {
  const fields: string[] = []
  if (name !== undefined && name !== '') fields.push('"name":' + quoteWellFormed(name))
  if (version !== undefined && version !== '') fields.push('"version":' + quoteWellFormed(version))
  if (attributes !== undefined && attributes.size > 0) fields.push(attributesText(attributes))
  if (droppedAttributes > 0) fields.push('"droppedAttributesCount":' + droppedAttributes)
  return `"scope":{${fields.join()}}${schemaText(schemaUrl)}`
}

/** Returns the members `"resource":{…},"schemaUrl":"…"` of a ResourceLogs, without empty fields. */
export function otlpJsonResourceMembers({ attributes, schemaUrl }: Resource): string {
  return `"resource":{${attributes.size === 0 ? '' : attributesText(attributes)}}${schemaText(schemaUrl)}`
}

const attributesText = (attributes: AnyValueMap): string =>
  `"attributes":[${Array.from(wellFormedMembers(attributes), ([key, value]) => otlpJsonMember(key, value)).join()}]`

const schemaText = (url: string | undefined): string =>
  url === undefined || url === '' ? '' : ',"schemaUrl":' + quoteWellFormed(url)
