import { closeSync } from 'node:fs'
import { fdExporter } from '../../export/fd.ts'
import { fileExporter } from '../../export/file.ts'
import type { OnProblem } from '../../record/problems.ts'
import { linePipeline, type LinePipeline } from '../line-pipeline.ts'
import { emptyFile, notAFile } from './open-file.ts'
import type { DestinationOptions } from './options.ts'
import type { Sink, SinkEvents } from './sink.ts'

/** Lines wait in a queue, and are written at the end of the turn. */
export function queuedSink(place: string | number, options: DestinationOptions, events: SinkEvents): Sink {
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
    return [exporter, linePipeline(exporter, tell)]
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
