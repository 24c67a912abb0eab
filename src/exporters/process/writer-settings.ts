import type { ExporterHost } from '../../pipeline/exporter.ts'
import { openForAppending, nonBlockingDescriptor, type Descriptor } from '../fd/descriptor.ts'
import { withFsync, type DurableWriter } from '../file/durable-writer.ts'
import { FdWriter } from '../fd/fd-writer.ts'
import { FileFollower } from '../file/file-follower.ts'
import { createFileSyncs, type FileSyncs } from '../file/file-syncs.ts'
import { hasOwn } from '../../options/own-members.ts'

/** A file, with options of `ProcessExporterOptions`. */
export interface FileTarget {
  /** The absolute path. */
  readonly path: string
  readonly mkdir: boolean
  readonly mode: number
}

/** The destination of a writer, and its options. */
export interface WriterDestination {
  /** The destination's name in diagnostics. */
  readonly name: string
  /** `sharedPipe`: see `FdWriterOptions`; undefined for its default. */
  readonly target: FileTarget | { readonly fd: number; readonly sharedPipe: boolean | undefined }
  readonly fsync: 'never' | 'batch' | 'shutdown'
}

/** The settings that the writer process is started with. */
export interface WriterSettings extends WriterDestination {
  /** Whether the destination may end with an incomplete line of the previous writer. */
  readonly mayEndInsideLine: boolean
  /** How long the writer process may continue to write after its parent has exited, in ms. */
  readonly drainMillis: number
}

/**
 * Creates the writer of a destination: `fdWriter` writes, and `durableWriter` uses it and also syncs, as the option `fsync` requires.
 *
 * @param mayEndInsideLine - As in `WriterSettings`. Applies only to the first time the destination is opened.
 */
export function createWriter(
  destination: WriterDestination,
  mayEndInsideLine: boolean,
  host: ExporterHost,
): { readonly fdWriter: FdWriter; readonly durableWriter: DurableWriter } {
  const { name, target, fsync } = destination
  let mayEndInsideLineNow = mayEndInsideLine
  function open(): Descriptor {
    const descriptor = openDestination(destination, mayEndInsideLineNow)
    mayEndInsideLineNow = false
    return descriptor
  }
  const fdWriter: FdWriter = new FdWriter({
    name,
    sharedPipe: hasOwn(target, 'fd') ? target.sharedPipe : undefined,
    open,
    // Another program may rename the file, and this exporter has no `reopen` and no `reopenOn`, so follow the path.
    ...(hasOwn(target, 'path')
      ? { createFollower: (services) => new FileFollower({ path: target.path, open, ...services }, undefined) }
      : {}),
    retire: (descriptor) => (fsync === 'never' ? descriptor.close() : syncs.retire(descriptor)),
  })
  const syncs: FileSyncs = createFileSyncs(name, fdWriter, () => host)
  const durableWriter = withFsync(fdWriter, syncs, fsync)
  durableWriter.start(host)
  return { fdWriter, durableWriter }
}

/**
 * Opens the destination.
 *
 * @param mayEndInsideLine - If the last line cannot be read (of a pipe, a terminal, or a file with a shared position), a newline
 *   is written first, which leaves an empty line if the last line was complete.
 * @throws The system's error.
 */
function openDestination({ target }: WriterDestination, mayEndInsideLine: boolean): Descriptor {
  const descriptor = hasOwn(target, 'path')
    ? openForAppending(target.path, target.mode, target.mkdir)
    : nonBlockingDescriptor(target.fd)
  const canReadEnd = descriptor.kind === 'file' && descriptor.isExclusive
  return mayEndInsideLine && !canReadEnd ? { ...descriptor, endsInsideLine: true } : descriptor
}
