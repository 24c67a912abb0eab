import { readFileSync } from 'node:fs'
import { asLatin1 } from '../../platform/node/file-options.ts'
import type { FollowItem, FollowOptions } from './follow-item.ts'
import { Generation } from './generation.ts'
import type { WakeUp } from './wake-up.ts'

/** Follows a regular file that is standard input. Its path is unknown, so only truncations are detected, and not renames. */
export async function* followDescriptor(
  fd: number,
  options: FollowOptions,
  wakeUp: WakeUp,
): AsyncGenerator<FollowItem, undefined> {
  const { pollMillis = 100, incompleteLineMillis = 1_000 } = options
  let file = new Generation(fd, performance.now(), descriptorPosition(fd))
  let wasQuiet = true
  do {
    const now = performance.now()
    let hasLines = false
    const lines = file.read(now)
    let step = lines.next()
    for (; step.done !== true; step = lines.next()) {
      hasLines = true
      yield step.value
    }
    const rest = step.value ? file.takeIncomplete() : file.takeIncompleteAfter(incompleteLineMillis, now)
    if (rest !== undefined) yield rest
    if (step.value) {
      file = new Generation(fd, now)
      yield { event: 'truncated', message: 'it was truncated' }
    } else if (!hasLines && !wasQuiet) yield { event: 'quiet', message: 'there are no new lines' }
    wasQuiet = !hasLines
  } while (await wakeUp.wait(pollMillis))
}

/** Returns the position of a descriptor, which another process may have moved. Returns 0 if the system does not provide it. */
function descriptorPosition(fd: number): number {
  try {
    return Number(/^pos:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, asLatin1))?.[1] ?? 0)
  } catch {
    return 0
  }
}
