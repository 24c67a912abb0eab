import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { isMainThread } from '../../platform/node/main-thread.ts'
import { builtinModule } from '../../platform/node/builtin-module.ts'
import { openFlags } from '../../platform/node/open-flags.ts'
import { withLogLocation } from '../file/log-path.ts'
import { member } from '../../options/own-members.ts'
import { errorCode } from './write-errors.ts'
import { asLatin1 } from '../../platform/node/file-options.ts'

/** The type of what a file descriptor refers to. `device` is a character or block device that is not a terminal. */
export type DescriptorKind = 'file' | 'fifo' | 'tty' | 'socket' | 'device'

/** A destination for `fs.writeSync`. If O_NONBLOCK is set, a write fails with EAGAIN instead of blocking. */
export interface Descriptor {
  /** The descriptor to write to. It can differ from the descriptor that was configured. */
  readonly fd: number
  readonly kind: DescriptorKind
  /** `dev:ino`: equal for two descriptors of the same destination. */
  readonly key: string
  /** Whether the open file description has O_APPEND and only this object uses it, so that only writes to `fd` move its position. */
  readonly isExclusive: boolean
  /**
   * Whether the file ended with an incomplete line when it was opened here, left by a process that stopped during a write. False if it was
   * not opened here or its end cannot be read.
   */
  readonly endsInsideLine: boolean
  /**
   * Sets O_NONBLOCK again before a write, for a descriptor whose flags are shared with other processes. Node clears the flag when
   * it starts a child that inherits it as a standard stream, and a Node process restores at its exit the flags it
   * started with. Costs one system call. Undefined if the flags are not shared, or the flag is not or cannot be set.
   */
  readonly setNonBlocking: (() => void) | undefined
  /** Closes what was opened here, never the configured descriptor. */
  close(): void
}

const { O_NONBLOCK, O_NOCTTY } = openFlags

/**
 * Returns a descriptor for the same destination, with O_NONBLOCK if possible, so that its writes do not block the event loop.
 *
 * Pipes, terminals and files with O_APPEND are reopened through `/proc/self/fd`: O_NONBLOCK belongs to the open file
 * description (POSIX open, fcntl), which may be shared with a shell or a parent process that must not be affected. Sockets
 * cannot be reopened, nor can a pipe that has no reader or belongs to another user: for these, a Node handle sets the flag if possible, as
 * Node does for every program that uses `process.stdout`, and Node restores the flag at exit. Everything else is used unchanged, so
 * writes may block: devices, files without O_APPEND, and files and terminals that cannot be reopened.
 *
 * @throws The system's error if the descriptor is not open.
 */
export function nonBlockingDescriptor(fd: number): Descriptor {
  const { kind, key } = identify(fd)
  if (kind === 'fifo' || kind === 'tty' || (kind === 'file' && hasAppendFlag(fd))) {
    const open = (flags: number) => openSync(`/proc/self/fd/${fd}`, flags)
    const reopened = undefinedIfThrows(() => open(constants.O_WRONLY | O_NONBLOCK | O_NOCTTY | constants.O_APPEND))
    if (reopened !== undefined) return exclusiveDescriptor(reopened, kind, key, open)
  }
  const setNonBlocking = kind === 'socket' || kind === 'fifo' ? makeNonBlocking(fd) : undefined
  return { fd, kind, key, isExclusive: false, endsInsideLine: false, setNonBlocking, close: () => {} }
}

/**
 * Opens a file for appending, or a named pipe or device, by its path.
 *
 * @param mkdir - Whether missing directories are created.
 * @throws UntrustedPathError, or the system's error, such as ENXIO for a named pipe that has no reader.
 */
export function openForAppending(path: string, mode: number, mkdir = false): Descriptor {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | O_NONBLOCK | O_NOCTTY
  return withLogLocation(path, { mkdir }, (location) => {
    const fd = location.open(flags, mode)
    try {
      const { kind, key } = identify(fd)
      return exclusiveDescriptor(fd, kind, key, (otherFlags) => location.open(otherFlags))
    } catch (error) {
      closeSync(fd)
      throw error
    }
  })
}

