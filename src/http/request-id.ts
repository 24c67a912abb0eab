import type { HttpRequest } from './exchange.ts'
import { readHeader } from './header-fields.ts'
import type { Settings } from './options.ts'
import type { RequestLogDiagnostics } from './request-log-diagnostics.ts'

/** What an id from outside must be: short, and nothing that means something in a line, a header, a URL or a shell. */
const trustworthy = /^[A-Za-z0-9][A-Za-z0-9._:~+/=@-]{0,127}$/

/** A request's id: the one that it brings where that is trusted, else a new one. */
export function requestIdOf(request: HttpRequest, settings: Settings, diagnostics: RequestLogDiagnostics): string {
  return broughtId(request, settings, diagnostics) ?? newId(request, settings, diagnostics)
}

function broughtId(
  request: HttpRequest,
  { trustRequestId, requestIdHeader }: Settings,
  diagnostics: RequestLogDiagnostics,
): string | undefined {
  if (trustRequestId === false) return undefined
  const brought = readHeader(request, requestIdHeader)
  if (typeof brought !== 'string' || !trustworthy.test(brought)) return undefined
  const trusted =
    trustRequestId === true || diagnostics.callOption('trustRequestId', () => trustRequestId(request)) === true
  return trusted ? brought : undefined
}

function newId(request: HttpRequest, { generateRequestId }: Settings, diagnostics: RequestLogDiagnostics): string {
  if (generateRequestId !== undefined) {
    const made = diagnostics.callOption('generateRequestId', () => generateRequestId(request))
    if (typeof made === 'string' && trustworthy.test(made)) return made
    if (made !== undefined) diagnostics.report('generateRequestId', `not an id of 1 to 128 characters`)
  }
  return crypto.randomUUID()
}
