import type { DocComment } from './doc-comment.ts'
import { sourceText, type ApiItem } from './model-types.ts'

/** The first version of the package, which has each option without another `@since`. */
const firstVersion = '0.1.0'

/** What the page of an entry lists about an option. */
export interface OptionFacts {
  readonly type: string
  /** Undefined if the option has no unit. */
  readonly unit: string | undefined
  /** Undefined for a required option, and if the comment has none. */
  readonly defaultValue: string | undefined
  readonly isRequired: boolean
  readonly since: string
}

/** Interfaces of options whose names do not end with `Options`. */
const otherOptions: ReadonlySet<string> = new Set([
  'Delivery',
  'FileRotation',
  'KeyPreset',
  'Layout',
  'Limits',
  'LoggerConfig',
  'LoggerRule',
  'LoggerSettings',
  'OtlpTls',
  'RedactExpression',
  'Stream',
  'StreamEntry',
])

/** What numbers count. Other words after "number of" are not units. */
const countedUnits = 'attributes|bytes|characters|exports|files|frames|keys|lines|members|pieces|records|spaces'
const counted = new RegExp(`\\b(?:number of|how many) (?:[\\w-]+ )*?(${countedUnits})\\b`, 'i')

/** Returns whether an export is the type of options. */
export function isOptions({ kind, name }: ApiItem): boolean {
  return kind === 'Interface' && (/Options?$/.test(name!) || otherOptions.has(name!))
}

/** Returns the facts of an option from its declaration and its comment. */
export function optionFacts(option: ApiItem, comment: DocComment): OptionFacts {
  const type = typeOf(option)
  return {
    type,
    unit: acceptsNumber(type) ? unitOf(option.name!, comment) : undefined,
    defaultValue: comment.tag('@defaultValue')[0],
    isRequired: option.isOptional !== true,
    since: comment.tag('@since')[0] ?? firstVersion,
  }
}

/** Returns the type of a property, without the `undefined` of an optional one. */
export function typeOf(property: ApiItem): string {
  const text = sourceText(property, property.propertyTypeTokenRange).replaceAll(/\s+/g, ' ').trim()
  if (text === '') return sourceText(property).replace(/^.*? = |;$/g, '')
  const type = property.isOptional ? text.replace(/ \| undefined$/, '') : text
  return type.replace(/^\((\(.*\) => .*)\)$/, '$1')
}

/** Returns whether a number is a value of a type, as in `number | boolean`, and not only part of one. */
export function acceptsNumber(type: string): boolean {
  const nested = /\([^()]*\)|<[^<>]*>|\{[^{}]*\}/g
  let outer = type.replaceAll('=>', '→')
  while (outer.search(nested) !== -1) outer = outer.replaceAll(nested, '')
  return outer.split('|').some((part) => part.trim() === 'number')
}

function unitOf(name: string, { summary, remarks }: DocComment): string | undefined {
  if (name.endsWith('Millis')) return 'ms'
  if (/bytes$/i.test(name)) return 'bytes'
  const text = `${summary} ${remarks}`
  if (/\bmilliseconds\b/i.test(text)) return 'ms'
  if (/\bdepth\b/.test(text)) return 'levels of nesting'
  const [, unit] = /\bin (ms|seconds|bytes|characters|columns|UTF-16 units)\b/.exec(text) ?? []
  return unit ?? counted.exec(text)?.[1]
}
