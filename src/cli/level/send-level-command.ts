import { excerptOf } from '../../encode/pretty/excerpt.ts'
import { UsageError } from '../options/usage-error.ts'
import type { LevelCommand } from './level-arguments.ts'
import { levelsReply, type LevelsReply } from './levels-reply.ts'

const timeoutMillis = 10_000

/**
 * Sends a request to a levels handler.
 *
 * @throws UsageError with what to do if there is no successful response.
 */
export async function sendLevelCommand(command: LevelCommand): Promise<LevelsReply> {
  const { method, url, token, body } = command
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  let response: Response
  let text: string
  try {
    response = await fetch(url, {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      // The token is sent to the given address only.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMillis),
      ...(body !== undefined && { body }),
    })
    text = await response.text()
  } catch (error) {
    throw new UsageError(`level: ${url.origin}: ${connectionHint(error, url)}`)
  }
  const value = parsedObject(text)
  const reply = response.ok ? levelsReply(value) : undefined
  if (reply !== undefined) return reply
  throw statusError(response, value, command)
}

function parsedObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const notMounted = 'there is no levels handler; mount levelsHandler of sluice/level-control at this address'

/** Returns the error of a response that is not the one of a levels handler, or not a success. */
function statusError(
  response: Response,
  reply: Record<string, unknown> | undefined,
  { url, directives }: LevelCommand,
): UsageError {
  const { status } = response
  const { message, problems } = errorOf(reply)
  if (status === 401 || status === 403) {
    return new UsageError(
      `level: the process rejected the token (status ${status}); check SLUICE_LEVEL_TOKEN or --token-file`,
    )
  }
  if (status >= 300 && status < 400) {
    const location = response.headers.get('location') ?? 'another address'
    return new UsageError(`level: ${url.href} redirects to ${location}; the token was not sent there; write its --url`)
  }
  const [problem] = problems
  if (problem !== undefined && directives !== undefined) {
    const { position } = problem
    const excerpt = typeof position === 'number' ? excerptOf(directives, position) : undefined
    return new UsageError(`level: ${String(problem.message)}`, excerpt)
  }
  if (message !== undefined) return new UsageError(`level: ${message} (status ${status})`)
  return new UsageError(`level: ${url.href}: ${notMounted} (status ${status})`)
}

interface ReplyError {
  readonly message: string | undefined
  readonly problems: readonly { readonly message?: unknown; readonly position?: unknown }[]
}

function errorOf(reply: Record<string, unknown> | undefined): ReplyError {
  const { message, problems } = Object(reply?.error) as { message?: unknown; problems?: unknown }
  return {
    message: typeof message === 'string' ? message : undefined,
    problems: Array.isArray(problems)
      ? problems.filter((problem) => typeof problem === 'object' && problem !== null)
      : [],
  }
}

/** What to do about errors of connections, by their codes. */
const hints: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection refused; is the process running, and is the port right?'],
  ['ENOTFOUND', 'unknown host; check the name in --url'],
  ['EAI_AGAIN', 'the name server did not respond; check the name in --url'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'the server does not use TLS; write http:// in --url'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'the server does not use TLS; write http:// in --url'],
  ['UND_ERR_SOCKET', 'the server closed the connection; if it uses TLS, write https:// in --url'],
  ['ECONNRESET', 'the server closed the connection; if it uses TLS, write https:// in --url'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is not trusted; set NODE_EXTRA_CA_CERTS to the file of its CA'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate is not trusted; set NODE_EXTRA_CA_CERTS to the file of its CA'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate is not trusted; set NODE_EXTRA_CA_CERTS to the file of its CA'],
])

function connectionHint(error: unknown, url: URL): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no response after ${timeoutMillis / 1_000} s`
  const { code, message } = causeOf(error)
  return hints.get(code) ?? (message === 'bad port' ? `port ${url.port} is blocked for HTTP requests` : message)
}

/** Returns the innermost cause, also of several attempts to connect. */
function causeOf(error: Error): { readonly code: string; readonly message: string } {
  const { cause, code, errors } = error as Error & { code?: unknown; errors?: readonly unknown[] }
  if (cause instanceof Error) return causeOf(cause)
  const first = errors?.[0]
  if (first instanceof Error) return causeOf(first)
  return { code: String(code), message: error.message }
}
