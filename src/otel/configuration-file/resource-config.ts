import { valueOf, type Environment } from '../../platform/node/env.ts'
import { resourceAttributeList } from '../../platform/node/resource.ts'
import { matchesPattern } from '../provider/configurator.ts'
import type { ResourceDetector } from '../provider/provider-resource.ts'
import { builtInDetector, type DetectorName } from '../provider/resource-detectors.ts'
import type { OtelResource } from '../api/types.ts'
import type { ConfigNode } from './config-document.ts'
import { isNull, type ConfigSection } from './config-section.ts'

/** The resource that a configuration file describes. */
export interface ResourceConfig {
  readonly resource: OtelResource
  readonly detectors: readonly ResourceDetector[]
}

/** Reads the section `resource` and reports its problems. */
export function resourceOf(section: ConfigSection | undefined, env: Environment): ResourceConfig {
  if (section === undefined) return { resource: { attributes: {} }, detectors: [] }
  const list = section.string('attributes_list')
  const listed = list === undefined || list.trim() === '' ? [] : resourceAttributeList(list)
  if (listed === undefined)
    section.wrong('must be a list of key=value with percent-encoded keys and values', 'attributes_list')
  const own = section.has('attributes') ? (section.sections('attributes') ?? []).flatMap(attributeOf) : []
  const schemaUrl = section.string('schema_url')
  const detection = section.section('detection/development')
  section.finish()
  // Entries of `attributes` have precedence over the list.
  const attributes = Object.fromEntries([...(listed ?? []), ...own])
  return {
    resource: { attributes, ...(schemaUrl === undefined ? {} : { schemaUrl }) },
    detectors: detection === undefined ? [] : detectorsOf(detection, env),
  }
}

type AttributeType = 'string' | 'bool' | 'int' | 'double'
const types = ['string', 'bool', 'int', 'double'] as const
const arrayTypes = ['string_array', 'bool_array', 'int_array', 'double_array'] as const

/** Reads an attribute. Without a `type` the value is a string, and a scalar of another type is used as written. */
function attributeOf(section: ConfigSection): [string, unknown][] {
  section.require('name')
  section.require('value')
  const name = section.string('name')
  const type = section.word('type', [...types, ...arrayTypes])
  const item = section.node('value')
  section.finish()
  if (name === undefined || item === undefined || isNull(item.node)) return []
  const { node } = item
  const isArray = type?.endsWith('_array') ?? node.kind === 'list'
  const element = type?.replace('_array', '') as AttributeType | undefined
  const nodes = isArray ? (node.kind === 'list' ? node.items : []) : [node]
  const values = nodes.map((one) => valueAs(element, one))
  if (nodes.length > 0 && !values.includes(undefined)) return [[name, isArray ? values : values[0]]]
  section.wrong(`must be of the type ${type ?? 'string'}${isArray ? ', with at least one item' : ''}`, 'value')
  return []
}

function valueAs(type: AttributeType | undefined, node: ConfigNode): unknown {
  if (node.kind !== 'scalar') return undefined
  const { value, text } = node
  switch (type) {
    case 'bool':
      return typeof value === 'boolean' ? value : undefined
    case 'int':
      return Number.isSafeInteger(value) ? value : undefined
    case 'double':
      return typeof value === 'number' ? value : undefined
    case 'string':
      return typeof value === 'string' ? value : undefined
    default:
      return value === null ? undefined : text
  }
}

function detectorsOf(detection: ConfigSection, env: Environment): ResourceDetector[] {
  const filter = detection.section('attributes')
  const included = patternsOf(filter, 'included')
  const excluded = patternsOf(filter, 'excluded') ?? []
  filter?.finish()
  const isIncluded = (name: string): boolean =>
    (included === undefined || included.some((pattern) => matchesPattern(name, pattern))) &&
    !excluded.some((pattern) => matchesPattern(name, pattern))
  // Arguments can contain secrets, so they must be included by name; a matching pattern is not enough.
  const commandArgs = included?.includes('process.command_args') === true
  const found = (detection.has('detectors') ? (detection.sections('detectors') ?? []) : []).flatMap((entry) => {
    const component = entry.component()
    if (component === undefined) return []
    const { name, options } = component
    if (!Object.hasOwn(detectorNames, name)) {
      // Available detectors depend on the language; there is none for containers here.
      entry.ignore(name)
      return []
    }
    options.finish()
    const own = detectorNames[name]!.map((detector) => builtInDetector(detector, { commandArgs }))
    return name === 'service' ? own.concat(serviceName(env)) : own
  })
  detection.finish()
  return found.map((detector) => filtered(detector, isIncluded))
}

/** The detectors of the schema. `host` also detects the attributes of the operating system. */
const detectorNames: Readonly<Record<string, readonly DetectorName[]>> = {
  host: ['host', 'os'],
  process: ['process'],
  service: ['serviceinstance'],
}

/** Creates the part of the detector `service` that reads `OTEL_SERVICE_NAME`, as the schema defines. */
function serviceName(env: Environment): ResourceDetector {
  const name = valueOf(env, 'OTEL_SERVICE_NAME')
  return { detect: () => ({ attributes: name === undefined ? {} : { 'service.name': name } }) }
}

function patternsOf(filter: ConfigSection | undefined, name: string): string[] | undefined {
  if (filter?.has(name) !== true) return undefined
  return filter.list(name)?.flatMap(({ node }) => {
    if (node.kind === 'scalar' && typeof node.value === 'string') return [node.value]
    filter.wrong('must be a list of strings', name)
    return []
  })
}

function filtered(detector: ResourceDetector, isIncluded: (name: string) => boolean): ResourceDetector {
  return {
    detect() {
      const { attributes } = detector.detect() as { attributes: object }
      return { attributes: Object.fromEntries(Object.entries(attributes).filter(([name]) => isIncluded(name))) }
    },
  }
}
