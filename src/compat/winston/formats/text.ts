import { inspect } from 'node:util'
import { synchronous } from '../../../options/observe-promise.ts'
import { member, ownCopy } from '../../../options/own-members.ts'
import { anything, flag, object, text, typeName } from '../../../options/option-checks.ts'
import { ConfigurationError } from '../../../options/configuration-error.ts'
import { LEVEL, MESSAGE, textOf, type Format, type TransformableInfo } from '../info.ts'
import { levelConfigs, type LevelNumbers } from '../levels.ts'
import { sortedJson, type JsonStyle } from '../sorted-json.ts'
import { totalJson } from '../total-json.ts'
import { colorize, colorizeOptions, type ColorizeOptions } from './colors.ts'
import { formatOf } from './format.ts'
import { optionsOf } from './format-options.ts'
import { jsonOf } from './json.ts'
import { setMember } from '../../../options/define-member.ts'

/** Without a replacer, winston writes BigInts as digits. */
const digits: JsonStyle = { bigints: 'digits', indent: '' }

/** Formats an info as `level: message {"rest":"of the info"}`. */
export function simple(): Format {
  return formatOf((info) => {
    const { level, message, splat: _, ...rest } = ownCopy(info)
    const padding = textOf(ownCopy(ownCopy(rest)['padding'] as Record<string, string> | undefined)?.[level] ?? '')
    const more = jsonOf(rest, digits)
    info[MESSAGE] = `${level}:${padding} ${textOf(message)}${more === '{}' ? '' : ` ${more}`}`
    return info
  })()
}

/** Formats an info with a function that returns its text. */
export function printf(template: (info: TransformableInfo) => string): Format {
  if (typeof template !== 'function')
    throw new ConfigurationError([
      { code: 'SLUICE_OPTION_TYPE', path: 'format.printf', message: `must be a function, not ${typeName(template)}` },
    ])
  return formatOf((info) => {
    info[MESSAGE] = synchronous(template(info), 'the function of format.printf')
    return info
  })()
}

/** Inserts a tab before the message. */
export function align(): Format {
  return formatOf((info) => {
    setMember(info, 'message', `\t${textOf(member(info, 'message'))}`)
    return info
  })()
}

/** Options of `format.label()`. */
export interface LabelOptions {
  /** Label of each record. */
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
  const { label: name, message } = optionsOf('format.label', given, { label: anything, message: flag })
  return formatOf((info) => {
    if (message) setMember(info, 'message', `[${name}] ${textOf(member(info, 'message'))}`)
    else setMember(info, 'label', name)
    return info
  })()
}

/** Formats an info as JSON with `@message`, `@timestamp` and `@fields`, as Logstash reads it. */
export function logstash(): Format {
  return formatOf((info) => {
    const { message, timestamp } = ownCopy(info)
    const line: Record<string, unknown> = ownCopy({})
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
    return sortedJson(value, digits)!
  } catch {
    return totalJson(value)
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
  const { depth, colorize: colors = false } = optionsOf('format.prettyPrint', given, {
    depth: anything,
    colorize: flag,
  })
  return formatOf((info) => {
    const shown = Object.fromEntries(Object.entries(info))
    info[MESSAGE] = inspect(shown, ownCopy({ showHidden: false, depth: depth || null, colors }))
    return info
  })()
}

const padLevelsOptions = { levels: object, filler: text() }

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
  const { levels = levelConfigs.npm.levels, filler = ' ' } = optionsOf('format.padLevels', given, padLevelsOptions)
  const longest = Math.max(...Object.keys(levels).map(({ length }) => length))
  return formatOf((info) => {
    const name = info[LEVEL] ?? ''
    const padding = Object.hasOwn(levels, name) ? filler.repeat(longest + 1).slice(0, longest + 1 - name.length) : ''
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
  } = optionsOf('format.cli', given, {
    ...padLevelsOptions,
    ...colorizeOptions,
  })
  const padded = padLevels({ levels, ...(filler === undefined ? {} : { filler }) })
  const colored = colorize(colors)
  return formatOf((info) => {
    padded.transform(info)
    colored.transform(info)
    info[MESSAGE] = `${member(info, 'level')}:${textOf(member(info, 'message'))}`
    return info
  })()
}
