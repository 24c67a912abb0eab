import { hasOwn } from '../../options/own-members.ts'
import type { LineChunk } from '../input/line-chunk.ts'

/**
 * What happened to a followed input.
 *
 * - `quiet`: there are no more bytes at the moment. Once after each time that there were some.
 * - `rotated`: the path refers to another file, which is read from its start.
 * - `truncated`: the file was truncated and is read from its start. Lines that were written after the last read and were not found
 *   in a copy of the file are lost.
 * - `missing`: nothing is at the path. The file is read as soon as it exists, and the file that was there is still read.
 * - `unreadable`: the path cannot be opened at the moment.
 * - `readable`: the path can be opened again.
 * - `disconnected`: all writers of a named pipe have closed it. The next writer is awaited.
 */
export type FollowEventName = 'quiet' | 'rotated' | 'truncated' | 'missing' | 'unreadable' | 'readable' | 'disconnected'

/** An event of a followed input, between its chunks. */
export interface FollowEvent {
  readonly event: FollowEventName
  /** A sentence about the event, without the name of the file. */
  readonly message: string
}

/** Lines or an event of a followed input. */
export type FollowItem = LineChunk | FollowEvent

/** Options of following an input. */
export interface FollowOptions {
  /** Ends following when it is aborted. */
  readonly signal?: AbortSignal
  /**
   * How often the file and its path are checked, in ms. Most changes are reported by the system and found earlier.
   *
   * @defaultValue 200 for a file, 100 for a pipe
   */
  readonly pollMillis?: number
  /**
   * How many of the existing lines are read. With 0, only new lines are read.
   *
   * @defaultValue all
   */
  readonly tail?: number
  /**
   * After how long an incomplete last line is returned, in ms. A part of a JSON object is returned when the rest of its line was written, or
   * the file has ended.
   *
   * @defaultValue 1000
   */
  readonly incompleteLineMillis?: number
}

/** Returns whether an item is an event. */
export function isFollowEvent(item: FollowItem): item is FollowEvent {
  return hasOwn(item, 'event')
}
