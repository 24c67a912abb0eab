import type { OptionName } from '../options/definition.ts'
import type { ParsedArguments } from '../options/parse-arguments.ts'
import type { ParsedOptions } from '../options/parsed-options.ts'
import { UsageError } from '../options/usage-error.ts'

/** The settings of `--db`. */
export interface DatabaseSettings {
  readonly file: string
  /** Bytes. */
  readonly maxBytes: number
}

/** The settings of `sluice ui`. */
export interface UiSettings {
  readonly host: string
  readonly port: number
  readonly token: string | undefined
  /** Bytes. */
  readonly maxBytes: number
  /** Where records are saved; undefined to keep them in memory only. */
  readonly database: DatabaseSettings | undefined
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
  if (program !== undefined && operands.includes('-'))
    throw new UsageError('ui: standard input is that of the program after --, so it is not read for the FILE -')
  return {
    host,
    port: portOf(options),
    token,
    maxBytes: sizeOf(options, memorySize),
    database: databaseOf(options),
    files: operands,
    program,
  }
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

/** An option that is a size. */
interface SizeOption {
  readonly name: OptionName
  readonly default: string
  /** Bytes. */
  readonly min: number
  readonly max: number
  /** The limits as text. */
  readonly range: string
}

const memorySize: SizeOption = {
  name: 'max-memory',
  default: '256MB',
  min: 16_000_000,
  max: 16_000_000_000,
  range: 'from 16MB to 16GB',
}
const databaseSize: SizeOption = {
  name: 'max-db',
  default: '1GB',
  min: 16_000_000,
  max: 1_000_000_000_000,
  range: 'from 16MB to 1000GB',
}

function sizeOf(options: ParsedOptions, { name, default: defaultSize, min, max, range }: SizeOption): number {
  const text = options.value(name) ?? defaultSize
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?) ?([mg]i?b)$/i.exec(text) ?? []
  const bytes = Number(number) * (units.get(unit.toUpperCase()) ?? 0)
  if (bytes >= min && bytes <= max) return bytes
  throw new UsageError(`--${name} must be a size ${range}, such as ${defaultSize}, not '${text}'`)
}

function databaseOf(options: ParsedOptions): DatabaseSettings | undefined {
  const file = options.value('db')
  const maxBytes = sizeOf(options, databaseSize)
  if (file !== undefined) return { file, maxBytes }
  if (options.value('max-db') !== undefined) throw new UsageError('--max-db requires --db FILE')
  return undefined
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
