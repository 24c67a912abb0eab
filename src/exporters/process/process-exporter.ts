import { resolve } from 'node:path'
import { isMainThread } from '../../platform/node/main-thread.ts'
import { hasOwn, ownCopy } from '../../options/own-members.ts'
import type { Exporter } from '../../pipeline/exporter.ts'
import {
  choice,
  either,
  flag,
  integer,
  object,
  options as optionsOf,
  text,
  type OptionSchema,
} from '../../options/option-checks.ts'
import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { identify, keyOf, openForAppending, placeOf } from '../fd/descriptor.ts'
import { atLogPath } from '../file/log-path.ts'
import { deliveryOf, given, checkedOptions, refuse } from '../exporter-options.ts'
import { ProcessWriter } from './writer.ts'
import { scheduleOf, lineExporterSchema, lineEncoding, type LineExporterOptions } from '../line-exporter-options.ts'
import { namedProgram, ownProgram } from '../bundled-program.ts'
import type { FileTarget, WriterDestination } from './writer-settings.ts'

/** Options of `processExporter`: a `path` or an `fd`. */
export interface ProcessExporterOptions extends LineExporterOptions {
  /** The file to append to; relative to the working directory at construction. Or use `fd`. */
  readonly path?: string
  /** The file descriptor to write to. Default 1, the standard output. */
  readonly fd?: number
  /** Create the directories of `path` that are missing. Default false. */
  readonly mkdir?: boolean
  /** The permissions of a file that is created, before the umask. Default 0o644. */
  readonly mode?: number
  /** When the system must put records onto the disk, as for `fileExporter`. Default `never`. */
  readonly fsync?: 'never' | 'batch' | 'shutdown'
  /** Whether others write to the same pipe or socket, as for `fdExporter`; the default is the same. */
  readonly sharedPipe?: boolean
  /**
   * The most bytes that the writer process may have unacknowledged; what waits behind them counts for `maxQueueBytes` together
   * with them. Of text that is not ASCII up to three times as many, and a single longer record. Default 65,536.
   */
  readonly windowBytes?: number
  /**
   * The pauses between two starts of a writer process that dies or cannot be started; they double from the first to the
   * longest. Meanwhile this process writes. Default: 100 ms and 30 s.
   */
  readonly restart?: { readonly initialDelayMillis?: number; readonly maxDelayMillis?: number }
  /**
   * For how long the writer process may go on when this one is dead and the destination is slow, in ms; then it tells on
   * stderr how many records it gives up. Default: the logger's `exitTimeoutMillis`.
   */
  readonly drainMillis?: number
  /** The writer's program, where a bundler left it behind: `writer-process.mjs` of this package, as a path or `file:` URL. */
  readonly writerFile?: string | URL
}

const filePath = text(/^[^\0]+$/, 'be the path of a file')
const millis = integer(0, 2_147_483_647)
const schema: OptionSchema = {
  ...lineExporterSchema,
  path: filePath,
  fd: integer(0, 2_147_483_647),
  mkdir: flag,
  mode: integer(0, 0o7777),
  fsync: choice(['never', 'batch', 'shutdown']),
  sharedPipe: flag,
  windowBytes: integer(1, 2 ** 30),
  restart: optionsOf({ initialDelayMillis: millis, maxDelayMillis: millis }),
  drainMillis: millis,
  writerFile: either('a path or a file: URL', filePath, object),
}
const agreed = ['maxQueueSize', 'maxQueueBytes', 'onFull', 'fsync', 'sharedPipe', 'windowBytes', 'drainMillis'] as const

/**
 * Has lines written by a process of its own: they keep reaching the file or descriptor while the event loop here is blocked,
 * and what was handed over is written also when this process is killed. A record counts as written when the writer process
 * says that it is. It is restarted when it dies; meanwhile, and where it cannot be started, this process writes, which is told.
 *
 * It is in a session of its own, ignores SIGINT, SIGTERM and SIGHUP, gets nothing of the environment, and ends with this
 * process. It buys isolation, not throughput: a process more, and a copy of each line.
 *
 * @throws ConfigurationError when the options are wrong, or the writer's program is not there (`SLUICE_WRITER_MISSING`).
 */
