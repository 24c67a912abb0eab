import { member } from '../../options/own-members.ts'

/** The details of a `fetch` that rejected. */
export interface FetchFailure {
  /** The runtime's error code; undefined if there is none. */
  readonly code: string | undefined
  readonly mayHaveArrived: boolean
}

/**
 * Reads the error of a `fetch`. Browsers give no code: the request may have arrived even if its response was blocked (CORS).
 * Never throws.
 */
export function fetchFailure(error: unknown): FetchFailure {
  const cause = memberOf(error, 'cause')
  // The Fetch standard blocks certain ports.
  if (memberOf(cause, 'message') === 'bad port') return { code: 'BAD_PORT', mayHaveArrived: false }
  const code = asCode(memberOf(error, 'code')) ?? asCode(memberOf(cause, 'code'))
  return { code, mayHaveArrived: code === undefined || !notConnected.has(code) }
}

/** The error codes of `fetch` in Node and Bun for a connection that was not established. */
const notConnected: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
])

function memberOf(holder: unknown, name: string): unknown {
  try {
    return typeof holder === 'object' && holder !== null ? member(holder as Record<string, unknown>, name) : undefined
  } catch {
    return undefined
  }
}

function asCode(code: unknown): string | undefined {
  return typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : undefined
}
