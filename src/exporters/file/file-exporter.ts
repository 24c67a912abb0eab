import type { Usages } from '../../options/bare-value.ts'
import { foreignFileOptionNames } from '../../options/foreign-exporter-names.ts'
import { foreignFsyncWords } from '../../options/foreign-values.ts'
import { resolve } from 'node:path'
import type { Exporter, ExporterHost } from '../../pipeline/exporter.ts'
import { choice, flag, integer, text, type OptionSchema } from '../../options/option-checks.ts'
import { openForAppending, resolvePlace, bytesPerWrite } from '../fd/descriptor.ts'
import { withFsync } from './durable-writer.ts'
import { FdWriter } from '../fd/fd-writer.ts'
import { FileFollower } from './file-follower.ts'
import { createFileSyncs, type FileSyncs } from './file-syncs.ts'
import {
  pickDeliveryOptions,
  definedOptions,
  copyAndCheckOptions,
  reportMissing,
  throwIfInvalid,
} from '../exporter-options.ts'
import { onReopenSignal, type ReopenSignal } from '../rotation/reopen-signals.ts'
import { RotatedFileSweeper } from '../rotation/rotated-file-sweeper.ts'
import { Rotation } from '../rotation/rotation.ts'
import { sharedRotationOptions, rotationCheck, type FileRotation } from '../rotation/rotation-options.ts'
import {
  scheduleOf,
  lineExporterSchema,
  lineEncoding,
  nestedLineOptions,
  type LineExporterOptions,
} from '../line-exporter-options.ts'
import { errorCode, failureReport } from '../fd/write-errors.ts'
import { withoutPrototype } from '../../options/own-members.ts'

/** Options of `fileExporter`. */
export interface FileExporterOptions extends LineExporterOptions {
  /**
   * The file to append to. A relative path is resolved against the working directory when the exporter is created. It may be a
   * symbolic link that this user or root created.
   */
  readonly path: string
  /**
   * Whether to create missing directories, with mode 0o777 before the umask.
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
   * When records are synced to the disk: `never`, with each `batch`, or at `shutdown` and flush. With `never`, records survive
   * a crash of the process, but not a power failure.
   *
   * @defaultValue `never`
   */
  readonly fsync?: 'never' | 'batch' | 'shutdown'
  /**
   * When the file is rotated: renamed, and a new one created. `app.log` becomes `app.2026-11-21T10-00-00-000Z.log`, with the
   * time in UTC. Several processes may rotate the same file if their options are equal.
   *
   * @defaultValue no rotation
   */
  readonly rotate?: FileRotation
  /**
   * The signal at which the path is reopened. Log rotators send it after they have renamed the file. With this option the
   * signal does not stop the process. A worker thread does not receive signals; there, renaming is detected automatically (see
   * `fileExporter`).
   *
   * @defaultValue no signal
   */
  readonly reopenOn?: ReopenSignal
}

/** An exporter that appends to a file. */
export interface FileExporter extends Exporter {
  /**
   * Reopens the path after another program has renamed the file. The change happens between two lines. The old file stays in
   * use until the new one is open; if it cannot be opened, that is reported and the old file stays in use. Never throws.
   */
  reopen(): void
}

const pathCheck = text(/^[^\0]+$/, 'be the path of a file')
const schema: OptionSchema = {
  ...lineExporterSchema,
  path: pathCheck,
  mkdir: flag,
  mode: integer(0, 0o7777),
  fsync: choice(['never', 'batch', 'shutdown'], foreignFsyncWords),
  rotate: rotationCheck,
  reopenOn: choice(['SIGHUP', 'SIGUSR2']),
}
/** What to write in place of a value that is not options. */
const usages: Usages = { 'a string': "fileExporter({ path: 'app.log' })", 'a number': 'fdExporter({ fd: 2 })' }
/** The options that must be equal for all exporters of a file. */
const sharedOptions = ['maxQueueSize', 'maxQueueBytes', 'onFull', 'fsync', 'reopenOn'] as const

