import { isMainThread } from '../../platform/node/main-thread.ts'
import type { Exporter, ExporterHost } from '../../pipeline/exporter.ts'
import { choice, flag, integer, type OptionSchema } from '../../options/option-checks.ts'
import { identify, takenAtOnce, writableDescriptor, type DescriptorKind } from './descriptor.ts'
import { FdWriter } from './fd-writer.ts'
import { checkedOptions, deliveryOf, given as withValue, refuse } from '../exporter-options.ts'
import { scheduleOf, lineExporterSchema, lineEncoding, type LineExporterOptions } from '../line-exporter-options.ts'

/** Options of `fdExporter`. */
export interface FdExporterOptions extends LineExporterOptions {
  /** The file descriptor to write to. Default 1, the standard output. */
  readonly fd?: number
  /**
   * When records are written: at the end of the event-loop turn, in a microtask, or in the log call. `sync` still does not
   * wait for a slow reader unless `onFull` is `block`. Default: `microtask` in the profile `lambda`, `sync` in `cli`; otherwise
   * the end of the turn or, in a process that logs in many turns, up to 1 ms later (see `scheduledDelayMillis`).
   */
  readonly write?: 'turn' | 'microtask' | 'sync'
  /**
   * Whether other processes or threads write to the same pipe or socket. By default, each system call writes whole lines
   * of together at most PIPE_BUF bytes (4096 on Linux, 512 elsewhere), so lines of several writers never mix. A longer
   * line is written by itself; other writers can interleave with it when the pipe has no room for all of it.
   *
   * `true` also reports the first line longer than PIPE_BUF as `SLUICE_LINE_MAY_TEAR`. `false` writes as much as possible
   * with each system call, for a pipe with a single writer. Files and terminals are not affected.
   * Default: whole lines without the report; in a worker thread `true`.
   */
  readonly sharedPipe?: boolean
}

const schema: OptionSchema = {
  ...lineExporterSchema,
  fd: integer(0, 2_147_483_647),
  write: choice(['turn', 'microtask', 'sync']),
  sharedPipe: flag,
}
// The main thread writes to the same standard output.
const inWorker = isMainThread ? undefined : true
// What exporters of one destination must agree on.
const agreed = ['maxQueueSize', 'maxQueueBytes', 'onFull', 'write', 'sharedPipe'] as const

/**
 * Writes lines to an open file descriptor without blocking the event loop: a pipe, terminal or socket that takes no more
 * is waited for by a timer while records queue up to their bound. The descriptor is never closed and, except for sockets,
 * its flags are never changed. A descriptor that cannot be written to is a problem told once, not an error thrown.
 *
 * A regular file that does not append (`node app.js > file`) is always written in the event loop, since its position
 * is shared; one that appends (`>> file`) leaves it when the disk is slow.
 *
 * @throws ConfigurationError when the options are wrong.
 */
export function fdExporter(options: FdExporterOptions = {}): Exporter {
  const { own, problems } = checkedOptions('fdExporter', options, schema)
  refuse(problems)
  const fd = own.fd ?? 1
  const { kind, key } = identity(fd)
  const encoding = lineEncoding(own, kind === 'tty', problems)
  refuse(problems)
  const name = `fd:${fd}`
  const writer = new FdWriter({
    name,
    open: () => writableDescriptor(fd),
    sharedPipe: own.sharedPipe ?? inWorker,
  })
  return {
    name,
    component: { type: 'fdExporter' },
    encoding: encoding!,
    schedule: scheduleOf(own.write, own),
    delivery: deliveryOf(own),
    batchBytes: takenAtOnce(kind),
    destination: { key, options: withValue(own, agreed) },
    start(host: ExporterHost) {
      writer.start(host)
    },
    export: (batch, signal) => writer.export(batch, signal),
    exportSync: (batch, deadline, final) => writer.exportSync(batch, deadline, final),
    keepAlive: (alive) => writer.keepAlive(alive),
    shutdown: async () => writer.close(),
  }
}

/** A descriptor that is not open is found out when it is written to. */
function identity(fd: number): { readonly kind: DescriptorKind; readonly key: string } {
  try {
    return identify(fd)
  } catch {
    return { kind: 'device', key: `fd:${fd}` }
  }
}
