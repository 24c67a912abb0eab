import { handlers } from './handlers.ts'
import { logCalls } from './log-calls.ts'
import { options } from './options.ts'
import { otelEntries } from './otel-entries.ts'
import { environment, serverResponses, stackTexts, traceContexts } from './external-inputs.ts'
import { pendingResources } from './pending-resources.ts'
import { patterns } from './patterns.ts'
import { pollution } from './pollution.ts'
import { queries } from './queries.ts'
import { races } from './races.ts'
import { spooledFiles } from './spools.ts'
import { userCode } from './user-code.ts'
import type { Target } from './target.ts'

/** All fuzz targets. */
export const targets: readonly Target<unknown>[] = [
  logCalls,
  handlers,
  otelEntries,
  pendingResources,
  options,
  environment,
  serverResponses,
  traceContexts,
  stackTexts,
  races,
  spooledFiles,
  userCode,
  patterns,
  pollution,
  queries,
]

/** Returns the target with a name. */
export function targetOf(name: string): Target<unknown> {
  const found = targets.find((target) => target.name === name)
  if (found === undefined) throw new Error(`unknown target ${name}`)
  return found
}