/**
 * Creates an exporter that appends lines to a file. The file is opened immediately (O_APPEND, so that processes can share it),
 * and records logged in the current event-loop turn are written even if the process exits in this turn. If the file cannot be
 * opened, that is reported and opening is retried with backoff while records are queued up to the queue limit. If the file ends
 * with an incomplete line, the first record starts on a new line.
 *
 * Lines are written to the file that the path refers to. When another program renames or deletes the file, the path is
 * reopened: with `rotate` at the next write, otherwise within two seconds, or immediately by `reopen()` and `reopenOn`.
 *
 * @throws ConfigurationError if the options are invalid; never because of the file system.
 */
export function fileExporter(options: FileExporterOptions): FileExporter {
  const { checkedOptions, problems } = copyAndCheckOptions(
    'fileExporter',
    options,
    schema,
    ['rotate', ...nestedLineOptions],
    foreignFileOptionNames,
    usages,
  )
  if (checkedOptions?.path === undefined) reportMissing('fileExporter', 'path', "path: 'app.log'", problems)
  throwIfInvalid(problems)
  const encoding = lineEncoding(checkedOptions, undefined)
  const { rotate, fsync = 'never' } = checkedOptions
  const path = resolve(checkedOptions.path)
  const name = `file:${path}`
  let host: ExporterHost | undefined
  let stopListening: (() => void) | undefined
  const open = () => openForAppending(path, checkedOptions.mode ?? 0o644, checkedOptions.mkdir)
  const writer: FdWriter = new FdWriter({
    name,
    open,
    createFollower(services) {
      const settings = { path, open, now: services.now, wallTime: Date.now, onRotated: () => sweeper?.requestSweep() }
      const rotation = rotate && new Rotation({ ...settings, rotate })
      return new FileFollower({ path, open, ...services }, rotation)
    },
    retire: (descriptor) => (fsync === 'never' ? descriptor.close() : syncs.retire(descriptor)),
  })
  const syncs: FileSyncs = createFileSyncs(name, writer, () => host)
  const sweeper =
    rotate && createSweeper(path, rotate, writer, (code, message) => host?.reportDiagnostic(code, message))
  writer.open()
  const durableWriter = withFsync(writer, syncs, fsync)

  function reopen(): void {
    try {
      writer.switchTo(open())
    } catch (error) {
      const { code, reason } = failureReport(error, 'SLUICE_WRITE_FAILED')
      host?.reportDiagnostic(code, `${name}: cannot reopen${reason}; the old file stays in use`)
    }
  }

  function listenForSignal(): void {
    if (checkedOptions.reopenOn === undefined) return
    try {
      stopListening = onReopenSignal(checkedOptions.reopenOn, reopen)
    } catch (error) {
      host?.reportDiagnostic(
        'SLUICE_WRITE_FAILED',
        `${name}: cannot listen for ${checkedOptions.reopenOn} (${errorCode(error)}); call reopen() instead`,
      )
    }
  }

  return {
    name,
    component: { type: 'fileExporter' },
    encoding,
    schedule: scheduleOf(undefined, checkedOptions),
    delivery: pickDeliveryOptions(checkedOptions),
    batchBytes: bytesPerWrite(writer.descriptor?.kind),
    destination: {
      get key() {
        return writer.descriptor?.key ?? name
      },
      place: resolvePlace(path),
      options: { ...definedOptions(checkedOptions, sharedOptions), ...sharedRotationOptions(rotate) },
    },
    start(exporterHost) {
      host = exporterHost
      durableWriter.start(exporterHost)
      listenForSignal()
      sweeper?.requestSweep()
    },
    export: durableWriter.export,
    exportSync: durableWriter.exportSync,
    keepAlive: (keepsProcessAlive) => writer.keepAlive(keepsProcessAlive),
    flush: durableWriter.flush,
    async shutdown() {
      stopListening?.()
      sweeper?.stop()
      await durableWriter.flush()
      writer.close()
    },
    reopen,
  }
}

function createSweeper(
  path: string,
  rotate: FileRotation,
  writer: FdWriter,
  report: (code: string, message: string) => void,
): RotatedFileSweeper {
  const { keep = Infinity, compress } = withoutPrototype(rotate)
  const currentKey = () => writer.descriptor?.key
  return new RotatedFileSweeper({ path, keep, compress: compress !== undefined, currentKey, report })
}