/**
 * Returns the `place` of a log file in `Exporter.destination`: the same name for all paths that lead to one directory entry through links
 * of this user or root. It does not change with the inode of the file, for example by rotation. If the path is not trusted
 * or cannot be resolved, the name contains the path as it was passed.
 */
export function resolvePlace(path: string): string {
  try {
    return withLogLocation(
      path,
      { mkdir: false },
      ({ directory, name }) => `file:${join(realpathSync(directory.pathOf('.')), name)}`,
    )
  } catch {
    return `file:${path}`
  }
}

/**
 * Returns the kind and the key of a descriptor.
 *
 * @throws The system's error if it is not open.
 */
export function identify(fd: number): { readonly kind: DescriptorKind; readonly key: string } {
  const stats = fstatSync(fd)
  return { kind: kindOf(fd, stats), key: fileKeyOf(stats) }
}

/** Returns the key of a descriptor; undefined if it is not open. */
export function fileKeyIfOpen(fd: number): string | undefined {
  return undefinedIfThrows(() => fileKeyOf(fstatSync(fd)))
}

/**
 * Closes a descriptor if it still refers to the same file. If other code has closed it, its number may already refer to another file.
 * Never throws.
 *
 * @param key - The key of the descriptor when it was opened; undefined if it was not open.
 * @returns The code of the system's error, EBADF if other code has closed the descriptor; undefined if closing succeeded
 *   or the descriptor was not open.
 */
export function closeIfSameFile(fd: number, key: string | undefined): string | undefined {
  if (fileKeyIfOpen(fd) !== key) return 'EBADF'
  try {
    if (key !== undefined) closeSync(fd)
    return undefined
  } catch (error) {
    return errorCode(error)
  }
}

