import { once } from 'node:events'
import { constants, type Stats } from 'node:fs'
import { lstat, open, rename, unlink, type FileHandle } from 'node:fs/promises'

import { addMembers } from '../../options/define-member.ts'
import { delay } from '../../platform/node/end-of-turn.ts'
import { openFlags } from '../../platform/node/open-flags.ts'
import { fileKeyOf } from '../fd/descriptor.ts'
import { errorCode } from '../fd/write-errors.ts'
import type { RotatedFileDirectory } from './rotated-file-directory.ts'

/** Flags that open a file without following a link, and without blocking on a named pipe. */
const readFlags = constants.O_RDONLY | openFlags.O_NOFOLLOW | openFlags.O_NONBLOCK

/** The directory of the log and its rotated files. */
type GzipDirectory = Pick<RotatedFileDirectory, 'pathOf' | 'isOwnRegularFile'>

/** How many bytes are compressed at a time. */
const CHUNK_BYTES = 262_144

/**
 * Compresses a file in the thread pool and replaces it with the result. The result is written as `temporaryName`, renamed to
 * `name` with `.gz` once it is complete and synced, and only then is the original deleted. If the process stops at any point,
 * one of the two files is complete.
 *
 * The process does not stay alive for this: between two chunks nothing keeps the event loop running. A stream pipeline would,
 * because it always has a call in progress.
 *
 * @returns Whether the file was compressed and deleted. It is false if other code has written to the file, renamed or deleted it
 *   meanwhile.
 * @throws The system's error, or the signal's reason; EINVAL or EEXIST if `isOwnRegularFile` is false for the original, or for
 *   an existing file that has the name of the result.
 */
export async function gzipFile(
  directory: GzipDirectory,
  name: string,
  temporaryName: string,
  signal: AbortSignal,
): Promise<boolean> {
  const compressedName = `${name}.gz`
  let hasTemporary = false
  try {
    const before = await withFile(directory.pathOf(name), readFlags, async (source) => {
      const stats = await source.stat()
      if (!directory.isOwnRegularFile(stats)) throw errorWithCode('EINVAL', 'not a rotated file')
      await withFile(directory.pathOf(temporaryName), 'wx', async (target) => {
        hasTemporary = true
        await compress(source, target, signal)
        await copyMetadataAndSync(target, stats)
      })
      return stats
    })
    const after = await lstat(directory.pathOf(name))
    // Another process that still has the file open may have written to it meanwhile.
    if (fileKeyOf(after) !== fileKeyOf(before) || after.size !== before.size)
      return await discard(directory, temporaryName)
    await checkReplaceable(directory, compressedName)
    await rename(directory.pathOf(temporaryName), directory.pathOf(compressedName))
    await unlink(directory.pathOf(name))
    return true
  } catch (error) {
    if (hasTemporary) await discard(directory, temporaryName)
    // Another process has compressed or deleted the file.
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}

/**
 * Throws EEXIST if the name of the compressed file is in use and `isOwnRegularFile` is false for what it refers to. If it is true, the
 * file may be replaced: it is from a process that stopped before it deleted the original.
 */
async function checkReplaceable(directory: GzipDirectory, name: string): Promise<void> {
  const stats = await lstat(directory.pathOf(name)).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error
  })
  if (stats !== undefined && !directory.isOwnRegularFile(stats)) throw errorWithCode('EEXIST', 'not a rotated file')
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
  for (let position = 0; ;) {
    const { bytesRead } = await source.read(buffer, 0, CHUNK_BYTES, position)
    if (bytesRead === 0) break
    position += bytesRead
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

/** Waits 1 ms, on a timer that does not keep the process alive as `setImmediate` would. */
function pause(): Promise<void> {
  return new Promise((resolve) => void delay(1, resolve))
}

/** Copies the original's owner, mode and times to the compressed file and syncs it, because the original is deleted next. */
async function copyMetadataAndSync(target: FileHandle, { mode, uid, gid, atime, mtime }: Stats): Promise<void> {
  // Only the superuser can change the owner. For other users the new file already has the right owner.
  await target.chown(uid, gid).catch(() => {})
  await target.chmod(mode & 0o777)
  await target.utimes(atime, mtime)
  await target.sync()
}

/** Deletes the temporary file. Returns false, which is the result of `gzipFile` in this case. */
async function discard(directory: GzipDirectory, temporaryName: string): Promise<false> {
  await unlink(directory.pathOf(temporaryName)).catch(() => {})
  return false
}

function errorWithCode(code: string, message: string): Error {
  return addMembers(new Error(message), { code })
}
