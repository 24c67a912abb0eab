import { inspect } from 'node:util'
import { requireSynchronous } from '../../../options/observe-promise.ts'
import { member, withoutPrototype } from '../../../options/own-members.ts'
import { anything, flag, object, text, typeName } from '../../../options/option-checks.ts'
import { ConfigurationError } from '../../../options/configuration-error.ts'
import { LEVEL, MESSAGE, textOf, type Format, type TransformableInfo } from '../info.ts'
import { levelConfigs, type LevelNumbers } from '../levels.ts'
import { sortedJson, type JsonStyle } from '../sorted-json.ts'
import { fallbackJson } from '../fallback-json.ts'
import { colorize, colorizeSchema, type ColorizeOptions } from './colors.ts'
import { defineFormat } from './format.ts'
import { checkedOptions } from './format-options.ts'
import { jsonOf } from './json.ts'
import { setMember } from '../../../options/define-member.ts'

/** Without a replacer, winston writes BigInts as digits. */
const bigintsAsDigits: JsonStyle = { bigints: 'digits', indent: '' }

/** Formats an info as `level: message {"rest":"of the info"}`. */
export function simple(): Format {
  return defineFormat((info) => {
    const { level, message, splat: _, ...rest } = withoutPrototype(info)
    // As in winston, a member `padding` of the info contains a text for each level.
    const padding = textOf(
      withoutPrototype(withoutPrototype(rest)['padding'] as Record<string, string> | undefined)?.[level] ?? '',
    )
    const restJson = jsonOf(rest, bigintsAsDigits)
    info[MESSAGE] = `${level}:${padding} ${textOf(message)}${restJson === '{}' ? '' : ` ${restJson}`}`
    return info
  })()
}

/** Formats an info with a function that returns its text. */
export function printf(template: (info: TransformableInfo) => string): Format {
  if (typeof template !== 'function')
    throw new ConfigurationError([
      { code: 'SLUICE_OPTION_TYPE', path: 'format.printf', message: `must be a function, not ${typeName(template)}` },
    ])
  return defineFormat((info) => {
    info[MESSAGE] = requireSynchronous(template(info), 'the function of format.printf')
    return info
  })()
}

/** Inserts a tab before the message. */
export function align(): Format {
  return defineFormat((info) => {
    setMember(info, 'message', `\t${textOf(member(info, 'message'))}`)
    return info
  })()
}

/** Options of `format.label()`. */
export interface LabelOptions {
  /**
   * Label of each record.
   *
   * @defaultValue none
   */
  readonly label?: string
  /**
   * Inserts the label before the message, instead of adding a member `label`.
   *
   * @defaultValue false
   */
  readonly message?: boolean
}

/** Adds a label to each record. */
export function label(given?: LabelOptions): Format {
  const { label: name, message } = checkedOptions('format.label', given, { label: anything, message: flag })
  return defineFormat((info) => {
    if (message) setMember(info, 'message', `[${name}] ${textOf(member(info, 'message'))}`)
    else setMember(info, 'label', name)
    return info
  })()
}

/** Formats an info as JSON with `@message`, `@timestamp` and `@fields`, as Logstash reads it. */
export function logstash(): Format {
  return defineFormat((info) => {
    const { message, timestamp } = withoutPrototype(info)
    const line: Record<string, unknown> = withoutPrototype({})
    if (message) {
      line['@message'] = message
      delete (info as Partial<TransformableInfo>).message
    }
    if (timestamp) {
      line['@timestamp'] = timestamp
      delete info['timestamp']
    }
    line['@fields'] = info
    info[MESSAGE] = safeJson(line)
    return info
  })()
}

function safeJson(value: object): string {
  try {
    return sortedJson(value, bigintsAsDigits)!
  } catch {
    return fallbackJson(value)
  }
}

/** Options of `format.prettyPrint()`. */
export interface PrettyPrintOptions {
  /**
   * Maximum depth of displayed objects.
   *
   * @defaultValue no limit, which 0 also means
   */
  readonly depth?: number
  /**
   * Whether values are displayed in color.
   *
   * @defaultValue false
   */
  readonly colorize?: boolean
}

/** Formats an info as `util.inspect` displays it. */
export function prettyPrint(given?: PrettyPrintOptions): Format {
  const { depth, colorize: colors = false } = checkedOptions('format.prettyPrint', given, {
    depth: anything,
    colorize: flag,
  })
  return defineFormat((info) => {
    // Without the members under symbols, such as the finished text.
    const stringMembers = Object.fromEntries(Object.entries(info))
    info[MESSAGE] = inspect(stringMembers, withoutPrototype({ showHidden: false, depth: depth || null, colors }))
    return info
  })()
}

const padLevelsSchema = { levels: object, filler: text() }

/** Options of `format.padLevels()`. */
export interface PadLevelsOptions {
  /**
   * Levels, the longest name of which determines the column.
   *
   * @defaultValue the levels of npm; in `format.cli()`, those of cli
   */
  readonly levels?: LevelNumbers
  /**
   * Text that fills the column.
   *
   * @defaultValue a space
   */
  readonly filler?: string
}

/** Inserts padding before the message, so that the messages of all levels are aligned. */
export function padLevels(given?: PadLevelsOptions): Format {
  const { levels = levelConfigs.npm.levels, filler = ' ' } = checkedOptions('format.padLevels', given, padLevelsSchema)
  const maxLength = Math.max(...Object.keys(levels).map(({ length }) => length))
  return defineFormat((info) => {
    const name = info[LEVEL] ?? ''
    const padding = Object.hasOwn(levels, name)
      ? filler.repeat(maxLength + 1).slice(0, maxLength + 1 - name.length)
      : ''
    setMember(info, 'message', `${padding}${textOf(member(info, 'message'))}`)
    if (info[MESSAGE]) info[MESSAGE] = `${padding}${textOf(info[MESSAGE])}`
    return info
  })()
}

/** Options of `format.cli()`. */
export interface CliOptions extends ColorizeOptions, PadLevelsOptions {}

/** Formats an info as `level:    message`, padded and in color. */
export function cli(given?: CliOptions): Format {
  const {
    levels = levelConfigs.cli.levels,
    filler,
    ...colors
  } = checkedOptions('format.cli', given, {
    ...padLevelsSchema,
    ...colorizeSchema,
  })
  const padFormat = padLevels({ levels, ...(filler === undefined ? {} : { filler }) })
  const colorFormat = colorize(colors)
  return defineFormat((info) => {
    padFormat.transform(info)
    colorFormat.transform(info)
    info[MESSAGE] = `${member(info, 'level')}:${textOf(member(info, 'message'))}`
    return info
  })()
}
