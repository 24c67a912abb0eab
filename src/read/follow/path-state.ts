import { statSync, type BigIntStats } from 'node:fs'
import { inputProblem } from '../input/input-problem.ts'
import type { FollowItem } from './follow-item.ts'

/** Whether the file at a followed path can be read. Each change is an event. */
export class PathState {
  private readonly path: string
  private state: 'unknown' | 'readable' | 'missing' | 'unreadable' = 'unknown'

  constructor(path: string) {
    this.path = path
  }

  /** Whether the file could be read at the last check. */
  get isReadable(): boolean {
    return this.state === 'readable'
  }

  /** Returns the stats of the file at the path. Without a file, yields an event and returns undefined. */
  *stats(): Generator<FollowItem, BigIntStats | undefined> {
    try {
      const stats = statsAt(this.path)
      if (stats === undefined) yield* this.enter('missing', 'it does not exist at the moment')
      return stats
    } catch (error) {
      yield* this.setUnreadable(error)
      return undefined
    }
  }

  /** Sets that the file can be read. */
  *setReadable(): Generator<FollowItem> {
    const wasUnreadable = this.state === 'unreadable'
    this.state = 'readable'
    if (wasUnreadable) yield { event: 'readable', message: 'it can be read again' }
  }

  /** Sets that the file cannot be opened. */
  *setUnreadable(error: unknown): Generator<FollowItem> {
    yield* this.enter('unreadable', inputProblem(error, false))
  }

  private *enter(state: 'missing' | 'unreadable', message: string): Generator<FollowItem> {
    const hasChanged = this.state !== state
    this.state = state
    if (hasChanged) yield { event: state, message }
  }
}

/** Returns the stats of the file at a path; undefined without a file. */
export function statsAt(path: string): BigIntStats | undefined {
  return statSync(path, { throwIfNoEntry: false, bigint: true })
}
