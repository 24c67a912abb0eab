import type { AnyStream } from './instance.ts'
import { member, ownCopy } from '../../options/own-members.ts'
import { lineStream, openLineStream } from '../shared/destination/standard-destination.ts'
import { acceptsSeverity } from '../shared/severity-stream.ts'
import { ignoreRejection } from '../../options/observe-promise.ts'
import { optionError } from '../shared/option-error.ts'
import { severityOf, standardLevels } from './levels.ts'
import { needsMetadataGsym as metadata } from './symbols.ts'
import { addMembers } from '../../options/define-member.ts'

/** A stream with its minimum level. */
export interface Entry {
  readonly stream: AnyStream
  readonly level: number
  readonly levelVal: number | undefined
  readonly id: number
}

export interface MultistreamOptions {
  /** Numbers of custom levels. */
  readonly levels?: Readonly<Record<string, number>> | undefined
  /** Whether a line is written only to the streams with the highest level that accept it. Default false. */
  readonly dedupe?: boolean | undefined
}

/** Several streams combined into one, ordered by level. */
export interface Multistream extends AnyStream {
  minLevel: number
  lastId: number
  streams: Entry[]
  readonly streamLevels: Readonly<Record<string, number>>
  add(this: Multistream, stream: unknown): Multistream
  remove(this: Multistream, id: number): Multistream
  clone(this: Multistream, level: number): Multistream
  end(this: Multistream): void
}

export function multistream(given?: unknown, options?: MultistreamOptions | null): Multistream {
  const { dedupe: isDeduping, levels } = ownCopy(options ?? {})
  const dedupe = isDeduping === true
  const streamLevels: Record<string, number> = ownCopy({ ...standardLevels, silent: Infinity, ...levels })
  let lastId = 0
  const all = create([], 0)
  for (const stream of Array.isArray(given) ? (given as unknown[]) : [given]) all.add(stream)
  return all

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

  function add(this: Multistream, given: unknown): Multistream {
    if (!given) return this
    const entry = Object(given) as Partial<Record<string, unknown>>
    const write = member(entry, 'write')
    const stream = member(entry, 'stream')
    const level = member(entry, 'level')
    const levelVal = member(entry, 'levelVal')
    if (typeof write !== 'function' && !stream) {
      throw optionError('streams', 'stream object needs to implement either StreamEntry or DestinationStream interface')
    }
    const own = (write ? given : stream) as AnyStream
    openLineStream(own)
    this.lastId = ++lastId
    this.streams.unshift({ stream: own, level: levelOf(level, levelVal), levelVal: undefined, id: lastId })
    sort(this)
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
    // Relayed lines may contain the name of their level instead of its number.
    const level = (typeof this.lastLevel === 'string' ? streamLevels[this.lastLevel] : this.lastLevel) as number
    const accepting = this.streams.filter((entry) => entry.level <= level)
    const highest = accepting.at(-1)?.level
    const chosen = dedupe ? accepting.filter((entry) => entry.level === highest).toReversed() : accepting
    let failed: { readonly error: unknown } | undefined
    let isGood = true
    let pending: Promise<unknown> | undefined
    for (const { stream } of chosen) {
      try {
        const result = deliver(this, stream, level, line)
        if (result === false) isGood = false
        // The logger reports the first promise that rejects. The others must not end the process.
        else if (ignoreRejection(result)) pending ??= result
      } catch (error) {
        failed = { error } // thrown after the other streams received the line
      }
    }
    if (failed !== undefined) throw failed.error
    return pending === undefined ? isGood : pending
  }
}

function deliver(from: AnyStream, stream: AnyStream, level: number, line: string): unknown {
  if (stream[metadata]) {
    const { lastTime, lastMsg, lastObj, lastLogger } = from
    addMembers(stream, { lastLevel: level, lastTime, lastMsg, lastObj, lastLogger })
  }
  const target = lineStream(stream)
  return acceptsSeverity(target) ? target.writeRecord(line, severityOf(level)) : target.write(line)
}

function remove(this: Multistream, id: number): Multistream {
  const index = this.streams.findIndex((entry) => entry.id === id)
  if (index >= 0) this.streams.splice(index, 1)
  sort(this)
  return this
}

function sort(all: Multistream): void {
  all.streams.sort((one, other) => one.level - other.level)
  all.minLevel = all.streams[0]?.level ?? -1
}

function emit(this: Multistream, event: string, ...args: unknown[]): void {
  for (const { stream } of this.streams) member(stream, 'emit')?.call(stream, event, ...args)
}

function flushSync(this: Multistream): void {
  for (const { stream } of this.streams) flushStream(stream)
}

function flushStream(stream: AnyStream): void {
  const target = lineStream<AnyStream>(stream)
  ignoreRejection(member(target, 'flushSync')?.call(target))
}

function end(this: Multistream): void {
  for (const { stream } of this.streams) {
    flushStream(stream)
    ignoreRejection(member(stream as { end?(): void }, 'end')?.call(stream))
  }
}
