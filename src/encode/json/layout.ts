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
} from '../../options/option-checks.ts'
import { ownOptions } from '../../options/own-options.ts'
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
 * How a line looks, as data: which finished fragment stands under which key. A layout holds no function and sees no
 * value, so none can print what a rule removed.
 */
export interface Layout {
  /** The layout this one adjusts. Default `sluice`. */
  readonly base?: LayoutName
  /**
   * Other names for core fields; `false` leaves a field out. Without a name, and without `exception`, which holds them all
   * in one object, the parts of an exception are attributes: `exception.type`, `exception.message`, `exception.stacktrace`.
   */
  readonly keys?: Readonly<Partial<Record<CoreField, string | false>>>
  /**
   * `name`: `info`; `NAME`: `INFO`; `standard`: the name of the standard level of its range, `info` for a level `notice`;
   * `severityNumber`: 9; `pino`: 30; `gcp`: the name of Google's LogSeverity, `INFO`. Default: the base's.
   */
  readonly level?: LevelForm
  /**
   * `isoMillis`, `isoMicros`: RFC 3339 in UTC with 3 or 6 digits behind the second. `epochMillis`: milliseconds since the
   * epoch, as a number. `epochNanos`: nanoseconds since the epoch as text of digits, since they are more than a JSON number
   * is safe for. Default: the base's.
   */
  readonly time?: TimeForm
  /**
   * `nested`: in an object of their own. `flat`: at the top level, behind all that is ours; those that have the name of a
   * core field, a constant or something that the base's reader takes for its own stay in the object. Default: the base's.
   */
  readonly attributes?: 'nested' | 'flat'
  /** `service`: `service.name` where set, as the base says it; `all`: the whole resource as an object. */
  readonly resource?: 'none' | 'service' | 'all'
  /** Members that are the same on each line. */
  readonly constants?: Readonly<Record<string, string | number | boolean>>
  /** For `gcp`: the project in which the traces are; a trace is then `projects/<project>/traces/<id>`. Default: the id alone. */
  readonly project?: string
}

/** A layout with every choice made: the fields in the order of writing, with their keys. */
export interface ResolvedLayout extends Omit<LayoutBase, 'keys' | 'levelFirst'> {
  readonly fields: readonly { readonly field: CoreField; readonly key: string }[]
  /** Parts of an exception that are left out. */
  readonly leftOut: readonly CoreField[]
  readonly constants: readonly (readonly [string, string | number | boolean])[]
  readonly project: string | undefined
}

const bags = ['keys', 'constants'] as const
const serviceFields = ['serviceName', 'serviceVersion', 'serviceContext'] as const
const exceptionParts: readonly CoreField[] = ['exceptionType', 'exceptionMessage', 'exceptionStacktrace']

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
  const base = baseOf(given.base ?? 'sluice', typeof layout === 'string' ? where : `${where}.base`, problems)
  const keys = keysOf(base, given)
  const constants = Object.entries(given.constants ?? {})
  refuseDuplicates(keys, constants, where, problems)
  if (given.project !== undefined && base.trace !== 'gcp') {
    problems.push({ code: 'SLUICE_OPTION_RANGE', path: `${where}.project`, message: 'belongs to the base gcp' })
  }
  const order = base.levelFirst ? [...levelAndTime, ...fieldOrder.slice(2)] : fieldOrder
  return {
    fields: order.flatMap((field) => (typeof keys[field] === 'string' ? [{ field, key: keys[field] }] : [])),
    leftOut: exceptionParts.filter((part) => keys[part] === false),
    level: given.level ?? base.level,
    severityNumber: base.severityNumber,
    time: given.time ?? base.time,
    trace: base.trace,
    attributes: given.attributes ?? base.attributes,
    reserved: base.reserved,
    constants,
    project: given.project,
  }
}

const levelAndTime: readonly CoreField[] = ['level', 'timestamp']

function baseOf(name: LayoutName, path: string, problems: ConfigurationProblem[]): LayoutBase {
  if (Object.hasOwn(layoutBases, name)) return layoutBases[name]
  const message = `unknown layout${quotedWord(name)}; known are ${layoutNames.join(', ')}`
  problems.push({ code: 'SLUICE_LAYOUT_UNKNOWN', path, message })
  return layoutBases.sluice
}

function keysOf(base: LayoutBase, given: Layout): LayoutKeys {
  const named = Object.entries(given.keys ?? {}).filter(([, key]) => key !== undefined)
  const keys = { ...base.keys, ...Object.fromEntries(named) } as Record<CoreField, string | false | undefined>
  const { resource } = given
  if (resource !== undefined) keys.resource = resource === 'all' ? keys.resource || 'resource' : false
  if (resource === 'service') {
    if (serviceFields.every((field) => keys[field] === false)) keys.serviceName = 'service.name'
  } else if (resource !== undefined) {
    for (const field of serviceFields) keys[field] = false
  }
  return keys
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
  keys: options(Object.fromEntries(fieldOrder.map((field) => [field, either('a key, or false', text(), not)]))),
  level: choice(['name', 'NAME', 'standard', 'severityNumber', 'pino', 'gcp']),
  time: choice(['isoMillis', 'isoMicros', 'epochMillis', 'epochNanos']),
  attributes: choice(['nested', 'flat']),
  resource: choice(['none', 'service', 'all']),
  constants: table(either('a string, a finite number or a boolean', text(), flag, finite)),
  project: text(/^[^\s/]+$/, 'be the id of a project, without a slash'),
}

function refuseDuplicates(
  keys: LayoutKeys,
  constants: readonly (readonly [string, unknown])[],
  where: string,
  problems: ConfigurationProblem[],
): void {
  const seen = new Set<string>()
  for (const [place, key] of [
    ...Object.entries(keys).map(([field, key]) => [`keys.${field}`, key] as const),
    ...constants.map(([key]) => [`constants.${key}`, key] as const),
  ]) {
    if (typeof key !== 'string') continue
    if (seen.has(key))
      problems.push({
        code: 'SLUICE_LAYOUT_DUPLICATE_KEY',
        path: `${where}.${place}`,
        message: `the key ${JSON.stringify(key)} is used twice; give one of them another name or false`,
      })
    seen.add(key)
  }
}
