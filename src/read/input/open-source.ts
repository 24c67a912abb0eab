import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs'
import type { Readable } from 'node:stream'
import { addMembers } from '../../options/define-member.ts'
import { withoutPrototype } from '../../options/own-members.ts'
import { openFlags } from '../../platform/node/open-flags.ts'
import type { ByteSource } from './byte-source.ts'
import { DescriptorSource } from './descriptor-source.ts'
import { StreamSource } from './stream-source.ts'

/** An open input. */
export interface OpenSource {
  readonly source: ByteSource
  /** The descriptor of a regular file; undefined for everything else. */
  readonly fileDescriptor: number | undefined
}

/** The name of standard input. */
export const STANDARD_INPUT = '-'

/** Whether standard input was opened. Its bytes can be read only once, so it is empty when it is opened again. */
let isStandardInputUsed = false

/**
 * Opens a file, a pipe, a device or standard input. Links are followed. A named pipe without a writer is opened immediately, and
 * its first read waits for the writer.
 *
 * @throws The system's error; EISDIR for a directory.
 */
export function openSource(file: string): OpenSource {
  return file === STANDARD_INPUT ? openStandardInput() : sourceOf(openForReading(file))
}

/**
 * Opens a file that the user has named, without blocking on a named pipe.
 *
 * @throws The system's error.
 */
export function openForReading(path: string): number {
  return openSync(path, constants.O_RDONLY | openFlags.O_NONBLOCK | openFlags.O_NOCTTY)
}

function openStandardInput(): OpenSource {
  if (isStandardInputUsed) return { source: new StreamSource(emptyStream()), fileDescriptor: undefined }
  isStandardInputUsed = true
  const stats = fstatSync(0)
  // The process that started this one may have read a part of the file, so reading starts at the descriptor's position.
  if (stats.isFile()) return { source: new DescriptorSource(0, null), fileDescriptor: 0 }
  if (stats.isDirectory()) throw addMembers(new Error('a directory'), { code: 'EISDIR' })
  return { source: new StreamSource(process.stdin), fileDescriptor: undefined }
}

function sourceOf(fd: number): OpenSource {
  try {
    const stats = fstatSync(fd)
    if (stats.isDirectory()) throw addMembers(new Error('a directory'), { code: 'EISDIR' })
    if (stats.isFile()) return { source: new DescriptorSource(fd, 0), fileDescriptor: fd }
    const stream = streamOf(fd, stats)
    const source = stream === undefined ? new DescriptorSource(fd, null) : new StreamSource(stream)
    return { source, fileDescriptor: undefined }
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** Returns a stream of a pipe, a socket or a terminal; undefined for other devices. */
function streamOf(fd: number, stats: Stats): Readable | undefined {
  if (stats.isFIFO() || stats.isSocket()) {
    const { Socket } = process.getBuiltinModule('node:net')
    return new Socket(withoutPrototype({ fd, readable: true, writable: false }))
  }
  if (!stats.isCharacterDevice()) return undefined
  const { isatty, ReadStream } = process.getBuiltinModule('node:tty')
  return isatty(fd) ? new ReadStream(fd) : undefined
}

function emptyStream(): Readable {
  const { Readable } = process.getBuiltinModule('node:stream')
  return Readable.from([])
}
