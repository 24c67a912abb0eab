import { redactedScope } from '../encode/walk/redacted-source.ts'
import { emptyScopeDetails, type InstrumentationSource } from '../record/instrumentation-source.ts'
import type { LoggerSettings, NamedSettings } from './logger-state.ts'

/** The maximum number of names whose settings are cached. Names can be data, so the cache is emptied when it has reached its limit. */
const maxCachedNames = 200

/**
 * Returns the settings and the scope of children with a name of their own. Children with the same name share them, because exporters group
 * records by the identity of their scope, and each handler has its own encoders.
 *
 * @param source - the scope and resource of the parent, whose version the scope keeps
 */
export function namedSettingsOf(
  settings: LoggerSettings,
  name: string,
  { scope: parentScope, resource }: InstrumentationSource,
): NamedSettings {
  const cached = settings.namedSettings?.get(name)
  if (cached !== undefined) return cached
  const scope = redactedScope(
    { ...emptyScopeDetails, name, version: parentScope.version },
    settings.rules.redaction.patterns,
  )
  const handler = settings.handler.withSource({ scope, resource })
  const named = { settings: { ...settings, handler, namedSettings: undefined }, scope }
  if (settings.namedSettings === undefined || settings.namedSettings.size === maxCachedNames)
    settings.namedSettings = new Map()
  settings.namedSettings.set(name, named)
  return named
}
