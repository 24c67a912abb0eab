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

/** Returns the shared options of a rule. */
export function sharedOptions(context: RuleContext): SharedOptions {
  return {
    names: new Set(namesOption(context, 'names') ?? ['log', 'logger']),
    levels: new Set([...standardLevels, ...(namesOption(context, 'levels') ?? [])]),
  }
}

/** Returns an option that is a list of names: the rule's, else that of the setting `sluice`, else undefined. */
export function namesOption({ options, settings }: RuleContext, name: string): readonly string[] | undefined {
  for (const given of [options[0], settings['sluice']]) {
    const value = typeof given === 'object' && given !== null ? (given as Record<string, unknown>)[name] : undefined
    if (Array.isArray(value)) return value.filter((item): item is string => typeof item === 'string')
  }
  return undefined
}

/** Returns the JSON schema of the options of a rule: lists of names. */
export function schemaOf(...names: readonly string[]): object[] {
  const list = { type: 'array', items: { type: 'string' }, uniqueItems: true }
  const properties = Object.fromEntries(['names', 'levels', ...names].map((name) => [name, list]))
  return [{ type: 'object', properties, additionalProperties: false }]
}
