import { createRequire } from 'node:module'
import { PassThrough, pipeline, Writable, type Duplex, type TransformOptions, type WritableOptions } from 'node:stream'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { multistream } from './multistream.ts'
import { pinoFile } from './pino-file.ts'
import { fileTarget, type TransportTargets, type Target } from './transport-messages.ts'
import { member, withoutPrototype } from '../../options/own-members.ts'
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

/** Loads the targets of a transport, and combines them into one stream. */
export async function openTargets(transportTargets: TransportTargets): Promise<TargetStream> {
  const { target, targets, pipelines, options, levels, dedupe } = transportTargets
  if (target !== undefined) {
    const createStream = await loadStreamFactory(target)
    // As in pino, the module can wait for the message `PINO_CONFIG`, which a logger sends.
    return (await createStream({ ...options, pinoWillSendConfig: true })) as TargetStream
  }
  const entries = await Promise.all([
    ...targets.map(async ({ level, ...each }) => ({ level, stream: await openTarget(each) })),
    ...pipelines.map(async (each) => ({ level: each.at(-1)?.level, stream: await openPipeline(each) })),
  ])
  const [only] = entries
  if (entries.length === 1 && (only!.level === undefined || only!.level === null)) return only!.stream
  return createLevelSelector(entries, { levels, dedupe })
}

async function openTarget({ target, options }: Target): Promise<TargetStream> {
  const createStream = await loadStreamFactory(target)
  return (await createStream(options)) as TargetStream
}

async function openPipeline(targets: readonly Target[]): Promise<TargetStream> {
  const streams = await Promise.all(targets.map((target) => openTarget(target)))
  const destroyCallbacks: ((error?: Error | null) => void)[] = []
  const first = new PassThrough(
    withoutPrototype<TransformOptions>({
      autoDestroy: true,
      // The first stream is closed when the whole pipeline has ended or failed.
      destroy: (_error, callback) => void destroyCallbacks.push(callback),
    }),
  )
  pipeline([first, ...(streams as unknown as Duplex[])], (error) => {
    // A stream that is closed before it has ended is not an error.
    const reported = errorCode(error) === 'ERR_STREAM_PREMATURE_CLOSE' ? undefined : error
    for (const callback of destroyCallbacks) callback(reported)
  })
  return first
}

type TargetEntry = { readonly level: string | undefined; readonly stream: TargetStream }

/** Creates a stream that writes each line to the targets that accept its level. */
function createLevelSelector(
  entries: readonly TargetEntry[],
  options: { levels: TransportTargets['levels']; dedupe: TransportTargets['dedupe'] },
): TargetStream {
  const combined = multistream(entries, options)
  let incompleteLine = ''
  const writableOptions: WritableOptions = {
    decodeStrings: false,
    write(chunk: string, _encoding, callback) {
      const lines = (incompleteLine + chunk).split('\n')
      incompleteLine = lines.pop()!
      for (const line of lines) writeRecordLine(combined, line)
      void Promise.all(entries.map(({ stream }) => waitForDrain(stream))).then(() => callback())
    },
    final(callback) {
      const closed = entries.map(({ stream }) => new Promise((resolve) => stream.once('close', resolve)))
      for (const { stream } of entries) stream.end()
      void Promise.all(closed).then(() => callback())
    },
  }
  return new Writable(withoutPrototype(writableOptions))
}

/** Waits until a stream accepts more data, or is closed. */
export function waitForDrain(stream: TargetStream): Promise<void> {
  if (member(stream, 'writableNeedDrain') !== true) return Promise.resolve()
  return new Promise((resolve) => {
    stream.once('drain', resolve)
    stream.once('close', resolve)
  })
}

/** Writes a line with the metadata by which a multistream selects its streams. A line that is not JSON is dropped. */
function writeRecordLine(combined: ReturnType<typeof multistream>, line: string): void {
  try {
    const record = JSON.parse(line) as { level?: unknown; time?: unknown; msg?: unknown }
    const { level, time, msg } = withoutPrototype(record)
    addMembers(combined, { lastLevel: level, lastTime: time, lastObj: record, lastMsg: msg })
  } catch {
    return // not a JSON line, so its level is unknown
  }
  combined.write(line + '\n')
}

/** Loads the function that a module exports: as the module itself, its default export, or the default export of that. */
async function loadStreamFactory(target: string): Promise<(options: unknown) => unknown> {
  let exported = target === fileTarget ? pinoFile : await importModule(target)
  for (let nested = 0; nested < 2 && typeof exported === 'object' && exported !== null; nested++) {
    exported = member(exported as { default?: unknown }, 'default')
  }
  if (typeof exported !== 'function') throw Error('exported worker is not a function')
  return exported as (options: unknown) => unknown
}

/** Imports a module. `require` also loads some files that `import` rejects, such as those with an unknown extension. */
async function importModule(target: string): Promise<unknown> {
  const url = target.startsWith('file://') ? target : pathToFileURL(target).href
  try {
    return await import(url)
  } catch (error) {
    const code = errorCode(error)
    if (code !== 'ENOTDIR' && code !== 'ERR_MODULE_NOT_FOUND' && code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw error
    return createRequire(import.meta.url)(fileURLToPath(url))
  }
}
