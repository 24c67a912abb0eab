import { mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Exporter, ExporterHost } from '../pipeline/exporter.ts'
import { choice, flag, integer, text, type OptionSchema } from '../record/option-checks.ts'
import { openForAppending, takenAtOnce, type Descriptor } from './descriptor.ts'
import { durable } from './durable.ts'
import { FdWriter } from './fd-writer.ts'
import { deliveryOf, given, optionProblems, refuse } from './options.ts'
import { scheduleOf, writtenSchema, writtenEncoding, type Written } from './written.ts'
import { errorCode } from './write-errors.ts'

/** Options of `fileExporter`. */
export interface FileExporterOptions extends Written {
  /** The file to append to; relative to the working directory at construction. */
  readonly path: string
  /** Create the directories that are missing. Default false. */
  readonly mkdir?: boolean
  /** The permissions of a file that is created, before the umask. Default 0o644. */
  readonly mode?: number
  /**
   * When the system must put records onto the disk: `never` (default; they survive the process, not a power cut), with
   * each `batch`, or at `shutdown` and flush.
   */
  readonly fsync?: 'never' | 'batch' | 'shutdown'
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
  ...writtenSchema,
  path: filePath,
  mkdir: flag,
  mode: integer(0, 0o7777),
  fsync: choice(['never', 'batch', 'shutdown']),
}
const agreed = ['maxQueueSize', 'maxQueueBytes', 'onFull', 'fsync'] as const

/**
 * Appends lines to a file. The file is opened now (O_APPEND, so that processes can share it), and nothing is lost when
 * the process ends in this very turn. A file that cannot be opened is told and tried again with backoff, while records
 * queue up to their bound. If the file ends inside a line, the first record starts on a new one.
 *
 * @throws ConfigurationError when the options are wrong; never because of the file system.
 */
export function fileExporter(options: FileExporterOptions): FileExporter {
  const problems = optionProblems('fileExporter', options, schema)
  if (problems.length === 0 && options?.path === undefined) filePath(undefined, 'fileExporter.path', problems)
  refuse(problems)
  const encoding = writtenEncoding(options, false, problems)
  refuse(problems)
  const path = resolve(options.path)
  const name = `file:${path}`
  let host: ExporterHost | undefined
  const open = () => openFile(path, options)
  const writer = new FdWriter({ name, open })
  const key = writer.open()?.key ?? name
  const synced = durable(writer, name, options.fsync ?? 'never')

  return {
    name,
    component: { type: 'fileExporter' },
    encoding: encoding!,
    schedule: scheduleOf(undefined, options),
    delivery: deliveryOf(options),
    batchBytes: takenAtOnce(writer.descriptor?.kind),
    destination: { key, options: given(options, agreed) },
    start(given) {
      host = given
      synced.start(given)
    },
    export: synced.export,
    exportSync: synced.exportSync,
    keepAlive: (alive) => writer.keepAlive(alive),
    flush: synced.flush,
    async shutdown() {
      await synced.flush()
      writer.close()
    },
    reopen() {
      try {
        writer.switchTo(open())
      } catch (error) {
        host?.problem('SLUICE_WRITE_FAILED', `${name}: cannot reopen (${errorCode(error)}); the old file stays in use`)
      }
    },
  }
}

function openFile(path: string, { mkdir = false, mode = 0o644 }: FileExporterOptions): Descriptor {
  try {
    return openForAppending(path, mode)
  } catch (error) {
    if (!mkdir || errorCode(error) !== 'ENOENT') throw error
    mkdirSync(dirname(path), { recursive: true })
    return openForAppending(path, mode)
  }
}
