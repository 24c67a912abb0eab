import { foreignLoggerConfigNames } from '../../options/foreign-provider-names.ts'
import { checkOptions, flag, list, options as nested, text, type Check } from '../../options/option-checks.ts'
import { copyOptions } from '../../options/own-options.ts'
import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { parseSeverity, type LoggerConfig, type LoggerRule, type LoggerSettings } from './configurator.ts'
import { member } from '../../options/own-members.ts'

/** The names of settings whose values are objects that `copyOptions` copies too. */
const nestedSettingNames: readonly string[] = ['defaultLogger']

/** Returns a copy of the settings that were passed to `configure`, and all problems that were found in them. */
export function checkedSettings(given: LoggerSettings): {
  readonly settings: LoggerSettings
  readonly problems: readonly ConfigurationProblem[]
} {
  const problems: ConfigurationProblem[] = []
  const settings = copyOptions(given, '', problems, nestedSettingNames)
  checkOptions(settings, settingsSchema, '', problems)
  return { settings, problems }
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
