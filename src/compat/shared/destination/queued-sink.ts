import { resolve } from 'node:path'
import { fileKeyIfOpen } from '../../../exporters/fd/descriptor.ts'
import { fdExporter } from '../../../exporters/fd/fd-exporter.ts'
import { fileExporter } from '../../../exporters/file/file-exporter.ts'
import { openLinePipeline, type LinePipeline } from '../line-pipeline.ts'
import { closeOrReport } from './close-reporting.ts'
import { emptyFile, reopenError } from './open-file.ts'
import type { DestinationOptions } from './options.ts'
import { joinSharedDestination, type SharedMembership } from './shared-destinations.ts'
import type { Sink, SinkEvents } from './sink.ts'

/** Opens a sink that queues lines and writes them at the end of the event-loop turn. */
export function openQueuedSink(pathOrFd: string | number, options: DestinationOptions, events: SinkEvents): Sink {
  return typeof pathOrFd === 'number' ? openFdSink(pathOrFd, events) : openFileSink(pathOrFd, options, events)
}

function openFdSink(fd: number, events: SinkEvents): Sink {
  const fileKey = fileKeyIfOpen(fd)
  const membership = joinSharedDestination(fd, events, events.reportDiagnostic)
  const pipeline = openLinePipeline(fdExporter({ fd, format: 'json', layout: 'pino' }), membership.reportDiagnostic)
  events.onOpen()
  return {
    fd,
    file: null,
    ...queueMethods(() => pipeline),
    get queuedBytes() {
      return pipeline.queuedBytes
    },
    reopen() {
      throw reopenError()
    },
    async close() {
      await pipeline.shutdown(undefined)
      const wasLast = membership.leave()
      if (wasLast && fd > 2) closeOrReport({ fd, fileKey }, events)
    },
  }
}

function openFileSink(path: string, options: DestinationOptions, events: SinkEvents): Sink {
  let file = path
  let [exporter, pipeline, membership] = open()
  const pendingCloses = new Set<Promise<unknown>>()
  events.onOpen()
  return {
    fd: -1,
    get file() {
      return file
    },
    ...queueMethods(() => pipeline),
    get queuedBytes() {
      return pipeline.queuedBytes
    },
    reopen(newFile) {
      if (newFile === undefined || newFile === file) exporter.reopen()
      else {
        pendingCloses.add(closeCurrent())
        file = newFile
        ;[exporter, pipeline, membership] = open()
      }
      events.onOpen()
    },
    async close() {
      await Promise.all([...pendingCloses, closeCurrent()])
    },
  }

  /** Shuts down the current pipeline. */
  async function closeCurrent(): Promise<void> {
    // `reopen` replaces `membership` before the shutdown is complete.
    const oldMembership = membership
    await pipeline.shutdown(undefined)
    oldMembership.leave()
  }

  function open(): [ReturnType<typeof fileExporter>, LinePipeline, SharedMembership] {
    const { append = true, mkdir = false, fsync, mode } = options
    if (!append) emptyFile(file, options)
    const modeBits = typeof mode === 'string' ? Number.parseInt(mode, 8) : mode
    const exporter = fileExporter({
      path: file,
      mkdir,
      format: 'json',
      layout: 'pino',
      ...(modeBits === undefined ? {} : { mode: modeBits }),
      ...(fsync === true ? { fsync: 'batch' as const } : {}),
    })
    const newMembership = joinSharedDestination(resolve(file), events, events.reportDiagnostic)
    return [exporter, openLinePipeline(exporter, newMembership.reportDiagnostic), newMembership]
  }
}

/** @param currentPipeline - returns the pipeline, which `reopen` can replace */
function queueMethods(currentPipeline: () => LinePipeline): Pick<Sink, 'write' | 'flush' | 'flushSync'> {
  return {
    write(data, severity) {
      currentPipeline().push(typeof data === 'string' ? data : Buffer.from(data).toString(), severity)
    },
    async flush() {
      const { ok } = await currentPipeline().flush(undefined)
      return ok ? undefined : new Error('some lines could not be written in time')
    },
    flushSync(timeoutMillis) {
      currentPipeline().flushSync(timeoutMillis)
    },
  }
}
