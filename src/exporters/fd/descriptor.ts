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
import { atLogPath } from '../file/log-path.ts'
import { member } from '../../options/own-members.ts'
import { asLatin1 } from '../../platform/node/file-options.ts'

/** The type of what a file descriptor refers to. `device` is a character or block device that is not a terminal. */
export type DescriptorKind = 'file' | 'fifo' | 'tty' | 'socket' | 'device'

/** A destination for `fs.writeSync`, which fails with EAGAIN instead of blocking. */
export interface Descriptor {
  /** The descriptor to write to. It can differ from the descriptor that was configured. */
  readonly fd: number
  readonly kind: DescriptorKind
  /** `dev:ino`: equal for two descriptors of the same destination. */
  readonly key: string
  /** Whether only this object uses the open file description and it has O_APPEND: then only its writes move the position. */
  readonly own: boolean
  /** Whether the file ends with an incomplete line, left by a process that stopped during a write. */
  readonly torn: boolean
  /**
   * Sets O_NONBLOCK again before a write, for sockets, whose flags are shared with other processes. Node clears the flag when
   * it starts a child that inherits the socket as a standard stream, and a Node process restores at its exit the flags it
   * started with. Costs one system call; undefined if the flag cannot be set.
   */
  readonly unblock: (() => void) | undefined
  /** Closes what was opened here, never the configured descriptor. */
  close(): void
}

const { O_NONBLOCK, O_NOCTTY } = openFlags

/**
 * Returns a descriptor for the same destination whose writes never block the event loop.
 *
 * Pipes, terminals and files with O_APPEND are reopened through `/proc/self/fd`: O_NONBLOCK belongs to the open file
 * description (POSIX open, fcntl), which may be shared with a shell or a parent process that must not be affected. Sockets
 * cannot be reopened, nor can a pipe that has no reader or belongs to another user: for these, a Node handle sets the flag, as
 * Node does for every program that uses `process.stdout`, and Node restores it at exit. Other files and devices are used
 * unchanged.
 *
 * @throws The system's error if the descriptor is not open.
 */
export function writableDescriptor(fd: number): Descriptor {
  const { kind, key } = identify(fd)
  if (kind === 'fifo' || kind === 'tty' || (kind === 'file' && appends(fd))) {
    const open = (flags: number) => openSync(`/proc/self/fd/${fd}`, flags)
    const opened = undefinedIfThrows(() => open(constants.O_WRONLY | O_NONBLOCK | O_NOCTTY | constants.O_APPEND))
    if (opened !== undefined) return exclusiveDescriptor(opened, kind, key, open)
  }
  const unblock = kind === 'socket' || kind === 'fifo' ? makeNonBlocking(fd) : undefined
  return { fd, kind, key, own: false, torn: false, unblock, close: () => {} }
}

/**
 * Opens a file for appending, or a named pipe or device, by its path.
 *
 * @param mkdir - Whether missing directories are created.
 * @throws UntrustedPathError, or the system's error, such as ENXIO for a named pipe that has no reader.
 */
export function openForAppending(path: string, mode: number, mkdir = false): Descriptor {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | O_NONBLOCK | O_NOCTTY
  return atLogPath(path, mkdir, (place) => {
    const fd = place.open(flags, mode)
    try {
      const { kind, key } = identify(fd)
      return exclusiveDescriptor(fd, kind, key, (reading) => place.open(reading))
    } catch (error) {
      closeSync(fd)
      throw error
    }
  })
}

/**
 * Returns one name for a path, whichever links of this user or root it is reached through. It identifies a file whose inode
 * changes, for example by rotation. If the path is not trusted or cannot be resolved, the name is made from the path as given.
 */