export function processExporter(options: ProcessExporterOptions = {}): Exporter {
  const { own, problems } = checkedOptions('processExporter', options, schema, ['restart'])
  if (problems.length === 0) addConflicts(own, problems)
  refuse(problems)
  const program = own.writerFile === undefined ? ownProgram('process/writer-process') : namedProgram(own.writerFile)
  if (program === undefined) problems.push(missing(own.writerFile !== undefined))
  const destination = destinationOf(own)
  const { kind, key } = identityOf(destination)
  const encoding = lineEncoding(own, kind === 'tty', problems)
  refuse(problems)
  const { initialDelayMillis = 100, maxDelayMillis = 30_000 } = ownCopy(own.restart ?? {})
  const writer = new ProcessWriter({
    destination,
    program: resolve(program!),
    restart: { initialDelayMillis, maxDelayMillis },
    drainMillis: own.drainMillis,
  })
  return {
    name: destination.name,
    component: { type: 'processExporter' },
    encoding: encoding!,
    // Not by the profile: what is handed over in the call is not written then, either.
    schedule: scheduleOf(undefined, own) ?? 'turn',
    delivery: deliveryOf(own),
    batchBytes: own.windowBytes ?? 65_536,
    destination: {
      key,
      ...(hasOwn(destination.target, 'path') ? { place: placeOf(destination.target.path) } : {}),
      options: { ...given(own, agreed), writer: 'a process' },
    },
    start: (host) => writer.start(host),
    export: (batch, signal) => writer.export(batch, signal),
    exportSync: (batch, deadline, final) => writer.exportSync(batch, deadline, final),
    supportsPolling: true,
    keepAlive: (alive) => writer.keepAlive(alive),
    flush: () => writer.flush(),
    async shutdown() {
      await writer.flush()
      await writer.close()
    },
  }
}

function addConflicts(options: ProcessExporterOptions, problems: ConfigurationProblem[]): void {
  const others = options.path === undefined ? (['mkdir', 'mode'] as const) : (['fd', 'sharedPipe'] as const)
  for (const name of others) {
    if (options[name] === undefined) continue
    const message = options.path === undefined ? 'has no meaning without path' : 'has no meaning with path'
    problems.push({ code: 'SLUICE_OPTION_CONFLICT', path: `processExporter.${name}`, message })
  }
}

function missing(isNamed: boolean): ConfigurationProblem {
  const message = isNamed
    ? 'there is no such file'
    : "the program of the writer process is not beside this package's code, which a bundler may have left behind: copy " +
      'node_modules/sluice/dist/writer-process.mjs beside the bundle, or name it in writerFile'
  return { code: 'SLUICE_WRITER_MISSING', path: 'processExporter.writerFile', message }
}

function destinationOf({
  path,
  fd = 1,
  mkdir = false,
  mode = 0o644,
  ...rest
}: ProcessExporterOptions): WriterDestination {
  const { fsync = 'never', sharedPipe = isMainThread ? undefined : true } = ownCopy(rest)
  if (path === undefined) return { name: `process:fd:${fd}`, target: { fd, sharedPipe }, fsync }
  const absolute = resolve(path)
  return { name: `process:${absolute}`, target: { path: absolute, mkdir, mode }, fsync }
}

/**
 * What stands behind it: `key` is equal for two names of one destination. A file that is not there is made. What is not to be
 * written to has no key: it could be that of a file that this process writes to by another path.
 */
function identityOf({ name, target }: WriterDestination): { readonly kind: string | undefined; readonly key: string } {
  try {
    if (hasOwn(target, 'fd')) return identify(target.fd)
    return { kind: undefined, key: atLogPath(target.path, false, (place) => keyOf(place.stats())) }
  } catch {
    return { kind: undefined, key: hasOwn(target, 'path') ? (keyOfNew(target) ?? name) : name }
  }
}

/** Undefined where the file cannot be made: whoever writes tells that. */
function keyOfNew({ path, mkdir, mode }: FileTarget): string | undefined {
  try {
    const opened = openForAppending(path, mode, mkdir)
    opened.close()
    return opened.key
  } catch {
    return undefined
  }
}
