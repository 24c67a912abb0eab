import { layoutNames } from '../../../src/encode/json/layout-bases.ts'
import { resolveLayout, type Layout, type ResolvedLayout } from '../../../src/encode/json/layout.ts'

/** The named layouts, and adjusted layouts with edge cases. */
export const testLayouts: readonly (readonly [string, Layout])[] = [
  ...layoutNames.map((name) => [name, { base: name }] as const),
  ['sluice, flat', { attributes: 'flat' }],
  ['otel, flat', { base: 'otel', attributes: 'flat', resource: 'service' }],
  ['gcp, flat', { base: 'gcp', attributes: 'flat', project: 'p-1', constants: { 'labels.env': 'staging' } }],
  ['ecs, flat', { base: 'ecs', attributes: 'flat', level: 'NAME', time: 'isoMicros' }],
  ['datadog, nested', { base: 'datadog', attributes: 'nested', time: 'epochMillis' }],
  ['one object and a separate type', { base: 'pino', keys: { exceptionType: 'error.type', attributes: 'ctx' } }],
  ['no message, no stack', { keys: { exceptionMessage: false, exceptionStacktrace: false } }],
  ['out of order', { base: 'datadog', keys: { traceId: false, spanId: false, droppedAttributes: false } }],
]

/** The contents of a line, independent of its layout. */
export interface ReadLine {
  /** The fields of the layout, except those of the exception. */
  readonly core: ReadonlyMap<string, unknown>
  /** All attributes, including those in the object for colliding names. */
  readonly attributes: ReadonlyMap<string, unknown>
  /** The names of the top-level attributes. */
  readonly topLevel: readonly string[]
  readonly type: unknown
  readonly message: unknown
  readonly stacktrace: unknown
  /** The other own properties of the Error. */
  readonly members: Readonly<Record<string, unknown>>
}

export function readLine(layout: Layout, text: string): ReadLine {
  const { fields, constants, attributes } = resolved(layout)
  const parsed = new Map(Object.entries(JSON.parse(text) as Record<string, unknown>))
  const keyOf = (field: string) => fields.find((each) => each.field === field)?.key
  const ours = new Set([...fields.map(({ key }) => key), ...constants.map(([key]) => key)])
  const exceptionKeys = fields.filter(({ field }) => field.startsWith('exception')).map(({ key }) => key)
  const at = (field: string): unknown => {
    const key = keyOf(field)
    return key === undefined ? undefined : parsed.get(key)
  }
  const bag = Object.entries(at('attributes') ?? {})
  const top = [...parsed].filter(([key]) => !ours.has(key))
  if (attributes === 'nested' && top.length > 0) throw new Error(`${top.join()} is at the top level`)
  const whole = (at('exception') ?? {}) as Record<string, unknown>
  const { type, message, stack, ...members } = whole
  const all = new Map([...top, ...bag])
  if (all.size !== top.length + bag.length) throw new Error('an attribute occurs twice')
  const part = (field: string, inWhole: unknown, name: string): unknown => at(field) ?? inWhole ?? all.get(name)
  return {
    core: new Map(
      [...parsed].filter(([key]) => ours.has(key) && !exceptionKeys.includes(key) && key !== keyOf('attributes')),
    ),
    attributes: all,
    topLevel: top.map(([key]) => key),
    type: part('exceptionType', type, 'exception.type'),
    message: part('exceptionMessage', message, 'exception.message'),
    stacktrace: part('exceptionStacktrace', stack, 'exception.stacktrace'),
    members,
  }
}

export function resolved(layout: Layout): ResolvedLayout {
  return resolveLayout(layout, 'layout', [])
}
