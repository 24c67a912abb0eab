import { member } from '../../options/own-members.ts'

/** What is known of a request for which `fetch` has rejected. */
export interface FetchFailure {
  /** A code of the runtime; undefined where it gives none. */
  readonly code: string | undefined
  readonly mayHaveArrived: boolean
}

/**
 * Reads the error of a `fetch`. Browsers give no code: the request may have arrived, and only its answer not (CORS). Never throws.
 */
export function fetchFailure(error: unknown): FetchFailure {
  const cause = memberOf(error, 'cause')
  // Ports that the standard of fetch blocks.
  if (memberOf(cause, 'message') === 'bad port') return { code: 'BAD_PORT', mayHaveArrived: false }
  const code = wordOf(memberOf(error, 'code')) ?? wordOf(memberOf(cause, 'code'))
  return { code, mayHaveArrived: code === undefined || !notConnected.has(code) }
}

/** The error codes of Node's and Bun's `fetch` for a connection that was not established. */
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

function wordOf(code: unknown): string | undefined {
  return typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : undefined
}
