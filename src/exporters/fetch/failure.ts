import { member } from '../../options/own-members.ts'

/** The details of a `fetch` that rejected. */
export interface FetchFailure {
  /** The runtime's error code, or `BAD_PORT`; undefined for any other error without a code. */
  readonly code: string | undefined
  /** Whether the server may have received the request. */
  readonly mayHaveArrived: boolean
}

/**
 * Returns the details of an error of `fetch`. Errors of browsers have no code: the request may have arrived, because a browser can
 * block a response (CORS). Never throws.
 */
export function fetchFailure(error: unknown): FetchFailure {
  const cause = memberOf(error, 'cause')
  // The Fetch standard blocks certain ports.
  if (memberOf(cause, 'message') === 'bad port') return { code: 'BAD_PORT', mayHaveArrived: false }
  const code = asCode(memberOf(error, 'code')) ?? asCode(memberOf(cause, 'code'))
  return { code, mayHaveArrived: code === undefined || !notConnectedCodes.has(code) }
}

/** The error codes of `fetch` in Node and Bun for a connection that was not established. */
const notConnectedCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
])

/** Returns a member of any value, or undefined if the value does not have it or reading it throws. */
function memberOf(holder: unknown, name: string): unknown {
  try {
    return typeof holder === 'object' && holder !== null ? member(holder as Record<string, unknown>, name) : undefined
  } catch {
    return undefined
  }
}

/** Returns a value that looks like an error code, and undefined for any other, which could contain anything. */
function asCode(code: unknown): string | undefined {
  return typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : undefined
}
