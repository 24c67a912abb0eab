import { closeSync, fstatSync, readSync, statSync } from 'node:fs'
import { DescriptorSource } from './descriptor-source.ts'
import type { InputOptions, LineChunk } from './line-chunk.ts'
import { openForReading, STANDARD_INPUT } from './open-source.ts'
import { readInput, type StartedSource } from './read-input.ts'
import { isPlainFile } from './text-source.ts'

/**
 * Reads the whole lines in the last bytes of a file as chunks.
 *
 * @returns undefined if the file has no more bytes than these, or cannot be read from its end: a pipe, a compressed file, a file that cannot
 * be opened
 */
export function readEnd(
  file: string,
  bytes: number,
  options: InputOptions,
): AsyncIterableIterator<LineChunk, undefined> | undefined {
  const opened = file === STANDARD_INPUT ? undefined : openEnd(file, bytes)
  return opened && readInput(file, () => opened, options)
}

function openEnd(file: string, bytes: number): StartedSource | undefined {
  let fd: number | undefined
  try {
    if (!statSync(file).isFile()) return undefined
    fd = openForReading(file)
    const stats = fstatSync(fd)
    const offset = stats.isFile() && isPlainFile(file, fd) ? lineStart(fd, stats.size - bytes) : undefined
    if (offset !== undefined) return { source: new DescriptorSource(fd, offset), fileDescriptor: fd, offset }
  } catch {
    // Reading the file from its start reports the error.
  }
  if (fd !== undefined) closeSync(fd)
  return undefined
}

/** Returns where the first line after a position starts; undefined if the line at the position is long. */
function lineStart(fd: number, position: number): number | undefined {
  if (position <= 0) return undefined
  const block = Buffer.allocUnsafe(maxPartBytes)
  const newline = block.subarray(0, readSync(fd, block, 0, maxPartBytes, position)).indexOf(10)
  return newline === -1 ? undefined : position + newline + 1
}

const maxPartBytes = 65_536
