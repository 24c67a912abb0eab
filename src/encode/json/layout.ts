import { foreignLayoutOptionNames } from '../../options/foreign-exporter-names.ts'
import { foreignLayoutWords } from '../../options/foreign-values.ts'
import {
  anything,
  checkOptions,
  choice,
  either,
  flag,
  object,
  options,
  table,
  text,
  unknownNameMessage,
  type Check,
} from '../../options/option-checks.ts'
import { copyOptions } from '../../options/own-options.ts'
import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import {
  fieldOrder,
  layoutBases,
  layoutNames,
  type CoreField,
  type LayoutBase,
  type LayoutKeys,
  type LayoutName,
  type LevelForm,
  type TimeForm,
} from './layout-bases.ts'

/**
 * The format of a JSON line, as data: which field is written under which key. A layout contains no functions and does not access values,
 * so it cannot write a redacted value.
 */
export interface Layout {
  /**
   * The built-in layout that this layout adjusts.
   *
   * @defaultValue `'sluice'`
   */
  readonly base?: LayoutName
  /**
   * Other names for core fields; `false` omits a field. A part of an exception that has no name is written in the object `exception` if the
   * layout has that field, otherwise as an attribute: `exception.type`, `exception.message` or `exception.stacktrace`.
   *
   * @defaultValue the names of the base
   */
  readonly keys?: Readonly<Partial<Record<CoreField, string | false>>>
  /**
   * The form of the level. `name`: `info`; `NAME`: `INFO`; `standard`: the standard level of the same severity range, such as `info` for a
   * custom level `notice`; `severityNumber`: 9; `pino`: 30; `gcp`: Google's LogSeverity, such as `INFO`.
   *
   * @defaultValue the form of the base
   */
  readonly level?: LevelForm
  /**
   * The form of the time. `isoMillis`, `isoMicros`: RFC 3339 in UTC with 3 or 6 fractional digits. `epochMillis`: milliseconds since the
   * epoch, as a number. `epochNanos`: nanoseconds since the epoch, as a string of digits, because a JSON number is not precise enough.
   *
   * @defaultValue the form of the base
   */
  readonly time?: TimeForm
  /**
   * Where attributes are written. `nested`: in an object. `flat`: at the top level, after the core fields; an attribute stays in the object
   * if its name is that of a core field, a constant, or a name that the consumer of the base layout reserves.
   *
   * @defaultValue the choice of the base
   */
  readonly attributes?: 'nested' | 'flat'
  /**
   * How much of the resource is written. `service`: the service fields of the base that have a value, or `service.name` if the base has no
   * service fields; `all`: the resource attributes, as an object.
   *
   * @defaultValue the choice of the base
   */
  readonly resource?: 'none' | 'service' | 'all'
  /**
   * Members that are added to every line.
   *
   * @defaultValue none
   */
  readonly constants?: Readonly<Record<string, string | number | boolean>>
  /**
   * For the base `gcp`: the project of the traces. A trace is then written as `projects/<project>/traces/<id>`.
   *
   * @defaultValue none: a trace is written as its id
   */
  readonly project?: string
}

/** A layout with all defaults applied: the fields in the order in which they are written, with their keys. */
export interface ResolvedLayout extends Omit<LayoutBase, 'keys' | 'isLevelFirst'> {
  readonly fields: readonly { readonly field: CoreField; readonly key: string }[]
  /** Parts of an exception that are omitted. */
  readonly omittedExceptionFields: readonly CoreField[]
  readonly constants: readonly (readonly [string, string | number | boolean])[]
  readonly project: string | undefined
}

/** The options that are objects, whose own members are read. */
const objectOptions = ['keys', 'constants'] as const
const serviceFields = ['serviceName', 'serviceVersion', 'serviceContext'] as const
const exceptionPartFields: readonly CoreField[] = ['exceptionType', 'exceptionMessage', 'exceptionStacktrace']

