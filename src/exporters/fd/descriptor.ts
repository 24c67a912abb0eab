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

/** What stands behind a file descriptor. `device` is a character or block device that is no terminal. */
export type DescriptorKind = 'file' | 'fifo' | 'tty' | 'socket' | 'device'

/** A place to write to with `fs.writeSync`, which answers EAGAIN where it would have to wait. */
export interface Descriptor {
  /** The descriptor to write to; not always the one that was asked for. */
  readonly fd: number
  readonly kind: DescriptorKind
  /** `dev:ino`: equal for two descriptors of one destination. */
  readonly key: string
  /** The open file description is ours alone and appends: its position moves by our writes only. */
  readonly own: boolean
  /** The file ends inside a line that an earlier process could not finish. */
  readonly torn: boolean
  /**
   * Sees to it that the next write does not wait, where others can change that: the flags of a socket are shared. Node
   * has it block when a child is started that inherits it as a standard stream, and at its end puts back the flags with
   * which it began. One system call; undefined where nobody can.
   */
  readonly unblock: (() => void) | undefined
  /** Releases what was opened here, never the descriptor that was asked for. */
  close(): void
}

const { O_NONBLOCK, O_NOCTTY } = openFlags

/**
 * Makes a descriptor writable without ever blocking the event loop.
 *
 * Pipes and terminals are opened anew through `/proc/self/fd`: O_NONBLOCK belongs to the open file description (POSIX
 * open, fcntl), and the given one may be shared with a shell or a parent that must not see it change. Sockets cannot be
 * opened anew, nor can a pipe without readers or of another user: for them Node's own handle sets the flag, as it does
 * for every program that touches `process.stdout`, and puts it back at exit. Files and devices stay as they are.
 *
 * @throws the system's error when the descriptor is not open.
 */
export function writableDescriptor(fd: number): Descriptor {
  const { kind, key } = identify(fd)
  if (kind === 'fifo' || kind === 'tty' || (kind === 'file' && appends(fd))) {
    const open = (flags: number) => openSync(`/proc/self/fd/${fd}`, flags)
    const opened = orUndefined(() => open(constants.O_WRONLY | O_NONBLOCK | O_NOCTTY | constants.O_APPEND))
    if (opened !== undefined) return owned(opened, kind, key, open)
  }
  const unblock = kind === 'socket' || kind === 'fifo' ? makeNonBlocking(fd) : undefined
  return { fd, kind, key, own: false, torn: false, unblock, close: () => {} }
}

/**
 * Opens a file to append to, or a named pipe or device by its path. `mkdir`: directories that are missing are made.
 *
 * @throws UntrustedPathError, or the system's error; ENXIO for a named pipe that nobody reads.
 */
export function openForAppending(path: string, mode: number, mkdir = false): Descriptor {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | O_NONBLOCK | O_NOCTTY
  return atLogPath(path, mkdir, (place) => {
    const fd = place.open(flags, mode)
    try {
      const { kind, key } = identify(fd)
      return owned(fd, kind, key, (reading) => place.open(reading))
    } catch (error) {
      closeSync(fd)
      throw error
    }
  })
}

/**
 * One text for one path, by whatever links of this user or root it is reached: what a file is called whose number changes. A path
 * that is not to be written to is itself.
 */
export function placeOf(path: string): string {
  try {
    return atLogPath(
      path,
      false,
      ({ directory, name }) => `file:${join(realpathSync(directory.at('../../export/write')), name)}`,
    )
  } catch {
    return `file:${path}`
  }
}

/**
 * Says what a descriptor is.
 *
 * @throws the system's error when it is not open.
 */
export function identify(fd: number): { readonly kind: DescriptorKind; readonly key: string } {
  const stats = fstatSync(fd)
  return { kind: kindOf(fd, stats), key: keyOf(stats) }
}

