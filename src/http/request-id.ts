import type { HttpRequest } from './exchange.ts'
import { readHeader } from './header-fields.ts'
import type { Settings } from './options.ts'
import type { RequestLogDiagnostics } from './request-log-diagnostics.ts'

/** The format of an external ID: short, and without characters that have a meaning in a line, a header, a URL or a shell. */
const validId = /^[A-Za-z0-9][A-Za-z0-9._:~+/=@-]{0,127}$/

/** Returns the ID of a request: the one in its header when that is trusted, else a new one. */
export function requestIdOf(request: HttpRequest, settings: Settings, diagnostics: RequestLogDiagnostics): string {
  return incomingId(request, settings, diagnostics) ?? newId(request, settings, diagnostics)
}

function incomingId(
  request: HttpRequest,
  { trustRequestId, requestIdHeader }: Settings,
  diagnostics: RequestLogDiagnostics,
): string | undefined {
  if (trustRequestId === false) return undefined
  const incoming = readHeader(request, requestIdHeader)
  if (typeof incoming !== 'string' || !validId.test(incoming)) return undefined
  const trusted =
    trustRequestId === true || diagnostics.callOption('trustRequestId', () => trustRequestId(request)) === true
  return trusted ? incoming : undefined
}

function newId(request: HttpRequest, { generateRequestId }: Settings, diagnostics: RequestLogDiagnostics): string {
  if (generateRequestId !== undefined) {
    const generated = diagnostics.callOption('generateRequestId', () => generateRequestId(request))
    if (typeof generated === 'string' && validId.test(generated)) return generated
    if (generated !== undefined) diagnostics.report('generateRequestId', `not an id of 1 to 128 characters`)
  }
  return crypto.randomUUID()
}
