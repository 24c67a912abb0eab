import { isMainThread } from '../../platform/node/main-thread.ts'
import type { Exporter, ExporterHost } from '../../pipeline/exporter.ts'
import { choice, flag, integer, type OptionSchema } from '../../options/option-checks.ts'
import { identify, bytesPerWrite, writableDescriptor, type DescriptorKind } from './descriptor.ts'
import { FdWriter } from './fd-writer.ts'
import {
  checkedOptions,
  pickDeliveryOptions,
  definedOptions as withValue,
  throwIfInvalid,
} from '../exporter-options.ts'
import { scheduleOf, lineExporterSchema, lineEncoding, type LineExporterOptions } from '../line-exporter-options.ts'

/** Options of `fdExporter`. */
export interface FdExporterOptions extends LineExporterOptions {
  /**
   * The file descriptor to write to.
   *
   * @defaultValue 1, the standard output
   */
  readonly fd?: number
  /**
   * When records are written: at the end of the event-loop turn, in a microtask, or during the log call. `sync` does not wait
   * for a slow reader either, unless `onFull` is `block`.
   *
   * @defaultValue `microtask` in the `lambda` profile, `sync` in the `cli` profile; otherwise the end of the turn or, in a
   *   process that logs in many turns, up to 1 ms later (see `scheduledDelayMillis`)
   */
  readonly write?: 'turn' | 'microtask' | 'sync'
  /**
   * Whether other processes or threads write to the same pipe or socket. By default, each system call writes whole lines with a
   * total of at most PIPE_BUF bytes (4096 on Linux, 512 elsewhere), so lines of several writers never mix. A longer line is
   * written on its own; other writers can interleave with it when the pipe does not have room for all of it.
   *
   * `true` also reports the first line longer than PIPE_BUF as `SLUICE_LINE_MAY_INTERLEAVE`. `false` writes as much as possible with
   * each system call, for a pipe with a single writer. Files and terminals are not affected.
   *
   * @defaultValue whole lines without the report; `true` in a worker thread
   */
  readonly sharedPipe?: boolean
}

const schema: OptionSchema = {
  ...lineExporterSchema,
  fd: integer(0, 2_147_483_647),
  write: choice(['turn', 'microtask', 'sync']),
  sharedPipe: flag,
}
// The main thread may write to the same standard output.
const sharedPipeDefault = isMainThread ? undefined : true
// The options that all exporters of one destination must set to the same values.
const sharedSettings = ['maxQueueSize', 'maxQueueBytes', 'onFull', 'write', 'sharedPipe'] as const

/**
 * Creates an exporter that writes lines to an open file descriptor without blocking the event loop. If a pipe, terminal or
 * socket is full, the write is retried on a timer while records are queued up to the queue limit. The descriptor is never
 * closed and, except for sockets, its flags are never changed. A descriptor that cannot be written to is reported once as a
 * diagnostic; no error is thrown.
 *
 * A regular file without O_APPEND (`node app.js > file`) is always written on the event loop, since its position is shared. A
 * file with O_APPEND (`>> file`) is written in the thread pool while the disk is slow.
 *
 * @throws ConfigurationError if the options are invalid.
 */
export function fdExporter(options: FdExporterOptions = {}): Exporter {
  const { own, problems } = checkedOptions('fdExporter', options, schema)
  throwIfInvalid(problems)
  const fd = own.fd ?? 1
  const { kind, key } = identity(fd)
  const encoding = lineEncoding(own, kind === 'tty', problems)
  throwIfInvalid(problems)
  const name = `fd:${fd}`
  const writer = new FdWriter({
    name,
    open: () => writableDescriptor(fd),
    sharedPipe: own.sharedPipe ?? sharedPipeDefault,
  })
  return {
    name,
    component: { type: 'fdExporter' },
    encoding: encoding!,
    schedule: scheduleOf(own.write, own),
    delivery: pickDeliveryOptions(own),
    batchBytes: bytesPerWrite(kind),
    destination: { key, options: withValue(own, sharedSettings) },
    start(host: ExporterHost) {
      writer.start(host)
    },
    export: (batch, signal) => writer.export(batch, signal),
    exportSync: (batch, deadline, final) => writer.exportSync(batch, deadline, final),
    keepAlive: (alive) => writer.keepAlive(alive),
    shutdown: async () => writer.close(),
  }
}

/** Falls back to a generic identity if the descriptor is not open: the first write reports that. */
function identity(fd: number): { readonly kind: DescriptorKind; readonly key: string } {
  try {
    return identify(fd)
  } catch {
    return { kind: 'device', key: `fd:${fd}` }
  }
}
