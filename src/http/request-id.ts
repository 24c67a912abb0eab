import type { HttpRequest } from './exchange.ts'
import { readHeader } from './header-fields.ts'
import type { Settings } from './settings.ts'
import { OptionErrors } from './option-errors.ts'

/** The format of IDs from a header, a framework or the user's function: short, of characters that are safe in lines, headers and shells. */
const idFormat = /^[A-Za-z0-9][A-Za-z0-9._:~+/=@-]{0,127}$/

/** The ID of a request, and the errors of the user's functions that were called to get it. */
export interface RequestIdentity {
  readonly id: string
  readonly optionErrors: OptionErrors
}

/** Returns the identity of a request. Its ID is the one that the framework has chosen, if that is valid, or else one of the request log. */
export function identityOf(request: HttpRequest, settings: Settings, frameworkId?: unknown): RequestIdentity {
  const optionErrors = new OptionErrors()
  const isValid = typeof frameworkId === 'string' && idFormat.test(frameworkId)
  return { id: isValid ? frameworkId : requestIdOf(request, settings, optionErrors), optionErrors }
}

/** Returns the ID of a request: the one in its header when that is trusted, else a new one. */
function requestIdOf(request: HttpRequest, settings: Settings, optionErrors: OptionErrors): string {
  return incomingId(request, settings, optionErrors) ?? generateId(request, settings, optionErrors)
}

function incomingId(
  request: HttpRequest,
  { trustRequestId, requestIdHeader }: Settings,
  optionErrors: OptionErrors,
): string | undefined {
  if (trustRequestId === false) return undefined
  const incoming = readHeader(request, requestIdHeader)
  if (typeof incoming !== 'string' || !idFormat.test(incoming)) return undefined
  const isTrusted =
    trustRequestId === true || optionErrors.callOption('trustRequestId', () => trustRequestId(request)) === true
  return isTrusted ? incoming : undefined
}

function generateId(request: HttpRequest, { generateRequestId }: Settings, optionErrors: OptionErrors): string {
  if (generateRequestId !== undefined) {
    const generated = optionErrors.callOption('generateRequestId', () => generateRequestId(request))
    if (typeof generated === 'string' && idFormat.test(generated)) return generated
    if (generated !== undefined) optionErrors.add('generateRequestId', `not an id of 1 to 128 characters`)
  }
  return crypto.randomUUID()
}
