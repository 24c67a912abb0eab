import {
  anything,
  checkOptions,
  choice,
  either,
  flag,
  options,
  quotedWord,
  table,
  text,
  type Check,
} from '../record/option-checks.ts'
import { ownOptions } from '../record/own-options.ts'
import type { ConfigurationProblem } from '../record/problems.ts'

/** The fields of a line that are not the user's. A layout names and places them. */
export type CoreField =
  | 'timestamp'
  | 'level'
  | 'severityNumber'
  | 'message'
  | 'traceId'
  | 'spanId'
  | 'traceFlags'
  | 'scopeName'
  | 'scopeVersion'
  | 'eventName'
  | 'serviceName'
  | 'droppedAttributes'
  | 'attributes'
  | 'resource'

/** A layout this package knows by name. */
export type LayoutName = 'sluice' | 'otel'

/**
 * How a line looks, as data: which finished fragment stands under which key. A layout holds no function and sees no
 * value, so none can print what a rule removed.
 */
export interface Layout {
  /** The layout this one adjusts. Default `sluice`. */
  readonly base?: LayoutName
  /** Other names for core fields; `false` leaves a field out. */
  readonly keys?: Readonly<Partial<Record<CoreField, string | false>>>
  /** `name`: `info`; `NAME`: `INFO`; `severityNumber`: 9. */
  readonly level?: 'name' | 'NAME' | 'severityNumber'
  /** RFC 3339 in UTC with milliseconds, or milliseconds since the epoch as a number. */
  readonly time?: 'isoMillis' | 'epochMillis'
  /** `service`: `service.name` where set; `all`: the whole resource as an object. */
  readonly resource?: 'none' | 'service' | 'all'
  /** Members that are the same on each line. */
  readonly constants?: Readonly<Record<string, string | number | boolean>>
}

/** A layout with every choice made: the fields in the order of writing, with their keys. */
export interface ResolvedLayout {
  readonly fields: readonly { readonly field: CoreField; readonly key: string }[]
  readonly level: 'name' | 'NAME' | 'severityNumber'
  readonly time: 'isoMillis' | 'epochMillis'
  readonly constants: readonly (readonly [string, string | number | boolean])[]
  /** Whether the severity's number is written always, or only where the level's name does not tell it. */
  readonly severityNumber: 'always' | 'custom'
}

const bags = ['keys', 'constants'] as const

const order: readonly CoreField[] = [
  'timestamp',
  'level',
  'severityNumber',
  'message',
  'traceId',
  'spanId',
  'traceFlags',
  'scopeName',
  'scopeVersion',
  'eventName',
  'serviceName',
  'droppedAttributes',
  'attributes',
  'resource',
]

// The trace keys are those of the OpenTelemetry compatibility page for non-OTLP logs, as are otel.* for the scope.
const shared = {
  timestamp: 'timestamp',
  traceId: 'trace_id',
  spanId: 'span_id',
  traceFlags: 'trace_flags',
  scopeName: 'otel.scope.name',
  scopeVersion: 'otel.scope.version',
  eventName: 'otel.event.name',
  droppedAttributes: 'otel.dropped_attributes_count',
  attributes: 'attributes',
} as const

type Keys = Readonly<Record<CoreField, string | false>>

interface Base {
  readonly keys: Keys
  readonly level: ResolvedLayout['level']
  readonly severityNumber: ResolvedLayout['severityNumber']
}

/** `severity_number` stands in a sluice line only where the level's name does not tell it: with custom levels. */
const bases: Readonly<Record<LayoutName, Base>> = {
  sluice: {
    keys: {
      ...shared,
      level: 'level',
      severityNumber: 'severity_number',
      message: 'message',
      serviceName: 'service.name',
      resource: false,
    },
    level: 'name',
    severityNumber: 'custom',
  },
  otel: {
    keys: {
      ...shared,
      level: 'severity_text',
      severityNumber: 'severity_number',
      message: 'body',
      serviceName: false,
      resource: 'resource',
    },
    level: 'NAME',
    severityNumber: 'always',
  },
}

/** The names of the layouts. */
export const layoutNames = Object.keys(bases) as readonly LayoutName[]

/** Makes every choice of a layout. What is wrong with it is added to `problems`, under `where`. */
export function resolveLayout(
  layout: LayoutName | Layout,
  where: string,
  problems: ConfigurationProblem[],
): ResolvedLayout {
  const before = problems.length
  const given = ownOptions<Layout>(typeof layout === 'string' ? { base: layout } : layout, where, problems, bags)
  checkOptions(given, schema, where, problems)
  if (problems.length > before) return resolveLayout('sluice', where, problems)
  const baseName = given.base ?? 'sluice'
  if (!Object.hasOwn(bases, baseName)) {
    const message = `unknown layout${quotedWord(baseName)}; known are ${layoutNames.join(', ')}`
    problems.push({
      code: 'SLUICE_LAYOUT_UNKNOWN',
      path: typeof layout === 'string' ? where : `${where}.base`,
      message,
    })
  }
  const base = Object.hasOwn(bases, baseName) ? bases[baseName] : bases.sluice
  const named = Object.entries(given.keys ?? {}).filter(([, key]) => key !== undefined)
  const keys = { ...base.keys, ...Object.fromEntries(named) } as Record<CoreField, string | false>
  if (given.resource !== undefined) {
    keys.resource = given.resource === 'all' ? keys.resource || 'resource' : false
    keys.serviceName = given.resource === 'service' ? keys.serviceName || 'service.name' : false
  }
  const constants = Object.entries(given.constants ?? {})
  refuseDuplicates(keys, constants, where, problems)
  return {
    fields: order.flatMap((field) => (keys[field] === false ? [] : [{ field, key: keys[field] }])),
    level: given.level ?? base.level,
    time: given.time ?? 'isoMillis',
    constants,
    severityNumber: base.severityNumber,
  }
}

const not: Check = (value, where, problems) => {
  if (value !== false) problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: 'must be false' })
}

const finite: Check = (value, where, problems) => {
  if (Number.isFinite(value)) return
  problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: 'must be a finite number' })
}

const schema: Readonly<Record<keyof Layout, Check>> = {
  base: anything,
  keys: options(Object.fromEntries(order.map((field) => [field, either('a key, or false', text(), not)]))),
  level: choice(['name', 'NAME', 'severityNumber']),
  time: choice(['isoMillis', 'epochMillis']),
  resource: choice(['none', 'service', 'all']),
  constants: table(either('a string, a finite number or a boolean', text(), flag, finite)),
}

function refuseDuplicates(
  keys: Keys,
  constants: readonly (readonly [string, unknown])[],
  where: string,
  problems: ConfigurationProblem[],
): void {
  const seen = new Set<string>()
  for (const [place, key] of [
    ...Object.entries(keys).map(([field, key]) => [`keys.${field}`, key] as const),
    ...constants.map(([key]) => [`constants.${key}`, key] as const),
  ]) {
    if (key === false) continue
    if (seen.has(key))
      problems.push({
        code: 'SLUICE_LAYOUT_DUPLICATE_KEY',
        path: `${where}.${place}`,
        message: `the key ${JSON.stringify(key)} is used twice; give one of them another name or false`,
      })
    seen.add(key)
  }
}
