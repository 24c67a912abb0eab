import { basename, dirname, join } from 'node:path'
import { ownCopy } from '../../../options/own-members.ts'
import { fileExporter } from '../../../exporters/file/file-exporter.ts'
import { deliveryOf } from '../../../exporters/exporter-options.ts'
import { flag, integer, object, text } from '../../../options/option-checks.ts'
import type { ConfigurationProblem } from '../../../options/configuration-error.ts'
import { checkedTransport } from './checked-transport.ts'
import { LineTransport, lineTransportSchema, type LineTransportOptions } from './line-transport.ts'

/** Options of `transports.File`. */
export interface FileTransportOptions extends LineTransportOptions {
  /** The file to append to. Default `winston.log`, where there is a `dirname`. */
  readonly filename?: string
  /** The directory; it is made where it is missing. Default: that of `filename`. */
  readonly dirname?: string
  /** The most bytes in one file, 1,000,000 or more. Default: no limit. */
  readonly maxsize?: number
  /** How many files there may be, the one that is written included. Default: no limit. */
  readonly maxFiles?: number
  /** The file that is written keeps its name, which it does in any case. */
  readonly tailable?: boolean
  /** Compresses old files. Default false. */
  readonly zippedArchive?: boolean
  /** How the file is opened: `flags` can only be `a`; `mode` are the permissions of a file that is made. */
  readonly options?: { readonly flags?: string; readonly mode?: number }
}

const schema = {
  ...lineTransportSchema,
  filename: text(/[^\0]/, 'be the name of a file'),
  dirname: text(/[^\0]/, 'be the name of a directory'),
  maxsize: integer(1_000_000),
  maxFiles: integer(1),
  tailable: flag,
  zippedArchive: flag,
  options: object,
}
const unsupported = {
  stream: 'give the stream to transports.Stream',
  rotationFormat:
    'old files have the time in their name; for a period use fileExporter({ rotate: { interval } }) of sluice/exporters',
  lazy: 'the file is made when the transport is',
  maxRetries: 'a file that cannot be opened is tried again as long as the process runs',
}

/** Appends to a file, and puts it aside when it is full. */
export class FileTransport extends LineTransport {
  /** The name of the file, without its directory. */
  readonly filename: string
  /** The directory of the file. */
  readonly dirname: string

  /** @throws ConfigurationError when the options are wrong, or of winston's and not supported. */
  constructor(given: FileTransportOptions) {
    const options = checkedTransport('File', given, schema, unsupported, needsName)
    const { maxsize, maxFiles, zippedArchive } = options
    const directory = options.dirname ?? dirname(options.filename ?? '')
    const name = basename(options.filename ?? 'winston.log')
    const rotate = maxsize !== undefined && {
      size: maxsize,
      ...(maxFiles === undefined ? {} : { keep: maxFiles - 1 }),
      ...(zippedArchive ? { compress: 'gzip' as const } : {}),
    }
    const mode = ownCopy(options.options)?.mode
    super({ ...options, name: options.name ?? 'file' }, [
      () =>
        fileExporter({
          ...deliveryOf(options),
          level: undefined,
          path: join(directory, name),
          mkdir: true,
          format: 'json',
          ...(mode === undefined ? {} : { mode }),
          ...(rotate ? { rotate } : {}),
        }),
    ])
    this.filename = name
    this.dirname = directory
  }
}

function needsName(options: FileTransportOptions, problems: ConfigurationProblem[]): void {
  const where = 'transports.File'
  if (options.filename === undefined && options.dirname === undefined) {
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: `${where}.filename`, message: 'must be a string' })
  }
  const flags = ownCopy(options.options)?.flags ?? 'a'
  if (flags === 'a') return
  const message = 'is not supported: lines are appended; remove the file before you start to begin anew'
  problems.push({ code: 'SLUICE_OPTION_UNSUPPORTED', path: `${where}.options.flags`, message })
}
