import { basename, dirname, join } from 'node:path'
import { withoutPrototype } from '../../../options/own-members.ts'
import { fileExporter } from '../../../exporters/file/file-exporter.ts'
import { pickDeliveryOptions } from '../../../exporters/exporter-options.ts'
import { flag, integer, object, text } from '../../../options/option-checks.ts'
import type { ConfigurationProblem } from '../../../options/configuration-error.ts'
import { checkedTransportOptions } from './checked-transport-options.ts'
import { LineTransport, lineTransportSchema, type LineTransportOptions } from './line-transport.ts'

/** Options of `transports.File`. */
export interface FileTransportOptions extends LineTransportOptions {
  /**
   * Name of the file that lines are appended to. Required unless `dirname` is set.
   *
   * @defaultValue `winston.log` if `dirname` is set
   */
  readonly filename?: string
  /**
   * Directory of the file. It is created if it does not exist.
   *
   * @defaultValue the directory of `filename`
   */
  readonly dirname?: string
  /**
   * Maximum size of a file in bytes, at least 1,000,000.
   *
   * @defaultValue no limit
   */
  readonly maxsize?: number
  /**
   * Maximum number of files, including the current one.
   *
   * @defaultValue no limit
   */
  readonly maxFiles?: number
  /**
   * Has no effect: the current file always keeps its name.
   *
   * @defaultValue none
   */
  readonly tailable?: boolean
  /**
   * Compresses old files.
   *
   * @defaultValue false
   */
  readonly zippedArchive?: boolean
  /**
   * How the file is opened. `flags` can only be `a`; `mode` sets the permissions of a new file.
   *
   * @defaultValue none
   */
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
  stream: 'pass the stream to transports.Stream',
  rotationFormat:
    'names of old files contain the time; for a period, use fileExporter({ rotate: { interval } }) of sluice/exporters',
  lazy: 'the file is created with the transport',
  maxRetries: 'opening the file is retried as long as the process runs',
}

/** Appends lines to a file, and rotates it when it reaches its maximum size. */
export class FileTransport extends LineTransport {
  /** The name of the file, without its directory. */
  readonly filename: string
  /** The directory of the file. */
  readonly dirname: string

  /** @throws ConfigurationError for invalid options, and for options of winston that are not supported. */
  constructor(given: FileTransportOptions) {
    const options = checkedTransportOptions('File', given, schema, unsupported, checkFile)
    const { maxsize, maxFiles, zippedArchive } = options
    const directory = options.dirname ?? dirname(options.filename ?? '')
    const name = basename(options.filename ?? 'winston.log')
    const rotate = maxsize !== undefined && {
      size: maxsize,
      ...(maxFiles === undefined ? {} : { keep: maxFiles - 1 }),
      ...(zippedArchive ? { compress: 'gzip' as const } : {}),
    }
    const mode = withoutPrototype(options.options)?.mode
    super({ ...options, name: options.name ?? 'file' }, [
      () =>
        fileExporter({
          ...pickDeliveryOptions(options),
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

/** Checks that the options name a file, and do not set flags that are not supported. */
function checkFile(options: FileTransportOptions, problems: ConfigurationProblem[]): void {
  const where = 'transports.File'
  if (options.filename === undefined && options.dirname === undefined) {
    problems.push({
      code: 'SLUICE_OPTION_TYPE',
      path: `${where}.filename`,
      message: 'must be a string: set filename or dirname',
    })
  }
  const flags = withoutPrototype(options.options)?.flags ?? 'a'
  if (flags === 'a') return
  const message =
    'is not supported: lines are appended; to begin with an empty file, delete it before the process starts'
  problems.push({ code: 'SLUICE_OPTION_UNSUPPORTED', path: `${where}.options.flags`, message })
}
