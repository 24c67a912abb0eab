import { once } from 'node:events'
import { constants, type Stats } from 'node:fs'
import { lstat, open, rename, unlink, type FileHandle } from 'node:fs/promises'

import { addMembers } from '../../options/define-member.ts'
import { delay } from '../../platform/node/end-of-turn.ts'
import { openFlags } from '../../platform/node/open-flags.ts'
import { keyOf } from '../fd/descriptor.ts'
import { errorCode } from '../fd/write-errors.ts'
import type { OldFiles } from './old-files.ts'

/** Neither a link nor a pipe in the place of the file is followed or waited for. */
const readOnly = constants.O_RDONLY | openFlags.O_NOFOLLOW | openFlags.O_NONBLOCK

/** The directory of the files. */
type GzipFiles = Pick<OldFiles, 'at' | 'isOld'>

/** How much is compressed at a time, in bytes. */
const PIECE = 262_144

/**
 * Compresses a file in the thread pool and puts the result in its place: first under the name `temporary`, then, once it is
 * whole and on the disk, as `name` with `.gz`, and only then the file itself is deleted. Whenever the process dies, one of
 * the two is whole.
 *
 * The process need not stay alive for it: between two pieces nothing keeps the event loop. A stream's pipeline would, since
 * it always has a call under way.
 *
 * @returns whether it was done; false when the file grew meanwhile or is gone, and then nothing is changed.
 * @throws the system's error, or the signal's reason; EINVAL or EEXIST where a name is taken by what is no old file.
 */
export async function gzipFile(
  files: GzipFiles,
  name: string,
  temporary: string,
  signal: AbortSignal,
): Promise<boolean> {
  const compressed = `${name}.gz`
  let isCreated = false
  try {
    const before = await withFile(files.at(name), readOnly, async (source) => {
      const stats = await source.stat()
      if (!files.isOld(stats)) throw failure('EINVAL', 'no old file')
      await withFile(files.at(temporary), 'wx', async (target) => {
        isCreated = true
        await compress(source, target, signal)
        await finish(target, stats)
      })
      return stats
    })
    const after = await lstat(files.at(name))
    // Another process may still have had it open.
    if (keyOf(after) !== keyOf(before) || after.size !== before.size) return await discard(files, temporary)
    await checkFree(files, compressed)
    await rename(files.at(temporary), files.at(compressed))
    await unlink(files.at(name))
    return true
  } catch (error) {
    if (isCreated) await discard(files, temporary)
    // Another process has compressed or deleted it.
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}

/** One that a process left, which died before it deleted the original, may be replaced. */
async function checkFree(files: GzipFiles, name: string): Promise<void> {
  const stats = await lstat(files.at(name)).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error
  })
  if (stats !== undefined && !files.isOld(stats)) throw failure('EEXIST', 'not an old file')
}

async function withFile<T>(path: string, flags: string | number, use: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags, 0o600)
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

async function compress(source: FileHandle, target: FileHandle, signal: AbortSignal): Promise<void> {
  const gzip = process.getBuiltinModule('node:zlib').createGzip()
  const made: Buffer[] = []
  gzip.on('data', (piece: Buffer) => made.push(piece))
  const write = async (): Promise<void> => {
    for (const piece of made.splice(0)) await target.writeFile(piece)
  }
  const buffer = Buffer.allocUnsafe(PIECE)
  for (let at = 0; ;) {
    const { bytesRead } = await source.read(buffer, 0, PIECE, at)
    if (bytesRead === 0) break
    at += bytesRead
    await new Promise<void>((resolve, reject) => {
      gzip.write(buffer.subarray(0, bytesRead), (error) => (error ? reject(error) : resolve()))
    })
    await write()
    await pause()
    signal.throwIfAborted()
  }
  gzip.end()
  await once(gzip, 'end')
  await write()
}

/** A timer, for what is to run in this very turn has the loop stay alive. */
function pause(): Promise<void> {
  return new Promise((resolve) => void delay(1, resolve))
}

/** Gives the compressed file what the original has, and puts it onto the disk: the original is about to go. */
async function finish(target: FileHandle, { mode, uid, gid, atime, mtime }: Stats): Promise<void> {
  // Only the superuser gives files away; to anybody else they belong already.
  await target.chown(uid, gid).catch(() => {})
  await target.chmod(mode & 0o777)
  await target.utimes(atime, mtime)
  await target.sync()
}

async function discard(files: GzipFiles, temporary: string): Promise<false> {
  await unlink(files.at(temporary)).catch(() => {})
  return false
}

function failure(code: string, message: string): Error {
  return addMembers(new Error(message), { code })
}
