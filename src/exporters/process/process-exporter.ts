import type { Usages } from '../../options/bare-value.ts'
import { foreignProcessOptionNames, foreignRetryOptionNames } from '../../options/foreign-exporter-names.ts'
import { foreignFsyncWords } from '../../options/foreign-values.ts'
import { resolve } from 'node:path'
import { isMainThread } from '../../platform/node/main-thread.ts'
import { hasOwn, withoutPrototype } from '../../options/own-members.ts'
import { terminalDevice } from '../../platform/node/terminal.ts'
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
import { identify, fileKeyOf, openForAppending, resolvePlace } from '../fd/descriptor.ts'
import { withLogLocation } from '../file/log-path.ts'
import {
  pickDeliveryOptions,
  definedOptions,
  copyAndCheckOptions,
  receivedOptionsObject,
  throwIfInvalid,
} from '../exporter-options.ts'
import { ProcessWriter } from './writer.ts'
import {
  scheduleOf,
  lineExporterSchema,
  lineEncoding,
  nestedLineOptions,
  type LineExporterOptions,
} from '../line-exporter-options.ts'
import { findConfiguredProgram, findBundledProgram } from '../bundled-program.ts'
import type { FileTarget, WriterDestination } from './writer-settings.ts'

/** Options of `processExporter`: a `path` or an `fd`. */
export interface ProcessExporterOptions extends LineExporterOptions {
  /**
   * The file to append to. A relative path is resolved against the working directory when the exporter is created. Alternative
   * to `fd`.
   *
   * @defaultValue none: `fd` is the destination
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
  /**
   * Whether others write to the same pipe or socket, as for `fdExporter`, with the same default.
   *
   * @defaultValue whole lines without the report; `true` in a worker thread
   */
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
  /**
   * The writer's program, for a bundler that omits it: `writer-process.mjs` of this package, as a path or `file:` URL.
   *
   * @defaultValue the file of this package
   */
  readonly writerFile?: string | URL
}

const pathCheck = text(/^[^\0]+$/, 'be the path of a file')
const delayCheck = integer(0, 2_147_483_647)
const schema: OptionSchema = {
  ...lineExporterSchema,
  path: pathCheck,
  fd: integer(0, 2_147_483_647),
  mkdir: flag,
  mode: integer(0, 0o7777),
  fsync: choice(['never', 'batch', 'shutdown'], foreignFsyncWords),
  sharedPipe: flag,
  windowBytes: integer(1, 2 ** 30),
  restart: optionsOf({ initialDelayMillis: delayCheck, maxDelayMillis: delayCheck }, foreignRetryOptionNames),
  drainMillis: delayCheck,
  writerFile: either('a path or a file: URL', pathCheck, object),
}
/** What to write in place of a value that is not options. */
const usages: Usages = { 'a string': "processExporter({ path: 'app.log' })", 'a number': 'processExporter({ fd: 2 })' }
/** The options that must be equal for all exporters of a destination. */
const sharedOptions = [
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
  const { checkedOptions, problems } = copyAndCheckOptions(
    'processExporter',
    options,
    schema,
    ['restart', ...nestedLineOptions],
    foreignProcessOptionNames,
    usages,
  )
  if (receivedOptionsObject('processExporter', problems)) addConflicts(checkedOptions, problems)
  throwIfInvalid(problems)
  const program =
    checkedOptions.writerFile === undefined
      ? findBundledProgram('process/writer-process')
      : findConfiguredProgram(checkedOptions.writerFile)
  if (program === undefined) problems.push(missingProgram(checkedOptions.writerFile !== undefined))
  const destination = destinationOf(checkedOptions)
  const { kind, key } = identityOf(destination)
  throwIfInvalid(problems)
  const encoding = lineEncoding(checkedOptions, kind === 'tty' ? terminalDevice(checkedOptions.fd ?? 1) : undefined)
  const { initialDelayMillis = 100, maxDelayMillis = 30_000 } = withoutPrototype(checkedOptions.restart ?? {})
  const writer = new ProcessWriter({
    destination,
    program: resolve(program!),
    restart: { initialDelayMillis, maxDelayMillis },
    drainMillis: checkedOptions.drainMillis,
  })
  return {
    name: destination.name,
    component: { type: 'processExporter' },
    encoding,
    // Use `turn` in every profile. With `sync`, the log call would send the record to the writer process, but not wait until it is written.
    schedule: scheduleOf(undefined, checkedOptions) ?? 'turn',
    delivery: pickDeliveryOptions(checkedOptions),
    batchBytes: checkedOptions.windowBytes ?? 65_536,
    destination: {
      key,
      ...(hasOwn(destination.target, 'path') ? { place: resolvePlace(destination.target.path) } : {}),
      options: { ...definedOptions(checkedOptions, sharedOptions), writer: 'a process' },
    },
    start: (host) => writer.start(host),
    export: (batch, signal) => writer.export(batch, signal),
    exportSync: (batch, deadline, final) => writer.exportSync(batch, deadline, final),
    supportsPolling: true,
    keepAlive: (keepsProcessAlive) => writer.keepAlive(keepsProcessAlive),
    flush: () => writer.flush(),
    async shutdown() {
      await writer.flush()
      await writer.close()
    },
  }
}

/** Adds a problem for each option that cannot be used with, or without, `path`. */
function addConflicts(options: ProcessExporterOptions, problems: ConfigurationProblem[]): void {
  const conflictingNames = options.path === undefined ? (['mkdir', 'mode'] as const) : (['fd', 'sharedPipe'] as const)
  for (const name of conflictingNames) {
    if (options[name] === undefined) continue
    const message = options.path === undefined ? 'cannot be used without path' : 'cannot be used with path'
    problems.push({ code: 'SLUICE_OPTION_CONFLICT', path: `processExporter.${name}`, message })
  }
}

/** @param isConfigured - Whether the option `writerFile` is set. */
function missingProgram(isConfigured: boolean): ConfigurationProblem {
  const message = isConfigured
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
  // The main thread may write to the same standard output as a worker thread.
  const { fsync = 'never', sharedPipe = isMainThread ? undefined : true } = withoutPrototype(rest)
  if (path === undefined) return { name: `process:fd:${fd}`, target: { fd, sharedPipe }, fsync }
  const absolutePath = resolve(path)
  return { name: `process:${absolutePath}`, target: { path: absolutePath, mkdir, mode }, fsync }
}

/**
 * Returns the kind of a destination, if it is a descriptor, and its key, which is equal for two paths of one file. A missing file
 * is created. If the destination cannot be opened, the key is its name. That includes a path that is not trusted, because `dev:ino`
 * could be that of a file that this process writes to by another path.
 */
function identityOf({ name, target }: WriterDestination): { readonly kind: string | undefined; readonly key: string } {
  try {
    if (hasOwn(target, 'fd')) return identify(target.fd)
    return {
      kind: undefined,
      key: withLogLocation(target.path, { mkdir: false }, (location) => fileKeyOf(location.stats())),
    }
  } catch {
    return { kind: undefined, key: hasOwn(target, 'path') ? (keyOfCreatedFile(target) ?? name) : name }
  }
}

/** Creates a file and returns its key. Returns undefined if that fails, which the writer reports. */
function keyOfCreatedFile({ path, mkdir, mode }: FileTarget): string | undefined {
  try {
    const descriptor = openForAppending(path, mode, mkdir)
    descriptor.close()
    return descriptor.key
  } catch {
    return undefined
  }
}
