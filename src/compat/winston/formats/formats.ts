import type { Format, TransformableInfo } from '../info.ts'
import { colorize, uncolorize, type ColorizeOptions, type UncolorizeOptions } from './colors.ts'
import { errors, type ErrorsOptions } from './errors.ts'
import { combine, defineFormat, type FormatWrap } from './format.ts'
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

/** The built-in kinds of formats. */
export interface FormatKinds {
  /** Inserts a tab before the message. */
  readonly align: () => Format
  /** Formats an info as `level:    message`, padded and in color. */
  readonly cli: (options?: CliOptions) => Format
  /** Adds terminal colors by level. */
  readonly colorize: (options?: ColorizeOptions) => Format
  /** Applies formats in order. */
  readonly combine: (...formats: readonly Format[]) => Format
  /** Adds the texts of an Error that was logged by itself or as the message. */
  readonly errors: (options?: ErrorsOptions) => Format
  /** Formats an info as JSON with sorted keys. */
  readonly json: (options?: JsonOptions) => Format
  /** Adds a label to each record. */
  readonly label: (options?: LabelOptions) => Format
  /** Formats an info as JSON with `@message`, `@timestamp` and `@fields`. */
  readonly logstash: () => Format
  /** Moves members to a separate object. */
  readonly metadata: (options?: MetadataOptions) => Format
  /** Adds the time since the previous record. */
  readonly ms: () => Format
  /** Aligns the messages of all levels. */
  readonly padLevels: (options?: PadLevelsOptions) => Format
  /** Formats an info as `util.inspect` displays it. */
  readonly prettyPrint: (options?: PrettyPrintOptions) => Format
  /** Formats an info with a function that returns its text. */
  readonly printf: (template: (info: TransformableInfo) => string) => Format
  /** Formats an info as `level: message {"rest":"of the info"}`. */
  readonly simple: () => Format
  /** Replaces the placeholders of messages, printf style. */
  readonly splat: () => Format
  /** Adds the time. Without the option `format`, a `timestamp` that the call set is kept. */
  readonly timestamp: (options?: TimestampOptions) => Format
  /** Removes colors. */
  readonly uncolorize: (options?: UncolorizeOptions) => Format
}

const formatKinds: FormatKinds = {
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

/** Creates a kind of format from a function. The built-in kinds are its members. */
export interface Formats extends FormatKinds {
  /**
   * Creates a kind of format from a function of an info and options, which returns the info, or a falsy value to omit the record. If the
   * function throws, the failure is reported and the record is written as JSON.
   */
  <O = unknown>(transform: (info: TransformableInfo, options: O) => TransformableInfo | boolean): FormatWrap<O>
}

/** The equivalent of `winston.format`. */
export const format: Formats = addMembers(
  <O>(transform: (info: TransformableInfo, options: O) => TransformableInfo | boolean) => defineFormat(transform),
  formatKinds,
)
