import { createRequire } from 'node:module'
import { PassThrough, pipeline, Writable, type Duplex, type TransformOptions, type WritableOptions } from 'node:stream'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { multistream } from './multistream.ts'
import { pinoFile } from './pino-file.ts'
import { fileTarget, type TransportTargets, type Target } from './transport-messages.ts'
import { member, ownCopy } from '../../options/own-members.ts'
import { addMembers } from '../../options/define-member.ts'
import { errorCode } from '../../exporters/fd/write-errors.ts'

/** A stream that the module of a target creates. */
export interface TargetStream {
  write(text: string): unknown
  end(): unknown
  on(event: string, listener: (...args: never[]) => void): unknown
  once(event: string, listener: (...args: never[]) => void): unknown
  flush?(callback?: (error?: Error) => void): unknown
  flushSync?(): void
  readonly writableNeedDrain?: boolean
}

/** Loads the targets of a job, and combines them into one stream. */
export async function openTargets(job: TransportTargets): Promise<TargetStream> {
  const { target, targets, pipelines, options, levels, dedupe } = job
  if (target !== undefined) {
    const build = await load(target)
    return (await build({ ...options, pinoWillSendConfig: true })) as TargetStream
  }
  const entries = await Promise.all([
    ...targets.map(async ({ level, ...each }) => ({ level, stream: await open(each) })),
    ...pipelines.map(async (each) => ({ level: each.at(-1)?.level, stream: await openPipeline(each) })),
  ])
  const [only] = entries
  if (entries.length === 1 && (only!.level === undefined || only!.level === null)) return only!.stream
  return byLevel(entries, { levels, dedupe })
}

async function open({ target, options }: Target): Promise<TargetStream> {
  const build = await load(target)
  return (await build(options)) as TargetStream
}

async function openPipeline(targets: readonly Target[]): Promise<TargetStream> {
  const streams = await Promise.all(targets.map((target) => open(target)))
  const settled: ((error?: Error | null) => void)[] = []
  const first = new PassThrough(
    ownCopy<TransformOptions>({
      autoDestroy: true,
      // The first stream is closed when the last one is.
      destroy: (_error, callback) => void settled.push(callback),
    }),
  )
  pipeline([first, ...(streams as unknown as Duplex[])], (error) => {
    const reported = errorCode(error) === 'ERR_STREAM_PREMATURE_CLOSE' ? undefined : error
    for (const callback of settled) callback(reported)
  })
  return first
}

type Entry = { readonly level: string | undefined; readonly stream: TargetStream }

/** Creates a stream that writes each line to the targets that accept its level. */
function byLevel(
  entries: readonly Entry[],
  options: { levels: TransportTargets['levels']; dedupe: TransportTargets['dedupe'] },
): TargetStream {
  const all = multistream(entries, options)
  let rest = ''
  const writing: WritableOptions = {
    decodeStrings: false,
    write(chunk: string, _encoding, callback) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop()!
      for (const line of lines) deliver(all, line)
      void Promise.all(entries.map(({ stream }) => drained(stream))).then(() => callback())
    },
    final(callback) {
      const closed = entries.map(({ stream }) => new Promise((resolve) => stream.once('close', resolve)))
      for (const { stream } of entries) stream.end()
      void Promise.all(closed).then(() => callback())
    },
  }
  return new Writable(ownCopy(writing))
}

/** Waits until a stream accepts more data. */
export function drained(stream: TargetStream): Promise<void> {
  if (member(stream, 'writableNeedDrain') !== true) return Promise.resolve()
  return new Promise((resolve) => {
    stream.once('drain', resolve)
    stream.once('close', resolve)
  })
}

function deliver(all: ReturnType<typeof multistream>, line: string): void {
  try {
    const record = JSON.parse(line) as { level?: unknown; time?: unknown; msg?: unknown }
    const { level, time, msg } = ownCopy(record)
    addMembers(all, { lastLevel: level, lastTime: time, lastObj: record, lastMsg: msg })
  } catch {
    return // not a JSON line, so its level is unknown
  }
  all.write(line + '\n')
}

/** Loads the function that a module exports: directly, as its default, or as the default of that. */
async function load(target: string): Promise<(options: unknown) => unknown> {
  let found = target === fileTarget ? pinoFile : await module(target)
  for (let nested = 0; nested < 2 && typeof found === 'object' && found !== null; nested++) {
    found = member(found as { default?: unknown }, 'default')
  }
  if (typeof found !== 'function') throw Error('exported worker is not a function')
  return found as (options: unknown) => unknown
}

async function module(target: string): Promise<unknown> {
  const url = target.startsWith('file://') ? target : pathToFileURL(target).href
  try {
    return await import(url)
  } catch (error) {
    const code = errorCode(error)
    if (code !== 'ENOTDIR' && code !== 'ERR_MODULE_NOT_FOUND' && code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw error
    return createRequire(import.meta.url)(fileURLToPath(url))
  }
}