/** The `key` of the descriptors of a file. */
export function keyOf({ dev, ino }: Pick<Stats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`
}

/** How much a destination takes at once where that is known, in bytes: an empty pipe 64 KiB (Linux, pipe(7)). */
export function takenAtOnce(kind: DescriptorKind | undefined): number | undefined {
  return kind === 'fifo' ? 65_536 : undefined
}

/** Whether bytes of other writers can fall between two writes, and inside one that the system accepts in part. */
export function canInterleave(kind: DescriptorKind | undefined): boolean {
  return kind === 'fifo' || kind === 'socket'
}

function kindOf(fd: number, stats: Stats): DescriptorKind {
  if (stats.isFile()) return 'file'
  if (stats.isFIFO()) return 'fifo'
  if (stats.isSocket()) return 'socket'
  return isTerminal(fd, stats) ? 'tty' : 'device'
}

/** `node:tty` is loaded only for character devices: loading it takes more than 1 ms of a process start. */
function isTerminal(fd: number, stats: Stats): boolean {
  return stats.isCharacterDevice() && builtinModule('node:tty')!.isatty(fd)
}

/** @param open - opens the same destination with other flags. */
function owned(fd: number, kind: DescriptorKind, key: string, open: (flags: number) => number): Descriptor {
  const torn = kind === 'file' && endsInsideLine(fd, open)
  return { fd, kind, key, own: true, torn, unblock: undefined, close: () => closeSync(fd) }
}

/**
 * A process that was killed may have left half a line; what we append must not continue it. One that is in the middle of a
 * write is about to end its line: it is waited for.
 */
function endsInsideLine(fd: number, open: (flags: number) => number): boolean {
  if (fstatSync(fd).size === 0) return false
  // Another file may be at the path by now, or a pipe for which opening would wait.
  const reader = orUndefined(() => open(constants.O_RDONLY | O_NONBLOCK | O_NOCTTY))
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

/** Whether the last byte is a newline; as good as one where somebody has just emptied the file. */
function endsInNewline(reader: number): boolean {
  const { size } = fstatSync(reader)
  const last = new Uint8Array(1)
  return size === 0 || readSync(reader, last, 0, 1, size - 1) === 0 || last[0] === 10
}

/**
 * A long write makes a file longer page by page, and holds the inode's lock until it is done (Linux, ext4, xfs and tmpfs). To
 * give a file the mode that it has takes the same lock.
 */
function waitForWriters(fd: number): void {
  try {
    fchmodSync(fd, fstatSync(fd).mode & 0o7777)
  } catch {
    // Another user's file: refused, but not before the lock was free.
  }
}

function orUndefined<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

function appends(fd: number): boolean {
  return (descriptorFlags(fd) & constants.O_APPEND) !== 0
}

/** The flags of the open file description, or 0 where the system does not tell. */
function descriptorFlags(fd: number): number {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, asLatin1))
    return flags === null ? 0 : Number.parseInt(flags[1]!, 8)
  } catch {
    return 0
  }
}

// Closing such a handle would close the user's descriptor, so they live as long as the process.
const handles: Socket[] = []

/** Has Node set O_NONBLOCK. Returns what sets it again, if Node can. */
function makeNonBlocking(fd: number): (() => void) | undefined {
  try {
    const stream = handleOf(fd)
    return stream === undefined ? undefined : unblocking(stream)
  } catch {
    // Not a stream that Node knows: writes to it may then block, as they do for console.log.
    return undefined
  }
}

/** Nothing is written to these streams. */
function handleOf(fd: number): object | undefined {
  // Touching the standard ones is enough; in a worker they are not the descriptors.
  if (isMainThread && fd === 1) return process.stdout
  if (isMainThread && fd === 2) return process.stderr
  // A worker's end closes its handles, and with them any descriptor above 2: there, writes may block instead.
  if (!isMainThread && fd > 2) return undefined
  const stream = handle(fd)
  handles.push(stream)
  return stream
}

/** Node has no public call for it, and its handles of pipes and sockets have had this one since 0.12. */
function unblocking(stream: object): (() => void) | undefined {
  const handle = member(stream as { _handle?: { setBlocking?: (blocks: boolean) => unknown } }, '_handle')
  const setBlocking = handle && member(handle, 'setBlocking')
  return typeof setBlocking === 'function' ? () => void setBlocking.call(handle, false) : undefined
}

function handle(fd: number): Socket {
  // Loaded here only: it costs a program that writes to a pipe or file 2 to 3 ms at its start.
  const { Socket } = process.getBuiltinModule('node:net')
  const socket = new Socket({ fd, readable: false, writable: true })
  socket.on('error', () => {})
  return socket.unref()
}
