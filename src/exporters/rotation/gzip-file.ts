import { once } from 'node:events'
import { constants, type Stats } from 'node:fs'
import { lstat, open, rename, unlink, type FileHandle } from 'node:fs/promises'

import { addMembers } from '../../options/define-member.ts'
import { delay } from '../../platform/node/end-of-turn.ts'
import { openFlags } from '../../platform/node/open-flags.ts'
import { keyOf } from '../fd/descriptor.ts'
import { errorCode } from '../fd/write-errors.ts'
import type { OldFiles } from './old-files.ts'

/** Opens the file without following a link, and without blocking on a named pipe. */
const readOnly = constants.O_RDONLY | openFlags.O_NOFOLLOW | openFlags.O_NONBLOCK

/** The directory of the files. */
type GzipFiles = Pick<OldFiles, 'at' | 'isOld'>

/** How many bytes are compressed at a time. */
const CHUNK_BYTES = 262_144

/**
 * Compresses a file in the thread pool and replaces it with the result. The result is written as `temporary`, renamed to `name`
 * with `.gz` once it is complete and synced, and only then is the original deleted. If the process stops at any point, one of
 * the two files is complete.
 *
 * The process does not stay alive for this: between two chunks nothing keeps the event loop running. A stream pipeline would,
 * because it always has a call in progress.
 *
 * @returns Whether the file was compressed. It is false if the file grew meanwhile or no longer exists; then nothing is
 *   changed.
 * @throws The system's error, or the signal's reason; EINVAL or EEXIST if a name belongs to something other than a rotated
 *   file.
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
      if (!files.isOld(stats)) throw failure('EINVAL', 'not a rotated file')
      await withFile(files.at(temporary), 'wx', async (target) => {
        isCreated = true
        await compress(source, target, signal)
        await finish(target, stats)
      })
      return stats
    })
    const after = await lstat(files.at(name))
    // Another process may still have the file open and have written to it.
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

/**
 * Throws if the name belongs to something other than a rotated file. A compressed file may be replaced: a process left it that
 * stopped before deleting the original.
 */
async function checkFree(files: GzipFiles, name: string): Promise<void> {
  const stats = await lstat(files.at(name)).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error
  })
  if (stats !== undefined && !files.isOld(stats)) throw failure('EEXIST', 'not a rotated file')
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
  const compressedChunks: Buffer[] = []
  gzip.on('data', (piece: Buffer) => compressedChunks.push(piece))
  const write = async (): Promise<void> => {
    for (const piece of compressedChunks.splice(0)) await target.writeFile(piece)
  }
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  for (let at = 0; ;) {
    const { bytesRead } = await source.read(buffer, 0, CHUNK_BYTES, at)
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

/** Waits for an unreferenced timer. A callback in the current turn would keep the event loop alive. */
function pause(): Promise<void> {
  return new Promise((resolve) => void delay(1, resolve))
}

/** Copies the original's owner, mode and times to the compressed file and syncs it, because the original is deleted next. */
async function finish(target: FileHandle, { mode, uid, gid, atime, mtime }: Stats): Promise<void> {
  // Only the superuser can change the owner. For other users the new file already has the right owner.
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
