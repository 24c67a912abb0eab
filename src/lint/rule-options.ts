import { ConfigurationError, type ConfigurationProblem } from '../options/configuration-error.ts'
import { foreignNames } from '../options/foreign-names.ts'
import { checkOptions, list, text, unknownNameMessage, type OptionSchema } from '../options/option-checks.ts'
import type { RuleContext } from './syntax.ts'

/** The options that all rules have. Each is an option of the rule, or a member of the linter's setting `sluice`. */
export interface SharedOptions {
  /** Names of variables and members that are loggers if the file does not show where they come from. */
  readonly names: ReadonlySet<string>
  /** The names of the log methods. */
  readonly levels: ReadonlySet<string>
}

/** The standard levels, the most verbose first. */
export const standardLevels: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']

/**
 * Returns the shared options of a rule.
 *
 * @throws ConfigurationError if the setting `sluice` is invalid, or a level is unknown
 */
export function sharedOptions(context: RuleContext): SharedOptions {
  checkNames(context)
  return {
    names: new Set(namesOption(context, 'names') ?? ['log', 'logger']),
    levels: new Set([...standardLevels, ...(namesOption(context, 'levels') ?? [])]),
  }
}

/** Returns an option that is a list of names: the rule's, else that of the setting `sluice`, else undefined. */
export function namesOption({ options, settings }: RuleContext, name: string): readonly string[] | undefined {
  for (const given of [options[0], settings['sluice']]) {
    const value = (given as Record<string, readonly string[] | undefined> | undefined)?.[name]
    if (value !== undefined) return value
  }
  return undefined
}

/** Returns the JSON schema of the options of a rule: lists of names. */
export function schemaOf(...names: readonly string[]): object[] {
  const list = { type: 'array', items: { type: 'string' }, uniqueItems: true }
  const properties = Object.fromEntries(['names', 'levels', ...names].map((name) => [name, list]))
  return [{ type: 'object', properties, additionalProperties: false }]
}

const names = list(text(/./, 'not be empty'))
const schema: OptionSchema = { names, levels: names, bound: names, eagerLevels: names, allow: names }
const otherNames = foreignNames([
  ['loggers loggerNames logger', 'names'],
  ['methods customLevels level', 'levels'],
  ['attributes boundAttributes boundNames', 'bound'],
  ['allowed allowedCalls', 'allow'],
])

/** Settings that are valid: linters pass the same object for each rule. */
const validSettings = new WeakSet()

/** Checks the setting `sluice`, and the names of levels: linters check only the options of a rule, by its JSON schema. */
function checkNames(context: RuleContext): void {
  const problems: ConfigurationProblem[] = []
  const setting = context.settings['sluice']
  const isObject = typeof setting === 'object' && setting !== null
  if (!isObject || !validSettings.has(setting)) checkOptions(setting, schema, 'settings.sluice', problems, otherNames)
  if (problems.length === 0) {
    if (isObject) validSettings.add(setting)
    const levels = [...standardLevels, ...(namesOption(context, 'levels') ?? [])]
    for (const level of namesOption(context, 'eagerLevels') ?? []) {
      if (levels.includes(level)) continue
      const message = unknownNameMessage('level', level, levels)
      problems.push({ code: 'SLUICE_OPTION_RANGE', path: 'eagerLevels', message })
    }
  }
  if (problems.length > 0) throw new ConfigurationError(problems)
}
