import type { AnyStream } from './instance.ts'
import { member, withoutPrototype } from '../../options/own-members.ts'
import { standardDestinationOrSelf, openStandardDestinationOrSelf } from '../shared/destination/standard-destination.ts'
import { isStreamOfThisPackage } from '../shared/severity-stream.ts'
import { ignoreRejection } from '../../options/observe-promise.ts'
import { optionError } from '../shared/option-error.ts'
import { severityOf, standardLevels } from './levels.ts'
import { needsMetadataGsym as metadata } from './symbols.ts'
import { addMembers } from '../../options/define-member.ts'

/** A stream with its minimum level. */
export interface Entry {
  readonly stream: AnyStream
  /** Minimum level number. */
  readonly level: number
  /** Exists only because pino's entries have it: always undefined. */
  readonly levelVal: number | undefined
  /** The argument with which `remove` removes the stream. */
  readonly id: number
}

/** Options of `multistream()`. */
export interface MultistreamOptions {
  /** Numbers of custom levels, by name. */
  readonly levels?: Readonly<Record<string, number>> | undefined
  /** Whether a line is written only to those streams, among all that accept it, that have the highest minimum level. Default false. */
  readonly dedupe?: boolean | undefined
}

/** Several streams combined into one, ordered by level. */
export interface Multistream extends AnyStream {
  /** The lowest level number that any stream accepts; 0 before the first stream is added, -1 after the last one was removed. */
  minLevel: number
  /** The id of the stream that was added last. */
  lastId: number
  streams: Entry[]
  /** Numbers of the standard and custom levels, and of `silent`, by name. */
  readonly streamLevels: Readonly<Record<string, number>>
  add(this: Multistream, stream: unknown): Multistream
  remove(this: Multistream, id: number): Multistream
  /** Returns a multistream of the same streams, all with the given level. */
  clone(this: Multistream, level: number): Multistream
  end(this: Multistream): void
}

/** Combines several streams into one. */
export function multistream(streamOrStreams?: unknown, options?: MultistreamOptions | null): Multistream {
  const { dedupe: dedupeOption, levels } = withoutPrototype(options ?? {})
  const isDeduping = dedupeOption === true
  const streamLevels: Record<string, number> = withoutPrototype({ ...standardLevels, silent: Infinity, ...levels })
  let lastId = 0
  const combined = create([], 0)
  for (const stream of Array.isArray(streamOrStreams) ? (streamOrStreams as unknown[]) : [streamOrStreams])
    combined.add(stream)
  return combined

  function create(streams: Entry[], minLevel: number): Multistream {
    return {
      write,
      add,
      remove,
      clone,
      end,
      emit,
      flushSync,
      minLevel,
      lastId,
      streams,
      streamLevels,
      lastLevel: undefined,
      lastObj: undefined,
      lastMsg: undefined,
      lastTime: undefined,
      lastLogger: undefined,
      [metadata]: true,
    }
  }

  function add(this: Multistream, streamOrEntry: unknown): Multistream {
    if (!streamOrEntry) return this
    const entry = Object(streamOrEntry) as Partial<Record<string, unknown>>
    const write = member(entry, 'write')
    const stream = member(entry, 'stream')
    const level = member(entry, 'level')
    const levelVal = member(entry, 'levelVal')
    if (typeof write !== 'function' && !stream) {
      throw optionError('streams', 'stream object needs to implement either StreamEntry or DestinationStream interface')
    }
    const addedStream = (write ? streamOrEntry : stream) as AnyStream
    openStandardDestinationOrSelf(addedStream)
    this.lastId = ++lastId
    this.streams.unshift({ stream: addedStream, level: levelOf(level, levelVal), levelVal: undefined, id: lastId })
    sortByLevel(this)
    return this
  }

  function levelOf(level: unknown, levelVal: unknown): number {
    if (typeof levelVal === 'number') return levelVal
    if (typeof level === 'number') return level
    if (typeof level !== 'string') return standardLevels.info
    const known = streamLevels[level]
    // With an unknown level, the stream would silently receive no lines.
    if (known === undefined)
      throw optionError('streams', `unknown level ${level}; define custom levels in the option levels`)
    return known
  }

  function clone(this: Multistream, level: number): Multistream {
    return create(
      this.streams.map(({ stream }, id) => ({ stream, level, levelVal: undefined, id })),
      level,
    )
  }

  function write(this: Multistream, line: string): unknown {
    // In the thread of a transport, `lastLevel` is the member `level` of the line, which may be a name.
    const level = (typeof this.lastLevel === 'string' ? streamLevels[this.lastLevel] : this.lastLevel) as number
    const accepting = this.streams.filter((entry) => entry.level <= level)
    const highest = accepting.at(-1)?.level
    const selected = isDeduping ? accepting.filter((entry) => entry.level === highest).toReversed() : accepting
    let failed: { readonly error: unknown } | undefined
    let acceptsMore = true
    let pending: Promise<unknown> | undefined
    for (const { stream } of selected) {
      try {
        const result = writeToStream(this, stream, level, line)
        if (result === false) acceptsMore = false
        else {
          // The logger observes the first promise. Rejections of the others are ignored, so that they do not end the process.
          const isPromise = ignoreRejection(result)
          if (isPromise) pending ??= result
        }
      } catch (error) {
        failed = { error } // thrown after the other streams received the line
      }
    }
    if (failed !== undefined) throw failed.error
    return pending === undefined ? acceptsMore : pending
  }
}

/** Writes a line to a stream, after setting its metadata if the stream requests it. */
function writeToStream(combined: AnyStream, stream: AnyStream, level: number, line: string): unknown {
  if (stream[metadata]) {
    const { lastTime, lastMsg, lastObj, lastLogger } = combined
    addMembers(stream, { lastLevel: level, lastTime, lastMsg, lastObj, lastLogger })
  }
  const target = standardDestinationOrSelf(stream)
  return isStreamOfThisPackage(target) ? target.writeRecord(line, severityOf(level)) : target.write(line)
}

function remove(this: Multistream, id: number): Multistream {
  const index = this.streams.findIndex((entry) => entry.id === id)
  if (index >= 0) this.streams.splice(index, 1)
  sortByLevel(this)
  return this
}

/** Sorts the streams by level, and updates `minLevel`. */
function sortByLevel(combined: Multistream): void {
  combined.streams.sort((one, other) => one.level - other.level)
  combined.minLevel = combined.streams[0]?.level ?? -1
}

/** Emits an event on each stream that emits events. */
function emit(this: Multistream, event: string, ...args: unknown[]): void {
  for (const { stream } of this.streams) member(stream, 'emit')?.call(stream, event, ...args)
}

function flushSync(this: Multistream): void {
  forEachStream(this, flushStream)
}

/** Calls a function for each stream, also if it throws for one of them. Throws the last error after all calls. */
function forEachStream({ streams }: Multistream, call: (stream: AnyStream) => void): void {
  let failed: { readonly error: unknown } | undefined
  for (const { stream } of streams) {
    try {
      call(stream)
    } catch (error) {
      failed = { error }
    }
  }
  if (failed !== undefined) throw failed.error
}

function flushStream(stream: AnyStream): void {
  const target = standardDestinationOrSelf<AnyStream>(stream)
  ignoreRejection(member(target, 'flushSync')?.call(target))
}

function end(this: Multistream): void {
  forEachStream(this, (stream) => {
    try {
      flushStream(stream)
    } finally {
      ignoreRejection(member(stream as { end?(): void }, 'end')?.call(stream))
    }
  })
}