export function placeOf(path: string): string {
  try {
    return atLogPath(path, false, ({ directory, name }) => `file:${join(realpathSync(directory.at('.')), name)}`)
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
  return { kind: kindOf(fd, stats), key: keyOf(stats) }
}

/** Returns the `key` shared by all descriptors of a file. */
export function keyOf({ dev, ino }: Pick<Stats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`
}

/** Returns how many bytes a destination accepts in one write, if that is known: 64 KiB for an empty pipe (Linux, pipe(7)). */
export function bytesPerWrite(kind: DescriptorKind | undefined): number | undefined {
  return kind === 'fifo' ? 65_536 : undefined
}

/** Returns whether bytes of other writers can end up between two writes, or inside a partial write. */
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

/** @param open - Opens the same destination with other flags. */
function exclusiveDescriptor(
  fd: number,
  kind: DescriptorKind,
  key: string,
  open: (flags: number) => number,
): Descriptor {
  const torn = kind === 'file' && endsInsideLine(fd, open)
  return { fd, kind, key, own: true, torn, unblock: undefined, close: () => closeSync(fd) }
}

/**
 * Returns whether a file ends with an incomplete line, which a killed process may have left and which must not be continued. If
 * another process is writing at the moment, waits for that write to end first.
 */
function endsInsideLine(fd: number, open: (flags: number) => number): boolean {
  if (fstatSync(fd).size === 0) return false
  // The path may refer to another file by now, or to a pipe for which opening without O_NONBLOCK would block.
  const reader = undefinedIfThrows(() => open(constants.O_RDONLY | O_NONBLOCK | O_NOCTTY))
  if (reader === undefined) return false
  try {
    if (keyOf(fstatSync(reader)) !== keyOf(fstatSync(fd))) return false
    return !endsInNewline(reader) && (waitForWriters(fd), !endsInNewline(reader))
  } catch {
    return false
  } finally {
    closeSync(reader)
  }
}

/** Returns whether the last byte is a newline, or the file is empty because another process has just truncated it. */
function endsInNewline(reader: number): boolean {
  const { size } = fstatSync(reader)
  const last = new Uint8Array(1)
  return size === 0 || readSync(reader, last, 0, 1, size - 1) === 0 || last[0] === 10
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

function undefinedIfThrows<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

function appends(fd: number): boolean {
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

// Keep these handles for the lifetime of the process: closing one would close the user's descriptor.
const openHandles: Socket[] = []

/** Sets O_NONBLOCK through Node. Returns a function that sets it again, if Node supports it. */
function makeNonBlocking(fd: number): (() => void) | undefined {
  try {
    const stream = handleOf(fd)
    return stream === undefined ? undefined : unblocking(stream)
  } catch {
    // Node cannot wrap this descriptor as a stream. Writes to it may then block, as they do for console.log.
    return undefined
  }
}

/** Returns a stream whose handle sets O_NONBLOCK. Nothing is ever written to it. */
function handleOf(fd: number): object | undefined {
  // Accessing the standard streams is enough to set the flag. In a worker thread they do not wrap the descriptors.
  if (isMainThread && fd === 1) return process.stdout
  if (isMainThread && fd === 2) return process.stderr
  // A worker closes its handles when it exits, and any descriptor above 2 with them, so writes to those may block instead.
  if (!isMainThread && fd > 2) return undefined
  const stream = handle(fd)
  openHandles.push(stream)
  return stream
}

/** Uses `setBlocking` of the stream's internal handle: Node has no public method for it, and has had this one since 0.12. */
function unblocking(stream: object): (() => void) | undefined {
  const handle = member(stream as { _handle?: { setBlocking?: (blocks: boolean) => unknown } }, '_handle')
  const setBlocking = handle && member(handle, 'setBlocking')
  return typeof setBlocking === 'function' ? () => void setBlocking.call(handle, false) : undefined
}

function handle(fd: number): Socket {
  // Load it only here: it adds 2 to 3 ms to the startup time of a program that writes to a pipe or file.
  const { Socket } = process.getBuiltinModule('node:net')
  const socket = new Socket({ fd, readable: false, writable: true })
  socket.on('error', () => {})
  return socket.unref()
}