/** Returns the `key` of a file, `dev:ino`, which is equal for all its descriptors and paths. */
export function fileKeyOf({ dev, ino }: Pick<Stats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`
}

/** Returns how many bytes a destination accepts in one write; undefined if that is unknown. An empty pipe accepts 64 KiB (pipe(7)). */
export function bytesPerWrite(kind: DescriptorKind | undefined): number | undefined {
  return kind === 'fifo' ? 65_536 : undefined
}

/**
 * Returns whether the destination is a pipe or socket. When one of these is nearly full, it accepts only a part of a write, and then bytes
 * of other writers can end up inside a line.
 */
export function canInterleave(kind: DescriptorKind | undefined): boolean {
  return kind === 'fifo' || kind === 'socket'
}

function kindOf(fd: number, stats: Stats): DescriptorKind {
  if (stats.isFile()) return 'file'
  if (stats.isFIFO()) return 'fifo'
  if (stats.isSocket()) return 'socket'
  return isTerminal(fd, stats) ? 'tty' : 'device'
}

/** Loads `node:tty` only for character devices, because loading it adds more than 1 ms to the startup time. */
function isTerminal(fd: number, stats: Stats): boolean {
  return stats.isCharacterDevice() && builtinModule('node:tty')!.isatty(fd)
}

/**
 * Returns a descriptor that no other code uses.
 *
 * @param open - Opens the same destination with other flags.
 */
function exclusiveDescriptor(
  fd: number,
  kind: DescriptorKind,
  key: string,
  open: (flags: number) => number,
): Descriptor {
  const endsInsideLine = kind === 'file' && fileEndsInsideLine(fd, open)
  return {
    fd,
    kind,
    key,
    isExclusive: true,
    endsInsideLine,
    setNonBlocking: undefined,
    close: () => void closeIfSameFile(fd, key),
  }
}

/**
 * Returns whether a file ends with an incomplete line, which a killed process may have left and which must not be continued. If the
 * file does not end with a newline because another process is writing, waits until that write has ended. Returns false if the end
 * cannot be read.
 */
function fileEndsInsideLine(fd: number, open: (flags: number) => number): boolean {
  if (fstatSync(fd).size === 0) return false
  // The path may refer to another file by now, or to a pipe for which opening without O_NONBLOCK would block.
  const reader = undefinedIfThrows(() => open(constants.O_RDONLY | O_NONBLOCK | O_NOCTTY))
  if (reader === undefined) return false
  try {
    if (fileKeyOf(fstatSync(reader)) !== fileKeyOf(fstatSync(fd))) return false
    return !isEmptyOrEndsInNewline(reader) && (waitForWriters(fd), !isEmptyOrEndsInNewline(reader))
  } catch {
    return false
  } finally {
    closeSync(reader)
  }
}

/** Returns whether the last byte is a newline, or the file is empty because another process has just truncated it. */
function isEmptyOrEndsInNewline(reader: number): boolean {
  const { size } = fstatSync(reader)
  const lastByte = new Uint8Array(1)
  return size === 0 || readSync(reader, lastByte, 0, 1, size - 1) === 0 || lastByte[0] === 10
}

/**
 * Waits until other writers release the inode's lock. A long write extends the file page by page and holds this lock until it
 * is done (Linux: ext4, xfs and tmpfs); changing a file's mode, even to the same mode, takes the same lock.
 */
function waitForWriters(fd: number): void {
  try {
    fchmodSync(fd, fstatSync(fd).mode & 0o7777)
  } catch {
    // The file belongs to another user. The system rejects the change only after it has acquired the lock.
  }
}

/** Returns the result of a function, or undefined if it throws. */
function undefinedIfThrows<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

function hasAppendFlag(fd: number): boolean {
  return (descriptorFlags(fd) & constants.O_APPEND) !== 0
}

/** Returns the flags of the open file description, or 0 if the system does not provide them. */
function descriptorFlags(fd: number): number {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, asLatin1))
    return flags === null ? 0 : Number.parseInt(flags[1]!, 8)
  } catch {
    return 0
  }
}

// Kept for the lifetime of the process, because a socket that is closed closes the user's descriptor.
const retainedSockets: Socket[] = []

/** Sets O_NONBLOCK through Node, if possible. Returns a function that sets it again, or undefined if Node does not support that. */
function makeNonBlocking(fd: number): (() => void) | undefined {
  try {
    const stream = nonBlockingStream(fd)
    return stream === undefined ? undefined : nonBlockingSetter(stream)
  } catch {
    // Node cannot wrap this descriptor as a stream. Writes to it may then block, as they do for console.log.
    return undefined
  }
}

/**
 * Returns a stream of a descriptor, whose creation has set O_NONBLOCK; undefined if no stream can be created safely. This package writes
 * nothing to it.
 */
function nonBlockingStream(fd: number): object | undefined {
  // Accessing the standard streams is enough to set the flag. In a worker thread they do not wrap the descriptors.
  if (isMainThread && fd === 1) return process.stdout
  if (isMainThread && fd === 2) return process.stderr
  // A worker thread that exits closes its handles and their descriptors, except the descriptors 0 to 2. So no handle is created for a
  // descriptor above 2, and writes to it may block.
  if (!isMainThread && fd > 2) return undefined
  const stream = newSocket(fd)
  retainedSockets.push(stream)
  return stream
}

/**
 * Returns a function that sets O_NONBLOCK through `setBlocking` of the stream's internal handle, or undefined if the stream has no such
 * handle. Node has no public method for it, and has had this one since 0.12.
 */
function nonBlockingSetter(stream: object): (() => void) | undefined {
  const handle = member(stream as { _handle?: { setBlocking?: (blocks: boolean) => unknown } }, '_handle')
  const setBlocking = handle && member(handle, 'setBlocking')
  return typeof setBlocking === 'function' ? () => void setBlocking.call(handle, false) : undefined
}

/** Creates a socket for a descriptor. It does not keep the process alive, and its errors are ignored. */
function newSocket(fd: number): Socket {
  // Load `node:net` only here, because loading it adds 2 to 3 ms to the startup time.
  const { Socket } = process.getBuiltinModule('node:net')
  const socket = new Socket({ fd, readable: false, writable: true })
  socket.on('error', () => {})
  return socket.unref()
}
