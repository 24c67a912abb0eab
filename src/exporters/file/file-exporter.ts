import { resolve } from 'node:path'
import type { Exporter, ExporterHost } from '../../pipeline/exporter.ts'
import { choice, flag, integer, text, type OptionSchema } from '../../options/option-checks.ts'
import { openForAppending, placeOf, takenAtOnce } from '../fd/descriptor.ts'
import { durable } from './durable.ts'
import { FdWriter } from '../fd/fd-writer.ts'
import { FileFollower } from './file-follower.ts'
import { fileSyncs, type FileSyncs } from './file-syncs.ts'
import { deliveryOf, given, checkedOptions, refuse } from '../exporter-options.ts'
import { onReopenSignal, type ReopenSignal } from '../rotation/reopen-signals.ts'
import { RotatedFiles } from '../rotation/rotated-files.ts'
import { Rotation } from '../rotation/rotation.ts'
import { agreedRotation, rotation, type FileRotation } from '../rotation/rotation-options.ts'
import { scheduleOf, lineExporterSchema, lineEncoding, type LineExporterOptions } from '../line-exporter-options.ts'
import { errorCode, failureReport } from '../fd/write-errors.ts'
import { ownCopy } from '../../options/own-members.ts'

/** Options of `fileExporter`. */
export interface FileExporterOptions extends LineExporterOptions {
  /**
   * The file to append to; relative to the working directory at construction. It may be a symbolic link that this user or root
   * has created.
   */
  readonly path: string
  /** Create the directories that are missing, with mode 0o777 before the umask. Default false. */
  readonly mkdir?: boolean
  /** The permissions of a file that is created, before the umask. Default 0o644. */
  readonly mode?: number
  /**
   * When the system must put records onto the disk: `never` (default; they survive the process, not a power cut), with
   * each `batch`, or at `shutdown` and flush.
   */
  readonly fsync?: 'never' | 'batch' | 'shutdown'
  /**
   * When the file is put aside and a new one begun: `app.log` becomes `app.2026-11-21T10-00-00-000Z.log`, the time in UTC.
   * Several processes may rotate one file if their options are equal. Default: never.
   */
  readonly rotate?: FileRotation
  /**
   * The signal at which the path is opened anew, as a log rotator sends it once it has renamed the file. It does not end
   * the process then. In a worker thread, which hears no signals, the renaming is found out by itself; see `fileExporter`.
   * Default: none.
   */
  readonly reopenOn?: ReopenSignal
}

/** An exporter that appends to a file. */
export interface FileExporter extends Exporter {
  /**
   * Opens the path anew, after another program has renamed the file. The change happens between two lines; until the new
   * file is open, and when it cannot be opened, which is told, the old one stays in use. Never throws.
   */
  reopen(): void
}

const filePath = text(/^[^\0]+$/, 'be the path of a file')
const schema: OptionSchema = {
  ...lineExporterSchema,
  path: filePath,
  mkdir: flag,
  mode: integer(0, 0o7777),
  fsync: choice(['never', 'batch', 'shutdown']),
  rotate: rotation,
  reopenOn: choice(['SIGHUP', 'SIGUSR2']),
}
const agreed = ['maxQueueSize', 'maxQueueBytes', 'onFull', 'fsync', 'reopenOn'] as const

/**
 * Appends lines to a file. The file is opened now (O_APPEND, so that processes can share it), and nothing is lost when
 * the process ends in this very turn. A file that cannot be opened is told and tried again with backoff, while records
 * queue up to their bound. If the file ends inside a line, the first record starts on a new one.
 *
 * Lines go to the file that the path leads to. When it is renamed or deleted by somebody else, the path is opened anew: with
 * `rotate` at the next write, else within two seconds, or at once by `reopen()` and `reopenOn`.
 *
 * @throws ConfigurationError when the options are wrong; never because of the file system.
 */
export function fileExporter(options: FileExporterOptions): FileExporter {
  const { own, problems } = checkedOptions('fileExporter', options, schema, ['rotate'])
  if (problems.length === 0 && own?.path === undefined) filePath(undefined, 'fileExporter.path', problems)
  refuse(problems)
  const encoding = lineEncoding(own, false, problems)
  refuse(problems)
  const { rotate, fsync = 'never' } = own
  const path = resolve(own.path)
  const name = `file:${path}`
  let host: ExporterHost | undefined
  let stopListening: (() => void) | undefined
  const open = () => openForAppending(path, own.mode ?? 0o644, own.mkdir)
  const writer: FdWriter = new FdWriter({
    name,
    open,
    course(place) {
      const settings = { path, open, now: place.now, wall: Date.now, turned: () => old?.sweepSoon() }
      const rotating = rotate && new Rotation({ ...settings, rotate })
      return new FileFollower({ path, open, ...place }, rotating)
    },
    retire: (descriptor) => (fsync === 'never' ? descriptor.close() : syncs.retire(descriptor)),
  })
  const syncs: FileSyncs = fileSyncs(name, writer, () => host)
  const old = rotate && oldFilesOf(path, rotate, writer, (code, message) => host?.reportDiagnostic(code, message))
  writer.open()
  const synced = durable(writer, syncs, fsync)

  function reopen(): void {
    try {
      writer.switchTo(open())
    } catch (error) {
      const { code, reason } = failureReport(error, 'SLUICE_WRITE_FAILED')
      host?.reportDiagnostic(code, `${name}: cannot reopen${reason}; the old file stays in use`)
    }
  }

  function listen(): void {
    if (own.reopenOn === undefined) return
    try {
      stopListening = onReopenSignal(own.reopenOn, reopen)
    } catch (error) {
      host?.reportDiagnostic('SLUICE_WRITE_FAILED', `${name}: there is no ${own.reopenOn} here (${errorCode(error)})`)
    }
  }

  return {
    name,
    component: { type: 'fileExporter' },
    encoding: encoding!,
    schedule: scheduleOf(undefined, own),
    delivery: deliveryOf(own),
    batchBytes: takenAtOnce(writer.descriptor?.kind),
    destination: {
      get key() {
        return writer.descriptor?.key ?? name
      },
      place: placeOf(path),
      options: { ...given(own, agreed), ...agreedRotation(rotate) },
    },
    start(given) {
      host = given
      synced.start(given)
      listen()
      old?.sweepSoon()
    },
    export: synced.export,
    exportSync: synced.exportSync,
    keepAlive: (alive) => writer.keepAlive(alive),
    flush: synced.flush,
    async shutdown() {
      stopListening?.()
      old?.stop()
      await synced.flush()
      writer.close()
    },
    reopen,
  }
}

function oldFilesOf(
  path: string,
  rotate: FileRotation,
  writer: FdWriter,
  report: (code: string, message: string) => void,
): RotatedFiles {
  const { keep = Infinity, compress } = ownCopy(rotate)
  const current = () => writer.descriptor?.key
  return new RotatedFiles({ path, keep, compress: compress !== undefined, current, report })
}
