import { member } from '../../options/own-members.ts'

/** `process.stdout` or `process.stderr`, and the descriptor to which lines are written directly. */
export class StandardStream {
  readonly stream: NodeJS.WriteStream
  readonly fd: number
  /** `write` as Node defines it. */
  private readonly originalWrite: unknown
  /** Whether the function that other code has assigned to `write` is running. */
  private isReplacementRunning = false

  constructor(stream: NodeJS.WriteStream, fd: number) {
    this.stream = stream
    this.fd = fd
    this.originalWrite = (stream.constructor as { prototype?: { write?: unknown } }).prototype?.write
  }

  /**
   * Whether other code has replaced `write`, as test runners and tools that capture output do. Lines are then passed to the
   * replacement. False while the replacement runs, so that what it logs is written to the descriptor and not passed to it again.
   */
  get isWriteReplaced(): boolean {
    return this.stream.write !== this.originalWrite && !this.isReplacementRunning
  }

  /** Passes text to the function that has replaced `write`. Returns what that function returns, and throws what it throws. */
  writeToReplacement(text: string | Uint8Array): unknown {
    this.isReplacementRunning = true
    try {
      return this.stream.write(text)
    } finally {
      this.isReplacementRunning = false
    }
  }
}

const standardStreams = new WeakMap<object, StandardStream>()

/**
 * Returns the standard stream for a stream, or undefined if it is not one. Only standard streams have a descriptor that Node
 * never closes or reuses. In a worker thread they have none: Node sends their text to the main thread.
 */
export function asStandardStream(stream: unknown): StandardStream | undefined {
  const fd = fdOf(stream)
  return fd === undefined ? undefined : standardStreamOf(stream as NodeJS.WriteStream, fd)
}

/**
 * Returns the standard output or error for a logger without a configured stream. In a worker thread, too, lines are written to
 * the descriptor.
 */
export function standardStream(fd: 1 | 2): StandardStream {
  return standardStreamOf(fd === 1 ? process.stdout : process.stderr, fd)
}

/** Returns the one object of a stream. All loggers share it, because each must detect that the replaced `write` is running. */
function standardStreamOf(stream: NodeJS.WriteStream, fd: number): StandardStream {
  const shared = standardStreams.get(stream) ?? new StandardStream(stream, fd)
  standardStreams.set(stream, shared)
  return shared
}

function fdOf(stream: unknown): 1 | 2 | undefined {
  const fd = member(Object(stream) as { fd?: unknown }, 'fd')
  // Compare the descriptor first: reading `process.stdout` opens it, which a program that uses another stream may not need.
  if (fd === 1 && stream === process.stdout) return 1
  return fd === 2 && stream === process.stderr ? 2 : undefined
}
