import { closeSync, fstatSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { fdExporter } from '../../export/fd.ts'
import { fileExporter } from '../../export/file.ts'
import { makeDirectory } from '../../export/write/make-directory.ts'
import type { OnProblem } from '../../record/problems.ts'
import type { DestinationOptions } from './destination-options.ts'
import { linePipeline, type LinePipeline } from '../line-pipeline.ts'
import { syncIfFile, writeWhole } from './sync-writer.ts'

/** Where a destination's lines end: behind a queue, or in the descriptor at once. None of it throws, `reopen` excepted. */
export interface Sink {
  /** -1 for a file behind a queue: it may be opened anew for any write. */
  readonly fd: number
  readonly file: string | null
  /** What waits, in bytes. */
  readonly waiting: number
  write(data: string | Uint8Array, severity: number): void
  /** The error, where not everything was written. */
  flush(): Promise<Error | undefined>
  flushSync(deadlineMillis?: number): void
  reopen(file?: string): void
  close(): Promise<void>
}

/** What a sink tells. */
export interface SinkEvents {
  failed(error: Error): void
  wrote(bytes: number): void
  /** What was not written, or only in part. */
  dropped(data: string | Uint8Array): void
  opened(): void
  readonly tell: OnProblem
}

/** Opens the sink that the options ask for. A file that cannot be opened throws where the destination is synchronous. */
export function openSink(place: string | number, options: DestinationOptions, events: SinkEvents): Sink {
  return options.sync === true || options.contentMode === 'buffer'
    ? new SyncSink(place, options, events)
    : queuedSink(place, options, events)
}

const newline = Buffer.from('\n')
const readerGone = 'a synchronous destination cannot be written to (EPIPE); later lines are lost'

class SyncSink implements Sink {
  fd: number
  file: string | null
  readonly waiting = 0
  private readonly options: DestinationOptions
  private readonly events: SinkEvents
  private closed = false
  /** Whether the last write ended inside a line: the next one must not go on in it. */
  private torn = false

  constructor(place: string | number, options: DestinationOptions, events: SinkEvents) {
    this.options = options
    this.events = events
    this.file = typeof place === 'string' ? place : null
    this.fd = typeof place === 'string' ? opened(place, options) : place
    events.opened()
  }

  write(data: string | Uint8Array): void {
    if (this.closed) {
      this.events.dropped(data)
      return
    }
    const text = typeof data === 'string' ? Buffer.from(data) : data
    const bytes = this.torn ? Buffer.concat([newline, text]) : text
    const { count, error } = writeWhole(this.fd, bytes, this.options.retryEAGAIN ?? (() => true))
    if (count > 0) this.torn = error !== undefined && bytes[count - 1] !== newline[0]
    if (error !== undefined) {
      this.refused(error)
      this.events.dropped(data)
      return
    }
    if (this.options.fsync === true) syncIfFile(this.fd)
    this.events.wrote(count)
  }

  private refused(error: NodeJS.ErrnoException): void {
    // Nobody reads any more, and nobody will.
    this.closed = error.code === 'EPIPE'
    if (!this.closed) this.events.failed(error)
    else this.events.tell({ code: 'SLUICE_READER_GONE', message: readerGone })
  }

  flush(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  flushSync(): void {
    syncIfFile(this.fd)
  }

  reopen(file?: string): void {
    if (this.file === null) throw notAFile()
    const old = this.fd
    this.fd = opened(file ?? this.file, this.options)
    this.file = file ?? this.file
    closeSync(old)
    this.torn &&= fstatSync(this.fd).size > 0
    this.events.opened()
  }

  close(): Promise<void> {
    this.closed = true
    syncIfFile(this.fd)
    if (this.fd > 2) closeSync(this.fd)
    return Promise.resolve()
  }
}

function notAFile(): Error {
  return new Error('a file descriptor cannot be opened again: give the path of a file')
}

function opened(path: string, { append = true, mode, mkdir }: DestinationOptions): number {
  if (mkdir === true) makeDirectory(dirname(path))
  return openSync(path, append ? 'a' : 'w', mode)
}

function queuedSink(place: string | number, options: DestinationOptions, events: SinkEvents): Sink {
  const tell: OnProblem = (problem) => {
    if (problem.code === 'SLUICE_WRITE_FAILED') events.failed(Object.assign(new Error(problem.message), problem))
    else events.tell(problem)
  }
  return typeof place === 'number' ? fdSink(place, tell, events) : fileSink(place, options, tell, events)
}

/** Lines of one descriptor go one way, however many loggers there are. */
const shared = new Map<number, LinePipeline>()

function fdSink(fd: number, tell: OnProblem, events: SinkEvents): Sink {
  const pipeline = shared.get(fd) ?? linePipeline(fdExporter({ fd, format: 'json', layout: 'pino' }), tell)
  shared.set(fd, pipeline)
  events.opened()
  return {
    fd,
    file: null,
    ...through(() => pipeline),
    get waiting() {
      return pipeline.queuedBytes
    },
    reopen() {
      throw notAFile()
    },
    async close() {
      await pipeline.flush(undefined)
      if (fd <= 2) return
      shared.delete(fd)
      await pipeline.shutdown(undefined)
      closeSync(fd)
    },
  }
}

function fileSink(path: string, options: DestinationOptions, tell: OnProblem, events: SinkEvents): Sink {
  let file = path
  let [exporter, pipeline] = open()
  const closing = new Set<Promise<unknown>>()
  events.opened()
  return {
    fd: -1,
    get file() {
      return file
    },
    ...through(() => pipeline),
    get waiting() {
      return pipeline.queuedBytes
    },
    reopen(other) {
      if (other === undefined || other === file) exporter.reopen()
      else {
        closing.add(pipeline.shutdown(undefined))
        file = other
        ;[exporter, pipeline] = open()
      }
      events.opened()
    },
    async close() {
      await Promise.all([...closing, pipeline.shutdown(undefined)])
    },
  }

  function open(): [ReturnType<typeof fileExporter>, LinePipeline] {
    const { append = true, mkdir = false, fsync, mode } = options
    if (!append) emptied(file, options)
    const rights = typeof mode === 'string' ? Number.parseInt(mode, 8) : mode
    const exporter = fileExporter({
      path: file,
      mkdir,
      format: 'json',
      layout: 'pino',
      ...(rights === undefined ? {} : { mode: rights }),
      ...(fsync === true ? { fsync: 'batch' as const } : {}),
    })
    return [exporter, linePipeline(exporter, tell)]
  }
}

function emptied(path: string, options: DestinationOptions): void {
  try {
    closeSync(opened(path, options))
  } catch {
    // told when it is opened for its lines
  }
}

function through(pipeline: () => LinePipeline): Pick<Sink, 'write' | 'flush' | 'flushSync'> {
  return {
    write(data, severity) {
      pipeline().push(typeof data === 'string' ? data : Buffer.from(data).toString(), severity)
    },
    async flush() {
      const { ok } = await pipeline().flush(undefined)
      return ok ? undefined : new Error('not everything could be written in time')
    },
    flushSync(deadlineMillis) {
      pipeline().flushSync(deadlineMillis)
    },
  }
}
