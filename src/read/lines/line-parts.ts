import type { HeldLine } from './held-line.ts'
import type { EnvelopeContext } from './envelope-context.ts'

/** The parts of a line that a container runtime split. */
export class LineParts {
  /** The line in the queue, whose text is not complete. */
  readonly line: HeldLine
  /** What the envelope of the first part has. */
  readonly context: EnvelopeContext
  /** The number of UTF-16 units of the parts. */
  length: number
  /** Whether the last part is shorter than those of a container runtime, so that it may be all that a program wrote before it ended. */
  isShort: boolean
  private readonly texts: string[]

  constructor(line: HeldLine, context: EnvelopeContext, text: string) {
    this.line = line
    this.context = context
    this.texts = [text]
    this.length = text.length
    this.isShort = text.length < shortLength
  }

  /** Adds a part. */
  add(text: string, raw: Uint8Array, lineNumber: number): void {
    this.texts.push(text)
    this.line.raw.add(raw)
    this.line.lastLine = lineNumber
    this.length += text.length
    this.isShort = text.length < shortLength
  }

  /** Returns the joined line. */
  text(): string {
    return this.texts.join('')
  }
}

/** Container runtimes split at 16 KiB, which can be fewer characters. */
const shortLength = 4096
