import type { Usages } from '../../options/bare-value.ts'
import { foreignFdOptionNames } from '../../options/foreign-exporter-names.ts'
import { foreignWriteWords } from '../../options/foreign-values.ts'
import { isMainThread } from '../../platform/node/main-thread.ts'
import type { Encoding } from '../../encode/encoding.ts'
import { isPretty } from '../../encode/pretty/pretty.ts'
import { withoutPrototype } from '../../options/own-members.ts'
import { terminalDevice } from '../../platform/node/terminal.ts'
import type { Delivery, Exporter, ExporterHost } from '../../pipeline/exporter.ts'
import { choice, flag, integer, type OptionSchema } from '../../options/option-checks.ts'
import { identify, bytesPerWrite, nonBlockingDescriptor, type DescriptorKind } from './descriptor.ts'
import { FdWriter } from './fd-writer.ts'
import { copyAndCheckOptions, pickDeliveryOptions, definedOptions, throwIfInvalid } from '../exporter-options.ts'
import {
  scheduleOf,
  lineExporterSchema,
  lineEncoding,
  nestedLineOptions,
  type LineExporterOptions,
} from '../line-exporter-options.ts'

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
   * for a slow reader either, unless `onFull` is `block`. With both, a terminal that accepts nothing, for example because its user
   * has pressed Ctrl+S, pauses the program until it accepts the record.
   *
   * @defaultValue `sync` for `pretty` on a terminal if `scheduledDelayMillis` is not set, and then `block` for `onFull`; `microtask` in the
   *   `lambda` profile, `sync` in the `cli` profile; otherwise the end of the turn or, in a process that logs in many turns, up to 1 ms
   *   later (see `scheduledDelayMillis`)
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
  write: choice(['turn', 'microtask', 'sync'], foreignWriteWords),
  sharedPipe: flag,
}
/** What to write in place of a value that is not options. */
const usages: Usages = {
  'a number': 'fdExporter({ fd: 2 })',
  'a string': "fileExporter({ path: 'app.log' })",
  'a stream': 'fdExporter({ fd: 1 })',
}
// The main thread may write to the same standard output as a worker thread.
const sharedPipeDefault = isMainThread ? undefined : true
// The options that all exporters of one destination must set to the same values.
const sharedSettings = ['maxQueueSize', 'maxQueueBytes', 'onFull', 'write', 'sharedPipe'] as const

/**
 * Creates an exporter that writes lines to an open file descriptor without blocking the event loop, except for the format `pretty` on
 * a terminal, which is written as `console.log` writes (see `write`). If a pipe or socket is full, the write is retried on a timer
 * while records are queued up to the queue limit. The descriptor is never
 * closed. Its flags are changed (O_NONBLOCK) only for a socket, and for a pipe that cannot be reopened through `/proc`. A descriptor
 * that cannot be written to is reported once as a diagnostic; no error is thrown.
 *
 * A regular file without O_APPEND (`node app.js > file`) is always written on the event loop, since its position is shared. A
 * file with O_APPEND (`>> file`) is written in the thread pool while the disk is slow.
 *
 * @throws ConfigurationError if the options are invalid.
 */
export function fdExporter(options: FdExporterOptions = {}): Exporter {
  const { checkedOptions, problems } = copyAndCheckOptions(
    'fdExporter',
    options,
    schema,
    nestedLineOptions,
    foreignFdOptionNames,
    usages,
  )
  throwIfInvalid(problems)
  const fd = checkedOptions.fd ?? 1
  const { kind, key } = identifyIfOpen(fd)
  const encoding = lineEncoding(checkedOptions, kind === 'tty' ? terminalDevice(fd) : undefined)
  const { write, delivery } = withTerminalDefaults(checkedOptions, kind, encoding)
  const name = `fd:${fd}`
  const writer = new FdWriter({
    name,
    open: () => nonBlockingDescriptor(fd),
    sharedPipe: checkedOptions.sharedPipe ?? sharedPipeDefault,
    blocksUntilAccepted: kind === 'tty' && write === 'sync' && delivery.onFull === 'block',
  })
  return {
    name,
    component: { type: 'fdExporter' },
    encoding,
    schedule: scheduleOf(write, checkedOptions),
    delivery,
    batchBytes: bytesPerWrite(kind),
    destination: { key, options: definedOptions(checkedOptions, sharedSettings) },
    start(host: ExporterHost) {
      writer.start(host)
    },
    export: (batch, signal) => writer.export(batch, signal),
    exportSync: (batch, deadline, final) => writer.exportSync(batch, deadline, final),
    keepAlive: (alive) => writer.keepAlive(alive),
    shutdown: async () => writer.close(),
  }
}

/**
 * Returns when records are written, and the delivery options. Pretty records on a terminal are the output of a program that is being
 * developed: as with `console.log`, they are written before the log call returns, in order with the other output.
 */
function withTerminalDefaults(
  options: FdExporterOptions,
  kind: DescriptorKind,
  encoding: Encoding,
): { readonly write: FdExporterOptions['write']; readonly delivery: Delivery } {
  const delivery = pickDeliveryOptions(options)
  if (kind !== 'tty' || !isPretty(encoding)) return { write: options.write, delivery }
  const write = options.write ?? (options.scheduledDelayMillis === undefined ? 'sync' : undefined)
  return { write, delivery: write === 'sync' ? withoutPrototype({ onFull: 'block' as const, ...delivery }) : delivery }
}

/** Returns the kind of a descriptor and the key of its destination. One that is not open is treated as a device; the first write fails. */
function identifyIfOpen(fd: number): { readonly kind: DescriptorKind; readonly key: string } {
  try {
    return identify(fd)
  } catch {
    return { kind: 'device', key: `fd:${fd}` }
  }
}
