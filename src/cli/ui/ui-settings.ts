import type { ParsedArguments } from '../options/parse-arguments.ts'
import type { ParsedOptions } from '../options/parsed-options.ts'
import { UsageError } from '../options/usage-error.ts'

/** The settings of `sluice ui`. */
export interface UiSettings {
  readonly host: string
  readonly port: number
  readonly token: string | undefined
  /** Bytes. */
  readonly maxBytes: number
  readonly files: readonly string[]
  /** The program to start; undefined without one. */
  readonly program: readonly string[] | undefined
}

/**
 * Returns the settings that the arguments of `sluice ui` describe.
 *
 * @throws UsageError if they are invalid.
 */
export function uiSettings(
  { options, operands, program }: ParsedArguments,
  environment: Readonly<Record<string, string | undefined>>,
): UiSettings {
  const host = options.value('host') ?? '127.0.0.1'
  const token = options.value('token') ?? (environment['SLUICE_UI_TOKEN'] || undefined)
  checkToken(token, host)
  if (program?.length === 0) throw new UsageError('ui: write a program after --, such as sluice ui -- node app.js')
  return { host, port: portOf(options), token, maxBytes: memoryOf(options), files: operands, program }
}

const defaultPort = 4318
const maxPort = 65_535

function portOf(options: ParsedOptions): number {
  const text = options.value('port') ?? String(defaultPort)
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= maxPort) return port
  throw new UsageError(`--port must be a number from 0 to ${maxPort}, not '${text}'`)
}

const units: ReadonlyMap<string, number> = new Map([
  ['MB', 1_000_000],
  ['MIB', 1_048_576],
  ['GB', 1_000_000_000],
  ['GIB', 1_073_741_824],
])
const minBytes = 16_000_000
const maxBytes = 16_000_000_000

function memoryOf(options: ParsedOptions): number {
  const text = options.value('max-memory') ?? '256MB'
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?) ?([mg]i?b)$/i.exec(text) ?? []
  const bytes = Number(number) * (units.get(unit.toUpperCase()) ?? 0)
  if (bytes >= minBytes && bytes <= maxBytes) return bytes
  throw new UsageError(`--max-memory must be a size from 16MB to 16GB, such as 256MB, not '${text}'`)
}

const minTokenLength = 32

/** @throws UsageError without a token where one is required, or if it is too short. */
function checkToken(token: string | undefined, host: string): void {
  if (token === undefined) {
    if (/^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)) return
    throw new UsageError(
      `--host ${host}: everyone who can reach this address could read the logs; set SLUICE_UI_TOKEN to a secret, such as the output of openssl rand -hex 32`,
    )
  }
  if (token.length < minTokenLength) {
    throw new UsageError(
      `--token must have at least ${minTokenLength} characters; generate one with openssl rand -hex 32`,
    )
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new UsageError('--token must have visible ASCII characters only, because it is sent in a header')
  }
}
