import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, stat, unlink } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers'
import { createGzip } from 'node:zlib'
import { keyOf } from './descriptor.ts'
import { errorCode } from './write-errors.ts'

/**
 * Compresses a file in the thread pool and puts the result in its place: first under the name `temporary`, then, once it is
 * whole and on the disk, as `path` with `.gz`, and only then the file itself is deleted. Whenever the process dies, one of
 * the two is whole.
 *
 * The process need not stay alive for it: between two pieces nothing keeps the event loop.
 *
 * @returns whether it was done; false when the file grew meanwhile or is gone, and then nothing is changed.
 * @throws the system's error, or the signal's reason.
 */
export async function gzipFile(path: string, temporary: string, signal: AbortSignal): Promise<boolean> {
  const before = await stat(path)
  try {
    const target = createWriteStream(temporary, { flags: 'wx', mode: 0o600 })
    await pipeline(createReadStream(path), inTurns, createGzip(), target, { signal })
    await finish(temporary, before)
    const after = await stat(path)
    // Another process may still have had it open.
    if (keyOf(after) !== keyOf(before) || after.size !== before.size) return await discard(temporary)
    await rename(temporary, `${path}.gz`)
    await unlink(path)
    return true
  } catch (error) {
    await discard(temporary)
    // Another process has compressed or deleted it.
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}

/** Has the loop turn between two pieces, by a turn that does not keep it alive. */
async function* inTurns(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  for await (const piece of source) {
    await new Promise<void>((resolve) => void setImmediate(resolve).unref())
    yield piece
  }
}

/** Gives the compressed file what the original has, and puts it onto the disk: the original is about to go. */
async function finish(
  temporary: string,
  { mode, uid, gid, atime, mtime }: Awaited<ReturnType<typeof stat>>,
): Promise<void> {
  const file = await open(temporary, 'r+')
  try {
    // Only the superuser gives files away; to anybody else they belong already.
    await file.chown(Number(uid), Number(gid)).catch(() => {})
    await file.chmod(Number(mode) & 0o7777)
    await file.utimes(atime, mtime)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function discard(temporary: string): Promise<false> {
  await unlink(temporary).catch(() => {})
  return false
}
