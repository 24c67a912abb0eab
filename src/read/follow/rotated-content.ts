import { DescriptorSource } from '../input/descriptor-source.ts'
import type { LineChunk } from '../input/line-chunk.ts'
import { readInput, type StartedSource } from '../input/read-input.ts'
import type { ContentMark } from './content-mark.ts'
import type { Generation } from './generation.ts'
import type { RotatedFile } from './rotated-files.ts'

/** Returns the file that is a copy of a content. One that is not compressed is preferred, because the rest can be read directly. */
export function findCopy(mark: ContentMark, files: readonly RotatedFile[]): RotatedFile | undefined {
  const copies = files.filter(({ head }) => mark.hasHead(head))
  const plain = copies.filter(({ compression }) => compression === undefined)
  return plain.findLast(({ fd }) => mark.isIn(fd)) ?? plain.at(-1) ?? copies.at(-1)
}

/** Returns the lines of a content that are in a copy of it and were not read. */
export async function* readRest(old: Generation, copy: RotatedFile, now: number): AsyncGenerator<LineChunk, undefined> {
  if (copy.compression === undefined) {
    old.continueIn(copy.fd)
    yield* old.read(now)
    return
  }
  const start = old.mark.position
  for await (const { bytes, offset } of readCompressed(copy)) {
    yield* old.feed(bytes.subarray(Math.max(0, start - offset)))
  }
}

/** Returns the lines of a compressed file, as far as they can be read, and closes it. */
export function readCompressed(file: RotatedFile): AsyncGenerator<LineChunk, undefined> {
  return readOnce(file.name, () => ({ source: new DescriptorSource(file.fd, 0), fileDescriptor: undefined }))
}

/** Returns the lines of an input that does not grow, as far as they can be read. */
export async function* readOnce(name: string, open: () => StartedSource): AsyncGenerator<LineChunk, undefined> {
  for await (const chunk of readInput(name, open, { onInputError: () => {} })) {
    // Other lines follow the end of this input.
    if (chunk.bytes.length > 0) yield { ...chunk, isEnd: false }
  }
}
