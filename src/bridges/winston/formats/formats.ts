import type { TransformableInfo } from '../info.ts'
import { colorize, uncolorize } from './colors.ts'
import { errors } from './errors.ts'
import { combine, formatOf, type FormatWrap } from './format.ts'
import { json } from './json.ts'
import { metadata } from './metadata.ts'
import { ms } from './ms.ts'
import { splat } from './splat.ts'
import { align, cli, label, logstash, padLevels, prettyPrint, printf, simple } from './text.ts'
import { timestamp } from './timestamp.ts'

/** The kinds of formats that there are. */
export interface FormatKinds {
  readonly align: typeof align
  readonly cli: typeof cli
  readonly colorize: typeof colorize
  readonly combine: typeof combine
  readonly errors: typeof errors
  readonly json: typeof json
  readonly label: typeof label
  readonly logstash: typeof logstash
  readonly metadata: typeof metadata
  readonly ms: typeof ms
  readonly padLevels: typeof padLevels
  readonly prettyPrint: typeof prettyPrint
  readonly printf: typeof printf
  readonly simple: typeof simple
  readonly splat: typeof splat
  readonly timestamp: typeof timestamp
  readonly uncolorize: typeof uncolorize
}

const kinds: FormatKinds = {
  align,
  cli,
  colorize,
  combine,
  errors,
  json,
  label,
  logstash,
  metadata,
  ms,
  padLevels,
  prettyPrint,
  printf,
  simple,
  splat,
  timestamp,
  uncolorize,
}

/** Makes a kind of format of a function; its members are the kinds that there are. */
export interface Formats extends FormatKinds {
  /**
   * Makes a kind of format of a function of an info and options, which returns the info, or something false to leave the record
   * out. What it throws costs the form of that record and is told; the record itself is written as JSON.
   */
  <O = unknown>(transform: (info: TransformableInfo, options: O) => TransformableInfo | boolean): FormatWrap<O>
}

/** What winston has as `winston.format`. */
export const format: Formats = Object.assign(
  <O>(transform: (info: TransformableInfo, options: O) => TransformableInfo | boolean) => formatOf(transform),
  kinds,
)
