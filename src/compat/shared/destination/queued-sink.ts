import { closeSync } from 'node:fs'
import { resolve } from 'node:path'
import { fdExporter } from '../../../exporters/fd/fd-exporter.ts'
import { fileExporter } from '../../../exporters/file/file-exporter.ts'
import { linePipeline, type LinePipeline } from '../line-pipeline.ts'
import { emptyFile, notAFile } from './open-file.ts'
import type { DestinationOptions } from './options.ts'
import { joinShared, type SharedMembership } from './shared-destinations.ts'
import type { Sink, SinkEvents } from './sink.ts'

/** Creates a sink that queues lines and writes them at the end of the event-loop turn. */
export function queuedSink(pathOrFd: string | number, options: DestinationOptions, events: SinkEvents): Sink {
  return typeof pathOrFd === 'number' ? fdSink(pathOrFd, events) : fileSink(pathOrFd, options, events)
}

function fdSink(fd: number, events: SinkEvents): Sink {
  const share = joinShared(fd, events, events.reportDiagnostic)
  const pipeline = linePipeline(fdExporter({ fd, format: 'json', layout: 'pino' }), share.reportDiagnostic)
  events.opened()
  return {
    fd,
    file: null,
    ...queueOf(() => pipeline),
    get queuedBytes() {
      return pipeline.queuedBytes
    },
    reopen() {
      throw notAFile()
    },
    async close() {
      await pipeline.shutdown(undefined)
      const wasLast = share.leave()
      if (wasLast && fd > 2) closeSync(fd)
    },
  }
}

function fileSink(path: string, options: DestinationOptions, events: SinkEvents): Sink {
  let file = path
  let [exporter, pipeline, share] = open()
  const closing = new Set<Promise<unknown>>()
  events.opened()
  return {
    fd: -1,
    get file() {
      return file
    },
    ...queueOf(() => pipeline),
    get queuedBytes() {
      return pipeline.queuedBytes
    },
    reopen(other) {
      if (other === undefined || other === file) exporter.reopen()
      else {
        closing.add(leave())
        file = other
        ;[exporter, pipeline, share] = open()
      }
      events.opened()
    },
    async close() {
      await Promise.all([...closing, leave()])
    },
  }

  async function leave(): Promise<void> {
    // `reopen` replaces `share` before the shutdown completes.
    const oldShare = share
    await pipeline.shutdown(undefined)
    oldShare.leave()
  }

  function open(): [ReturnType<typeof fileExporter>, LinePipeline, SharedMembership] {
    const { append = true, mkdir = false, fsync, mode } = options
    if (!append) emptyFile(file, options)
    const rights = typeof mode === 'string' ? Number.parseInt(mode, 8) : mode
    const exporter = fileExporter({
      path: file,
      mkdir,
      format: 'json',
      layout: 'pino',
      ...(rights === undefined ? {} : { mode: rights }),
      ...(fsync === true ? { fsync: 'batch' as const } : {}),
    })
    const joined = joinShared(resolve(file), events, events.reportDiagnostic)
    return [exporter, linePipeline(exporter, joined.reportDiagnostic), joined]
  }
}

function queueOf(pipeline: () => LinePipeline): Pick<Sink, 'write' | 'flush' | 'flushSync'> {
  return {
    write(data, severity) {
      pipeline().push(typeof data === 'string' ? data : Buffer.from(data).toString(), severity)
    },
    async flush() {
      const { ok } = await pipeline().flush(undefined)
      return ok ? undefined : new Error('some lines could not be written in time')
    },
    flushSync(deadlineMillis) {
      pipeline().flushSync(deadlineMillis)
    },
  }
}
