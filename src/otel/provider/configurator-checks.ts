import { foreignLoggerConfigNames } from '../../options/foreign-provider-names.ts'
import { checkOptions, flag, list, options as nested, text, type Check } from '../../options/option-checks.ts'
import { copyOptions } from '../../options/own-options.ts'
import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import type { Directive } from '../../levels/directive.ts'
import { checkedDirectives } from '../../levels/directive-problems.ts'
import { resolveLevel } from '../../levels/resolve-level.ts'
import { Levels } from '../../logger/levels.ts'
import { separateBareLevel } from '../../levels/parse-directives.ts'
import { parseSeverity, type LoggerConfig, type LoggerRule, type LoggerSettings } from './configurator.ts'
import { member } from '../../options/own-members.ts'

/** The loggers of a provider have no custom levels. */
const levels = new Levels()

/** The names of settings whose values are objects that `copyOptions` copies too. */
const nestedSettingNames: readonly string[] = ['defaultLogger']

/** Settings of all loggers, and directives for them. */
export interface CheckedSettings {
  readonly settings: LoggerSettings
  readonly directives: readonly Directive[]
}

/** Returns what was passed to `configure`: a copy of settings, or parsed directives. Problems are added to `problems`. */
export function checkedSettings(given: LoggerSettings | string, problems: ConfigurationProblem[]): CheckedSettings {
  if (typeof given === 'string') {
    const parsed = checkedDirectives(given, 'directives', levels, problems)
    const { bareLevel, targeted } = separateBareLevel(parsed)
    const level = bareLevel === undefined ? undefined : resolveLevel(bareLevel, levels)
    const defaultLogger = level?.name === 'silent' ? { enabled: false } : { minimumSeverity: level?.threshold ?? 0 }
    return { settings: { defaultLogger: defaultLogger as LoggerConfig }, directives: targeted }
  }
  const settings = copyOptions(given, '', problems, nestedSettingNames)
  checkOptions(settings, settingsSchema, '', problems)
  return { settings, directives: [] }
}

const severity: Check = (value, where, problems) => {
  if (parseSeverity(value) !== undefined) return
  const message = 'must be a severity number from 0 to 24 or a short name, trace to fatal4'
  problems.push({ code: 'SLUICE_OPTION_RANGE', path: where, message })
}

const configSchema: Readonly<Record<keyof LoggerConfig, Check>> = {
  enabled: flag,
  minimumSeverity: severity,
  traceBased: flag,
}

const ruleSchema: Readonly<Record<keyof LoggerRule, Check>> = { ...configSchema, name: text() }

const rule: Check = (value, where, problems) => {
  nested(ruleSchema, foreignLoggerConfigNames)(value, where, problems)
  if (typeof value !== 'object' || value === null || member(value as Partial<LoggerRule>, 'name') !== undefined) return
  problems.push({ code: 'SLUICE_OPTION_TYPE', path: `${where}.name`, message: 'must be a string' })
}

/** The checks of `LoggerSettings`. */
export const settingsSchema: Readonly<Record<keyof LoggerSettings, Check>> = {
  loggers: (value, where, problems) => (typeof value === 'function' ? undefined : list(rule)(value, where, problems)),
  defaultLogger: nested(configSchema, foreignLoggerConfigNames),
}
