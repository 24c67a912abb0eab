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
import { pickDeliveryOptions, definedOptions, checkedOptions, throwIfInvalid } from '../exporter-options.ts'
import { ProcessWriter } from './writer.ts'
import { scheduleOf, lineExporterSchema, lineEncoding, type LineExporterOptions } from '../line-exporter-options.ts'
import { findConfiguredProgram, findBundledProgram } from '../bundled-program.ts'
import type { FileTarget, WriterDestination } from './writer-settings.ts'

/** Options of `processExporter`: a `path` or an `fd`. */
export interface ProcessExporterOptions extends LineExporterOptions {
  /**
   * The file to append to. A relative path is resolved against the working directory when the exporter is created. Alternative
   * to `fd`.
   */
  readonly path?: string
  /**
   * The file descriptor to write to.
   *
   * @defaultValue 1, the standard output
   */
  readonly fd?: number
  /**
   * Whether to create missing directories of `path`.
   *
   * @defaultValue false
   */
  readonly mkdir?: boolean
  /**
   * The permissions of a new file, before the umask.
   *
   * @defaultValue 0o644
   */
  readonly mode?: number
  /**
   * When records are synced to the disk, as for `fileExporter`.
   *
   * @defaultValue `never`
   */
  readonly fsync?: 'never' | 'batch' | 'shutdown'
  /** Whether others write to the same pipe or socket, as for `fdExporter`, with the same default. */
  readonly sharedPipe?: boolean
  /**
   * The maximum number of unacknowledged bytes at the writer process. These and the queued bytes both count toward
   * `maxQueueBytes`. Text that is not ASCII may take up to three times as many bytes, and a single record may be longer.
   *
   * @defaultValue 65,536
   */
  readonly windowBytes?: number
  /**
   * The delays between starts of a writer process that dies or cannot be started. They double from the first to the longest.
   * Meanwhile this process writes.
   *
   * @defaultValue 100 ms and 30 s
   */
  readonly restart?: { readonly initialDelayMillis?: number; readonly maxDelayMillis?: number }
  /**
   * How long the writer process may continue to write to a slow destination after this process has died, in ms. Then it reports
   * on stderr how many records it drops.
   *
   * @defaultValue the logger's `exitTimeoutMillis`
   */
  readonly drainMillis?: number
  /** The writer's program, for a bundler that omits it: `writer-process.mjs` of this package, as a path or `file:` URL. */
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
const sharedSettings = [
  'maxQueueSize',
  'maxQueueBytes',
  'onFull',
  'fsync',
  'sharedPipe',
  'windowBytes',
  'drainMillis',
] as const

/**
 * Creates an exporter that writes lines in a separate process. Lines continue to reach the file or descriptor while the event
 * loop of this process is blocked, and lines that were handed over are written even if this process is killed. A record counts
 * as written when the writer process acknowledges it. If the writer process dies it is restarted; until then, or if it cannot
 * be started, this process writes, which is reported.
 *
 * The writer process runs in its own session, ignores SIGINT, SIGTERM and SIGHUP, inherits no environment variables except
 * those of the system's loader, and exits with this process. It provides isolation, not throughput: it costs another process
 * and a copy of each line.
 *
 * @throws ConfigurationError if the options are invalid or the writer's program is missing (`SLUICE_WRITER_MISSING`).
 */
export function processExporter(options: ProcessExporterOptions = {}): Exporter {
  const { own, problems } = checkedOptions('processExporter', options, schema, ['restart'])
  if (problems.length === 0) addConflicts(own, problems)
  throwIfInvalid(problems)
  const program =
    own.writerFile === undefined ? findBundledProgram('process/writer-process') : findConfiguredProgram(own.writerFile)
  if (program === undefined) problems.push(missing(own.writerFile !== undefined))
  const destination = destinationOf(own)
  const { kind, key } = identityOf(destination)
  const encoding = lineEncoding(own, kind === 'tty', problems)
  throwIfInvalid(problems)
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
    // Do not let the profile decide: a record handed over during the log call is not written at that time either.
    schedule: scheduleOf(undefined, own) ?? 'turn',
    delivery: pickDeliveryOptions(own),
    batchBytes: own.windowBytes ?? 65_536,
    destination: {
      key,
      ...(hasOwn(destination.target, 'path') ? { place: placeOf(destination.target.path) } : {}),
      options: { ...definedOptions(own, sharedSettings), writer: 'a process' },
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
    const message = options.path === undefined ? 'cannot be used without path' : 'cannot be used with path'
    problems.push({ code: 'SLUICE_OPTION_CONFLICT', path: `processExporter.${name}`, message })
  }
}

function missing(isNamed: boolean): ConfigurationProblem {
  const message = isNamed
    ? 'must be the path of an existing file: dist/writer-process.mjs of this package'
    : 'the program of the writer process is not next to the bundled code: copy ' +
      'node_modules/sluice/dist/writer-process.mjs there, or set writerFile to its path'
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
 * Returns the kind and the key of a destination. The key is equal for two names of one destination. A missing file is created.
 * A path that is not trusted gets its name as the key: its `dev:ino` could be that of a file that this process writes to by
 * another path.
 */
function identityOf({ name, target }: WriterDestination): { readonly kind: string | undefined; readonly key: string } {
  try {
    if (hasOwn(target, 'fd')) return identify(target.fd)
    return { kind: undefined, key: atLogPath(target.path, false, (place) => keyOf(place.stats())) }
  } catch {
    return { kind: undefined, key: hasOwn(target, 'path') ? (keyOfNew(target) ?? name) : name }
  }
}

/** Returns undefined if the file cannot be created; the writer reports that. */
function keyOfNew({ path, mkdir, mode }: FileTarget): string | undefined {
  try {
    const opened = openForAppending(path, mode, mkdir)
    opened.close()
    return opened.key
  } catch {
    return undefined
  }
}
