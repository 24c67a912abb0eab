import { fstatSync } from 'node:fs'
import { DescriptorSource } from './descriptor-source.ts'
import type { InputOptions, LineChunk } from './line-chunk.ts'
import { LineRing } from './line-ring.ts'
import { openSource, STANDARD_INPUT } from './open-source.ts'
import { readInput, type StartedSource } from './read-input.ts'
import { tailStart } from './tail-start.ts'
import { isPlainFile } from './text-source.ts'

/**
 * Reads the last lines of an input as chunks of whole lines. A regular file is read from its end, so the numbers of its lines
 * are unknown (NaN). Everything else, such as a pipe or a compressed file, is read from its start, and its last lines are kept in
 * memory.
 *
 * Lines are counted, not records: each stack frame of a record is a line.
 *
 * @param file - A path; `-` is standard input.
 * @param options - `reuseBuffer` has no effect on inputs that are read from their start.
 * @throws InputError if there is no `onInputError`.
 */
export function readTail(
  file: string,
  lines: number,
  options: InputOptions = {},
): AsyncIterableIterator<LineChunk, undefined> {
  const open = (): StartedSource => {
    const opened = openSource(file)
    const { fileDescriptor: fd } = opened
    if (file === STANDARD_INPUT || fd === undefined || !isPlainFile(file, fd)) {
      return { ...opened, lastLines: new LineRing(lines) }
    }
    const offset = lines === 0 ? fstatSync(fd).size : tailStart(fd, lines)
    return offset === 0 ? opened : { source: new DescriptorSource(fd, offset), fileDescriptor: fd, offset }
  }
  return readInput(file, open, options)
}
