import type { Format, TransformableInfo } from '../info.ts'
import { colorize, uncolorize, type ColorizeOptions, type UncolorizeOptions } from './colors.ts'
import { errors, type ErrorsOptions } from './errors.ts'
import { combine, formatOf, type FormatWrap } from './format.ts'
import { json, type JsonOptions } from './json.ts'
import { metadata, type MetadataOptions } from './metadata.ts'
import { ms } from './ms.ts'
import { splat } from './splat.ts'
import {
  align,
  cli,
  label,
  logstash,
  padLevels,
  prettyPrint,
  printf,
  simple,
  type CliOptions,
  type LabelOptions,
  type PadLevelsOptions,
  type PrettyPrintOptions,
} from './text.ts'
import { timestamp, type TimestampOptions } from './timestamp.ts'
import { addMembers } from '../../../options/define-member.ts'

/** The kinds of formats that there are. */
export interface FormatKinds {
  /** A tab in front of the message. */
  readonly align: () => Format
  /** `level:    message`, padded and in color. */
  readonly cli: (options?: CliOptions) => Format
  /** Colors for a terminal, by level. */
  readonly colorize: (options?: ColorizeOptions) => Format
  /** One format after the other. */
  readonly combine: (...formats: readonly Format[]) => Format
  /** What an Error says, where one was logged by itself or in place of a message. */
  readonly errors: (options?: ErrorsOptions) => Format
  /** The info as JSON, keys in order. */
  readonly json: (options?: JsonOptions) => Format
  /** A label with each record. */
  readonly label: (options?: LabelOptions) => Format
  /** `@message`, `@timestamp` and `@fields`. */
  readonly logstash: () => Format
  /** Gathers members in an object of their own. */
  readonly metadata: (options?: MetadataOptions) => Format
  /** How long ago the record before was. */
  readonly ms: () => Format
  /** Messages of all levels in one column. */
  readonly padLevels: (options?: PadLevelsOptions) => Format
  /** The info as `util.inspect` shows it. */
  readonly prettyPrint: (options?: PrettyPrintOptions) => Format
  /** The text that a function makes of an info. */
  readonly printf: (template: (info: TransformableInfo) => string) => Format
  /** `level: message {"rest":"of the info"}`. */
  readonly simple: () => Format
  /** Fills the placeholders of messages, printf style. */
  readonly splat: () => Format
  /** The time, unless the call has said one. */
  readonly timestamp: (options?: TimestampOptions) => Format
  /** Takes colors away. */
  readonly uncolorize: (options?: UncolorizeOptions) => Format
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
export const format: Formats = addMembers(
  <O>(transform: (info: TransformableInfo, options: O) => TransformableInfo | boolean) => formatOf(transform),
  kinds,
)
