import type { ExporterHost } from '../../pipeline/exporter.ts'
import { openForAppending, writableDescriptor, type Descriptor } from '../fd/descriptor.ts'
import { durable, type DurableWriter } from '../file/durable.ts'
import { FdWriter } from '../fd/fd-writer.ts'
import { FileFollower } from '../file/file-follower.ts'
import { fileSyncs, type FileSyncs } from '../file/file-syncs.ts'
import { hasOwn } from '../../options/own-members.ts'

/** A file by its absolute path. */
export interface FileTarget {
  readonly path: string
  readonly mkdir: boolean
  readonly mode: number
}

/** The destination of a writer, and how it is written. */
export interface WriterDestination {
  /** The destination's name in diagnostics. */
  readonly name: string
  readonly target: FileTarget | { readonly fd: number; readonly sharedPipe: boolean | undefined }
  readonly fsync: 'never' | 'batch' | 'shutdown'
}

/** The settings that the writer process is started with. */
export interface WriterSettings extends WriterDestination {
  /** Whether the previous writer may have left an incomplete line that cannot be detected. */
  readonly afterHalfLine: boolean
  /** How long it may continue to write after its parent has exited, in ms. */
  readonly drainMillis: number
}

/**
 * Creates the write loop of a destination, with its fsync.
 *
 * @param afterHalfLine - Applies only to the first time the destination is opened.
 */
export function writerFor(
  destination: WriterDestination,
  afterHalfLine: boolean,
  host: ExporterHost,
): { readonly lines: FdWriter; readonly writer: DurableWriter } {
  const { name, target, fsync } = destination
  let isAfterHalfLine = afterHalfLine
  function open(): Descriptor {
    const opened = openDestination(destination, isAfterHalfLine)
    isAfterHalfLine = false
    return opened
  }
  const lines: FdWriter = new FdWriter({
    name,
    sharedPipe: hasOwn(target, 'fd') ? target.sharedPipe : undefined,
    open,
    // The writer process receives no reopen signals, so it follows the path.
    ...(hasOwn(target, 'path')
      ? { createFollower: (place) => new FileFollower({ path: target.path, open, ...place }, undefined) }
      : {}),
    retire: (descriptor) => (fsync === 'never' ? descriptor.close() : syncs.retire(descriptor)),
  })
  const syncs: FileSyncs = fileSyncs(name, lines, () => host)
  const writer = durable(lines, syncs, fsync)
  writer.start(host)
  return { lines, writer }
}

/**
 * Opens the destination.
 *
 * @param afterHalfLine - If the last line cannot be read (of a pipe, a terminal, or a file with a shared position), it is
 *   ended with a newline, which leaves an empty line if it was complete.
 * @throws The system's error.
 */
function openDestination({ target }: WriterDestination, afterHalfLine: boolean): Descriptor {
  const opened = hasOwn(target, 'path')
    ? openForAppending(target.path, target.mode, target.mkdir)
    : writableDescriptor(target.fd)
  const canReadEnd = opened.kind === 'file' && opened.own
  return afterHalfLine && !canReadEnd ? { ...opened, torn: true } : opened
}
