import { inspect } from 'node:util'
import { flag, object, type Check } from '../../../options/option-checks.ts'
import { nearestName } from '../../../options/nearest-name.ts'
import { ConfigurationError, type ConfigurationProblem } from '../../../options/configuration-error.ts'
import { LEVEL, MESSAGE, textOf, type Format } from '../info.ts'
import { levelConfigs } from '../levels.ts'
import { defineFormat } from './format.ts'
import { checkedOptions } from './format-options.ts'
import { setMember } from '../../../options/define-member.ts'
import { member } from '../../../options/own-members.ts'

/** Names of colors and styles by level: several in an array, or in one string separated by spaces. */
export type LevelColors = Readonly<Record<string, string | readonly string[]>>

/** The codes that begin and end each style (ECMA-48, SGR). */
const styles: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['bold', [1, 22]],
  ['dim', [2, 22]],
  ['italic', [3, 23]],
  ['underline', [4, 24]],
  ['inverse', [7, 27]],
  ['hidden', [8, 28]],
  ['strikethrough', [9, 29]],
  ['gray', [90, 39]],
  ['grey', [90, 39]],
  ['bgGray', [100, 49]],
  ['bgGrey', [100, 49]],
  ...['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'].flatMap(
    (name, index): [string, readonly [number, number]][] => {
      const capital = name[0]!.toUpperCase() + name.slice(1)
      return [
        [name, [30 + index, 39]],
        [`bright${capital}`, [90 + index, 39]],
        [`bg${capital}`, [40 + index, 49]],
        [`bgBright${capital}`, [100 + index, 49]],
      ]
    },
  ),
])

/** The names of styles by level, for all loggers of the process. */
const colorsByLevel = new Map<string, readonly string[]>()
for (const { colors } of [levelConfigs.cli, levelConfigs.npm, levelConfigs.syslog]) addColors(colors)

/**
 * Sets the colors of levels for all `format.colorize()` of the process.
 *
 * @throws ConfigurationError for an unknown color.
 */
export function addColors(colors: LevelColors): void {
  const problems: ConfigurationProblem[] = []
  const namesByLevel = new Map<string, readonly string[]>()
  for (const [level, given] of Object.entries(colors)) {
    const names = typeof given === 'string' ? given.split(/\s+/) : Array.isArray(given) ? [...(given as string[])] : []
    if (names.length === 0 || names.some((name: unknown) => typeof name !== 'string')) {
      const message = 'must be names of colors, as a string or an array'
      problems.push({ code: 'SLUICE_OPTION_TYPE', path: `colors.${level}`, message })
      continue
    }
    for (const name of names.filter((name) => !styles.has(name))) {
      const suggestion = nearestName(name, [...styles.keys()])
      const advice =
        suggestion === undefined ? 'use names such as red, brightRed, bgRed or bold' : `did you mean ${suggestion}?`
      const message = `unknown color ${JSON.stringify(name)}; ${advice}`
      problems.push({ code: 'SLUICE_OPTION_RANGE', path: `colors.${level}`, message })
    }
    namesByLevel.set(level, names)
  }
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, 'addColors')
  for (const [level, names] of namesByLevel) colorsByLevel.set(level, names)
}

/** Checks of the options of `format.colorize()`. The colors are checked by `addColors`. */
export const colorizeSchema: Readonly<Record<keyof ColorizeOptions, Check>> = {
  colors: object,
  level: flag,
  message: flag,
  all: flag,
}

/** Options of `format.colorize()`. */
export interface ColorizeOptions {
  /**
   * Colors of levels, as for `addColors`.
   *
   * @defaultValue those of `addColors`
   */
  readonly colors?: LevelColors
  /**
   * Colors the level.
   *
   * @defaultValue true if neither `message` nor `all` is set
   */
  readonly level?: boolean
  /**
   * Colors the message.
   *
   * @defaultValue false
   */
  readonly message?: boolean
  /**
   * Colors the level, the message, and finished text.
   *
   * @defaultValue false
   */
  readonly all?: boolean
}

/** Adds terminal colors by level. */
export function colorize(given?: ColorizeOptions): Format {
  const { colors, level, message, all } = checkedOptions('format.colorize', given, colorizeSchema)
  if (colors !== undefined) addColors(colors)
  return defineFormat((info) => {
    const name = info[LEVEL] ?? ''
    if (all && typeof info[MESSAGE] === 'string') info[MESSAGE] = paint(name, info[MESSAGE])
    if (level || all || !message) setMember(info, 'level', paint(name, member(info, 'level')))
    // Without a message, the level is used in its place, as in winston.
    const text = member(info, 'message')
    if (all || message) setMember(info, 'message', paint(name, text === undefined ? member(info, 'level') : text))
    return info
  })()
}

/** Returns a value as text in the styles of a level. */
function paint(level: string, value: unknown): string {
  let text = typeof value === 'string' ? value : inspect(value)
  for (const name of colorsByLevel.get(level) ?? []) text = applyStyle(text, styles.get(name)!)
  return text
}

/** Adds the codes of a style. It begins again after a nested style that has the same end code, and ends before each line break. */
function applyStyle(text: string, [open, close]: readonly [number, number]): string {
  if (text === '') return text
  const [begin, end] = [`\u001b[${open}m`, `\u001b[${close}m`]
  return (begin + text.replaceAll(end, begin) + end).replace(/[\r\n]+/g, (lineBreaks) => `${end}${lineBreaks}${begin}`)
}

/** Options of `format.uncolorize()`. */
export interface UncolorizeOptions {
  /**
   * Whether colors are removed from the level.
   *
   * @defaultValue true
   */
  readonly level?: boolean
  /**
   * Whether colors are removed from the message.
   *
   * @defaultValue true
   */
  readonly message?: boolean
  /**
   * Whether colors are removed from the finished text.
   *
   * @defaultValue true
   */
  readonly raw?: boolean
}

/** Removes colors from the level, the message and the finished text, except those set to false. */
export function uncolorize(given?: UncolorizeOptions): Format {
  const { level, message, raw } = checkedOptions('format.uncolorize', given, { level: flag, message: flag, raw: flag })
  return defineFormat((info) => {
    if (level !== false) setMember(info, 'level', stripColors(member(info, 'level')))
    if (message !== false) setMember(info, 'message', stripColors(member(info, 'message')))
    if (raw !== false && info[MESSAGE]) info[MESSAGE] = stripColors(info[MESSAGE])
    return info
  })()
}

/** Returns a value as text without codes of colors and styles. */
function stripColors(value: unknown): string {
  // oxlint-disable-next-line no-control-regex
  return textOf(value).replace(/\u001b\[\d+m/g, '')
}
