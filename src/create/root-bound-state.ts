import { redactedResource, redactedScope } from '../encode/walk/redacted-source.ts'
import { Resolver } from '../encode/walk/resolve.ts'
import { BoundState, type BoundOrigin } from '../record/bound.ts'
import { emptyScopeDetails } from '../record/instrumentation-source.ts'
import type { LoggerSettings } from './logger-settings.ts'

/** Creates the bound state of a root logger, with redacted attributes, scope and resource. */
export function rootBoundState({ options, runtime, checked, reportDiagnostic }: LoggerSettings): BoundState {
  const { rules } = checked
  const { patterns } = rules.redaction
  const { names, keys, values, droppedCount } = new Resolver(rules).snapshot(options.attributes ?? {})
  const origin: BoundOrigin = {
    scope: redactedScope({ ...emptyScopeDetails, name: options.name, version: options.version }, patterns),
    resource: redactedResource(runtime.createResource(options.resource, reportDiagnostic), patterns),
    messagePrefix: options.messagePrefix ?? '',
    context: undefined,
    droppedAttributes: droppedCount,
  }
  return BoundState.ofNamedValues(origin, { names, keys, values })
}
