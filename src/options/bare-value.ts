import type { ConfigurationProblem } from './configuration-error.ts'
import { typeName } from './option-checks.ts'
import { member } from './own-members.ts'

/** The kind of a value that is passed in place of an options object. */
export type BareValueKind =
  | 'a string'
  | 'a number'
  | 'a function'
  | 'an array'
  | 'a logger'
  | 'an exporter'
  | 'a stream'

/** What to write in place of a bare value, by its kind, such as `requestLog({ logger })` for a logger. */
export type Usages = { readonly [kind in BareValueKind]?: string }

/** Returns the problem of a value that belongs in an option, such as the logger in `requestLog(logger)`; otherwise undefined. */
export function bareValueProblem(value: unknown, usages: Usages, where: string): ConfigurationProblem | undefined {
  const kind = kindOf(value)
  const usage = kind === undefined ? undefined : usages[kind]
  if (usage === undefined) return undefined
  return {
    code: 'SLUICE_OPTION_TYPE',
    path: where,
    message: `must be an object with options, not ${kind}; write ${usage}`,
  }
}

/** Returns the kind of a value; undefined for an options object and for any value without a kind, such as null. Never throws. */
function kindOf(value: unknown): BareValueKind | undefined {
  try {
    const type = typeName(value)
    if (type === 'a string' || type === 'a number' || type === 'a function' || type === 'an array') return type
    if (typeof value !== 'object' || value === null) return undefined
    const has = (name: string) => typeof member(value as Record<string, unknown>, name) === 'function'
    if (has('info') && has('child')) return 'a logger'
    if (has('export') && has('shutdown')) return 'an exporter'
    return has('write') && has('on') ? 'a stream' : undefined
  } catch {
    return undefined // A getter or a proxy that throws, which is reported where the options are copied.
  }
}
