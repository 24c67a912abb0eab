import { fstatSync, statSync } from 'node:fs'
import { withoutPrototype } from '../../options/own-members.ts'
import { ifExists } from '../../platform/node/file-options.ts'
import { openSource, STANDARD_INPUT } from '../input/open-source.ts'
import { followDescriptor } from './follow-descriptor.ts'
import type { FollowItem, FollowOptions } from './follow-item.ts'
import { followSource, type FollowedSource } from './follow-source.ts'
import { PathFollower } from './path-follower.ts'
import { WakeUp } from './wake-up.ts'

/** The time after which a file that had new lines is checked again, in ms. */
const BUSY_MILLIS = 50

/**
 * Follows a file, a named pipe or standard input: returns its lines and then new ones as they are written, until `signal` is
 * aborted or `return()` is called. Standard input that is a pipe ends with it.
 *
 * A file is followed by its path through rotations: rename and create, delete, atomic replace, copy and truncate, and compression
 * of the rotated file. It may be missing or unreadable for some time, also at the start. Lines that a program writes between
 * the copy and the truncation of its log are in neither file, and are lost. Files that are compressed or in UTF-16 are read once,
 * and their growth is ignored.
 *
 * @param file - A path; `-` is standard input.
 */
export function followFile(
  file: string,
  followOptions: FollowOptions = {},
): AsyncIterableIterator<FollowItem, undefined> {
  const options = withoutPrototype(followOptions)
  const { signal } = options
  const wakeUp = new WakeUp(file === STANDARD_INPUT ? undefined : file)
  const followed: FollowedPipe = { pipe: undefined }
  const close = (): void => {
    wakeUp.close()
    followed.pipe?.source.close()
  }
  signal?.addEventListener('abort', close)
  if (signal?.aborted === true) close()
  const items = itemsOf(file, options, wakeUp, followed)
  return {
    next: () => items.next(),
    return() {
      close()
      signal?.removeEventListener('abort', close)
      return items.return(undefined)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** The pipe of a followed input; undefined for a file. */
interface FollowedPipe {
  pipe: FollowedSource | undefined
}

async function* itemsOf(
  file: string,
  options: FollowOptions,
  wakeUp: WakeUp,
  followed: FollowedPipe,
): AsyncGenerator<FollowItem, undefined> {
  if (wakeUp.isClosed) return
  if (file === STANDARD_INPUT && fstatSync(0).isFile()) {
    yield* followDescriptor(0, options, wakeUp)
    return
  }
  if (file === STANDARD_INPUT || isPipe(file)) {
    const open = () => openSource(file).source
    followed.pipe = { source: open(), reopen: file === STANDARD_INPUT ? undefined : open }
    try {
      yield* followSource(followed.pipe, options, wakeUp)
    } finally {
      followed.pipe.source.close()
    }
    return
  }
  const { pollMillis = 200 } = options
  const follower = new PathFollower(file, options)
  try {
    do {
      if (!follower.isUnchanged()) yield* follower.check(performance.now())
    } while (await wakeUp.wait(follower.isBusy ? Math.min(BUSY_MILLIS, pollMillis) : pollMillis))
  } finally {
    follower.close()
  }
}

function isPipe(file: string): boolean {
  try {
    const stats = statSync(file, ifExists)
    return stats !== undefined && !stats.isFile() && !stats.isDirectory()
  } catch {
    return false
  }
}
