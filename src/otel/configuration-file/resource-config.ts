import { valueOf, type Environment } from '../../platform/node/variables.ts'
import { resourceAttributeList } from '../../platform/node/resource.ts'
import { matchesPattern } from '../../levels/name-pattern.ts'
import type { ResourceDetector } from '../provider/provider-resource.ts'
import { createBuiltInDetector, type DetectorName } from '../provider/resource-detectors.ts'
import type { OtelResource } from '../api/types.ts'
import type { ConfigNode } from './config-document.ts'
import { isNull, type ConfigSection } from './config-section.ts'

/** The resource that a configuration file describes. */
export interface ResourceConfig {
  readonly resource: OtelResource
  readonly detectors: readonly ResourceDetector[]
}

/** Reads the section `resource` and reports its problems. */
export function resourceConfigOf(section: ConfigSection | undefined, env: Environment): ResourceConfig {
  if (section === undefined) return { resource: { attributes: {} }, detectors: [] }
  const list = section.string('attributes_list')
  const listEntries = list === undefined || list.trim() === '' ? [] : resourceAttributeList(list)
  if (listEntries === undefined)
    section.reportProblem('must be a list of key=value with percent-encoded keys and values', 'attributes_list')
  const entries = section.has('attributes') ? (section.sections('attributes') ?? []).flatMap(attributeOf) : []
  const schemaUrl = section.string('schema_url')
  const detection = section.section('detection/development')
  section.reportUnknown()
  // Entries of `attributes` have precedence over the list.
  const attributes = Object.fromEntries([...(listEntries ?? []), ...entries])
  return {
    resource: { attributes, ...(schemaUrl === undefined ? {} : { schemaUrl }) },
    detectors: detection === undefined ? [] : detectorsOf(detection, env),
  }
}

/** The types of single values. An array of one of them has the suffix `_array`. */
type ScalarType = 'string' | 'bool' | 'int' | 'double'
const scalarTypes = ['string', 'bool', 'int', 'double'] as const
const arrayTypes = ['string_array', 'bool_array', 'int_array', 'double_array'] as const

/** Returns an attribute in an array, or an empty array if it is invalid. Without a `type`, values are strings, as written. */
function attributeOf(section: ConfigSection): [string, unknown][] {
  section.require('name')
  section.require('value')
  const name = section.string('name')
  const type = section.word('type', [...scalarTypes, ...arrayTypes])
  const item = section.item('value')
  section.reportUnknown()
  if (name === undefined || item === undefined || isNull(item.node)) return []
  const { node } = item
  const isArray = type?.endsWith('_array') ?? node.kind === 'list'
  const elementType = type?.replace('_array', '') as ScalarType | undefined
  const nodes = isArray ? (node.kind === 'list' ? node.items : []) : [node]
  const values = nodes.map((element) => typedValue(elementType, element))
  if (nodes.length > 0 && !values.includes(undefined)) return [[name, isArray ? values : values[0]]]
  section.reportProblem(`must be of the type ${type ?? 'string'}${isArray ? ', with at least one item' : ''}`, 'value')
  return []
}

/** Returns the value of a scalar; undefined if it is not of the type. */
function typedValue(type: ScalarType | undefined, node: ConfigNode): unknown {
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
  filter?.reportUnknown()
  const isIncluded = (name: string): boolean =>
    (included === undefined || included.some((pattern) => matchesPattern(name, pattern))) &&
    !excluded.some((pattern) => matchesPattern(name, pattern))
  // Arguments can contain secrets, so they must be included by name; a matching pattern is not enough.
  const includesCommandArgs = included?.includes('process.command_args') === true
  const detectors = (detection.has('detectors') ? (detection.sections('detectors') ?? []) : []).flatMap((entry) => {
    const component = entry.component()
    if (component === undefined) return []
    const { name, options } = component
    if (!Object.hasOwn(builtInDetectorNames, name)) {
      // Not an error: which detectors exist depends on the implementation. For example, this package has no detector for containers.
      entry.reportIgnored(name)
      return []
    }
    options.reportUnknown()
    const builtIn = builtInDetectorNames[name]!.map((detector) =>
      createBuiltInDetector(detector, { includesCommandArgs }),
    )
    return name === 'service' ? builtIn.concat(serviceNameDetector(env)) : builtIn
  })
  detection.reportUnknown()
  return detectors.map((detector) => filteredDetector(detector, isIncluded))
}

/** The built-in detectors that implement each detector of the schema. By the schema, `host` also detects the operating system. */
const builtInDetectorNames: Readonly<Record<string, readonly DetectorName[]>> = {
  host: ['host', 'os'],
  process: ['process'],
  service: ['serviceinstance'],
}

/** Creates a detector that reads `OTEL_SERVICE_NAME`, which the schema defines as a part of the detector `service`. */
function serviceNameDetector(env: Environment): ResourceDetector {
  const name = valueOf(env, 'OTEL_SERVICE_NAME')
  return { detect: () => ({ attributes: name === undefined ? {} : { 'service.name': name } }) }
}

function patternsOf(filter: ConfigSection | undefined, name: string): string[] | undefined {
  if (filter?.has(name) !== true) return undefined
  return filter.list(name)?.flatMap(({ node }) => {
    if (node.kind === 'scalar' && typeof node.value === 'string') return [node.value]
    filter.reportProblem('must be a list of strings', name)
    return []
  })
}

/** Returns a detector that detects only the included attributes. */
function filteredDetector(detector: ResourceDetector, isIncluded: (name: string) => boolean): ResourceDetector {
  return {
    detect() {
      const { attributes } = detector.detect() as { attributes: object }
      return { attributes: Object.fromEntries(Object.entries(attributes).filter(([name]) => isIncluded(name))) }
    },
  }
}