/** Applies the defaults of a layout. Errors in the layout are added to `problems`, with paths under `where`. */
export function resolveLayout(
  layout: LayoutName | Layout,
  where: string,
  problems: ConfigurationProblem[],
): ResolvedLayout {
  const problemCount = problems.length
  const layoutOptions = copyOptions<Layout>(
    typeof layout === 'string' ? { base: layout } : layout,
    where,
    problems,
    objectOptions,
  )
  checkOptions(layoutOptions, schema, where, problems, foreignLayoutOptionNames)
  if (problems.length > problemCount) return resolveLayout('sluice', where, problems)
  const base = baseOf(layoutOptions.base ?? 'sluice', typeof layout === 'string' ? where : `${where}.base`, problems)
  const keys = keysOf(base, layoutOptions)
  const constants = Object.entries(layoutOptions.constants ?? {})
  reportDuplicates(keys, constants, where, problems)
  if (layoutOptions.project !== undefined && base.trace !== 'gcp') {
    problems.push({
      code: 'SLUICE_OPTION_RANGE',
      path: `${where}.project`,
      message: "requires base: 'gcp'; set it, or remove project",
    })
  }
  // The first two fields of `fieldOrder` are the time and the level.
  const order = base.isLevelFirst ? [...levelAndTime, ...fieldOrder.slice(2)] : fieldOrder
  return {
    fields: order.flatMap((field) => (typeof keys[field] === 'string' ? [{ field, key: keys[field] }] : [])),
    omittedExceptionFields: exceptionPartFields.filter((part) => keys[part] === false),
    level: layoutOptions.level ?? base.level,
    severityNumber: base.severityNumber,
    time: layoutOptions.time ?? base.time,
    trace: base.trace,
    attributes: layoutOptions.attributes ?? base.attributes,
    reservedNames: base.reservedNames,
    constants,
    project: layoutOptions.project,
  }
}

const levelAndTime: readonly CoreField[] = ['level', 'timestamp']

function baseOf(name: LayoutName, path: string, problems: ConfigurationProblem[]): LayoutBase {
  if (Object.hasOwn(layoutBases, name)) return layoutBases[name]
  const message = unknownNameMessage('layout', name, layoutNames, foreignLayoutWords)
  problems.push({ code: 'SLUICE_LAYOUT_UNKNOWN', path, message })
  return layoutBases.sluice
}

function keysOf(base: LayoutBase, layoutOptions: Layout): LayoutKeys {
  const overrides = Object.entries(layoutOptions.keys ?? {}).filter(([, key]) => key !== undefined)
  const keys = { ...base.keys, ...Object.fromEntries(overrides) } as Record<CoreField, string | false | undefined>
  const { resource } = layoutOptions
  if (resource !== undefined) keys.resource = resource === 'all' ? keys.resource || 'resource' : false
  if (resource === 'service') {
    if (serviceFields.every((field) => keys[field] === false)) keys.serviceName = 'service.name'
  } else if (resource !== undefined) {
    for (const field of serviceFields) keys[field] = false
  }
  return keys
}

const mustBeFalse: Check = (value, where, problems) => {
  if (value !== false) problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: 'must be false' })
}

const mustBeFinite: Check = (value, where, problems) => {
  if (Number.isFinite(value)) return
  problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: 'must be a finite number' })
}

/** Checks a layout or the name of one. */
export const layoutCheck: Check = (value, where, problems) => {
  if (typeof value === 'string' || (typeof value === 'object' && value !== null && !Array.isArray(value)))
    resolveLayout(value as LayoutName | Layout, where, problems)
  else either('a layout or the name of one', text(), object)(value, where, problems)
}

const schema: Readonly<Record<keyof Layout, Check>> = {
  base: anything,
  keys: options(Object.fromEntries(fieldOrder.map((field) => [field, either('a key, or false', text(), mustBeFalse)]))),
  level: choice(['name', 'NAME', 'standard', 'severityNumber', 'pino', 'gcp']),
  time: choice(['isoMillis', 'isoMicros', 'epochMillis', 'epochNanos']),
  attributes: choice(['nested', 'flat']),
  resource: choice(['none', 'service', 'all']),
  constants: table(either('a string, a finite number or a boolean', text(), flag, mustBeFinite)),
  project: text(/^[^\s/]+$/, 'be a Google Cloud project ID, without spaces or slashes'),
}

/** Reports each key that two fields, or a field and a constant, have in common. */
function reportDuplicates(
  keys: LayoutKeys,
  constants: readonly (readonly [string, unknown])[],
  where: string,
  problems: ConfigurationProblem[],
): void {
  const seen = new Set<string>()
  for (const [optionPath, key] of [
    ...Object.entries(keys).map(([field, key]) => [`keys.${field}`, key] as const),
    ...constants.map(([key]) => [`constants.${key}`, key] as const),
  ]) {
    if (typeof key !== 'string') continue
    if (seen.has(key))
      problems.push({
        code: 'SLUICE_LAYOUT_DUPLICATE_KEY',
        path: `${where}.${optionPath}`,
        message: `duplicate key ${JSON.stringify(key)}; rename one of the two fields, or omit it with false`,
      })
    seen.add(key)
  }
}
