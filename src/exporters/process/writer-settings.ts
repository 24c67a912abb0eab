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

/** Where to write, and how. */
export interface WriterDestination {
  /** How problems call it. */
  readonly name: string
  readonly target: FileTarget | { readonly fd: number; readonly sharedPipe: boolean | undefined }
  readonly fsync: 'never' | 'batch' | 'shutdown'
}

/** What the writer process is started with. */
export interface WriterSettings extends WriterDestination {
  /** Whoever wrote before may have left half a line that the system does not show. */
  readonly afterHalfLine: boolean
  /** For how long it may go on writing when its parent is gone, in ms. */
  readonly drainMillis: number
}

/** The write loop over a destination, with its fsync; `afterHalfLine` counts for the first time that it is opened. */
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
    // Nobody tells this process that a file was renamed.
    ...(hasOwn(target, 'path')
      ? { course: (place) => new FileFollower({ path: target.path, open, ...place }, undefined) }
      : {}),
    retire: (descriptor) => (fsync === 'never' ? descriptor.close() : syncs.retire(descriptor)),
  })
  const syncs: FileSyncs = fileSyncs(name, lines, () => host)
  const writer = durable(lines, syncs, fsync)
  writer.start(host)
  return { lines, writer }
}

/**
 * Opens the destination. `afterHalfLine`: where nobody can see how the last line ends (a pipe, a terminal, a file of
 * somebody else's position), it is ended, which leaves an empty line if it was whole.
 *
 * @throws the system's error.
 */
function openDestination({ target }: WriterDestination, afterHalfLine: boolean): Descriptor {
  const opened = hasOwn(target, 'path')
    ? openForAppending(target.path, target.mode, target.mkdir)
    : writableDescriptor(target.fd)
  const isSeen = opened.kind === 'file' && opened.own
  return afterHalfLine && !isSeen ? { ...opened, torn: true } : opened
}
