import { readFileSync } from 'node:fs'
import { parseDuration } from '../../options/duration.ts'
import type { ParsedArguments } from '../options/parse-arguments.ts'
import type { ParsedOptions } from '../options/parsed-options.ts'
import { UsageError } from '../options/usage-error.ts'
import type { Environment } from '../../platform/node/variables.ts'

/** A request that `sluice level` sends. */
export interface LevelCommand {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  readonly url: URL
  readonly token: string
  /** The directives to set; undefined for other requests. */
  readonly directives: string | undefined
  /** The JSON text of the request; undefined without a body. */
  readonly body: string | undefined
}

/**
 * Returns the request that the arguments of `sluice level` describe.
 *
 * @throws UsageError if they are invalid.
 */
export function levelCommand({ options, operands }: ParsedArguments, environment: Environment): LevelCommand {
  const directives = operands.length === 0 ? undefined : operands.join(',')
  const revert = options.value('revert')
  const duration = durationOf(options)
  requireOneAction(options, directives)
  const url = addressOf(options.value('url') ?? environment.SLUICE_LEVEL_URL)
  const token = tokenOf(options.value('token-file'), environment.SLUICE_LEVEL_TOKEN)
  if (directives !== undefined) {
    return { method: 'PUT', url, token, directives, body: JSON.stringify({ directives, ...duration }) }
  }
  if (revert !== undefined && revert !== 'all') url.searchParams.set('id', revert)
  return { method: revert === undefined ? 'GET' : 'DELETE', url, token, directives, body: undefined }
}

const maxMillis = 86_400_000

function durationOf(options: ParsedOptions): { forMillis?: number; forever?: true } {
  const text = options.value('for')
  if (text === undefined) return options.has('forever') ? { forever: true } : {}
  if (options.has('forever')) throw new UsageError('level: write --for or --forever, not both')
  const millis = parseDuration(text)
  if (millis === undefined)
    throw new UsageError(
      `--for must be a duration such as 30s, 10m or 1h30m, not '${text}'; write --forever for no end`,
    )
  if (millis <= 0 || millis > maxMillis) {
    throw new UsageError(`--for must be at most 24h, and longer than 0, not '${text}'; write --forever for no end`)
  }
  return { forMillis: Math.ceil(millis) }
}

/** @throws UsageError if the arguments contradict each other. */
function requireOneAction(options: ParsedOptions, directives: string | undefined): void {
  const revert = options.value('revert')
  if (revert !== undefined) {
    if (directives !== undefined) {
      throw new UsageError('level: write directives to set, or --revert, not both')
    }
    if (revert !== 'all' && !/^[\da-f-]{8,36}$/i.test(revert)) {
      throw new UsageError(`--revert must be the ID of a change (at least 8 characters), or all, not '${revert}'`)
    }
  }
  if (directives === undefined && (options.has('for') || options.has('forever'))) {
    throw new UsageError("level: --for and --forever need directives, such as sluice level --for 10m 'db.*=debug'")
  }
}

/** @throws UsageError if the address is missing or invalid. */
function addressOf(text: string | undefined): URL {
  if (text === undefined || text === '') {
    throw new UsageError('level: write the address of the levels handler, such as --url http://localhost:9090/levels')
  }
  const url = URL.parse(text) ?? undefined
  // `localhost:9090` is a URL with the scheme `localhost:`.
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError('--url must be an address such as http://localhost:9090/levels')
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('--url must not have a user or a password; set SLUICE_LEVEL_TOKEN')
  }
  url.hash = ''
  return url
}

/** @throws UsageError if there is no token, or it cannot be sent. No message contains it. */
function tokenOf(file: string | undefined, variable: string | undefined): string {
  const token = file === undefined ? (variable ?? '') : readTokenFile(file)
  const source = file === undefined ? 'SLUICE_LEVEL_TOKEN' : `the file ${file}`
  if (token === '') {
    throw new UsageError(
      file === undefined
        ? 'level: set the variable SLUICE_LEVEL_TOKEN, or write --token-file FILE; a token is not accepted as an argument, because other users could see it'
        : `level: ${source} is empty`,
    )
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new UsageError(`level: the token in ${source} has spaces or characters that cannot be sent in a header`)
  }
  return token
}

function readTokenFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new UsageError(`--token-file: ${error instanceof Error ? error.message : String(error)}`)
  }
}
