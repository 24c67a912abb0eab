import { member } from '../../options/own-members.ts'

/** `process.stdout` or `process.stderr`, and the descriptor that lines are written to instead of it. */
export class StandardStream {
  readonly stream: NodeJS.WriteStream
  readonly fd: number
  /** `write` as Node defines it. */
  private readonly nodesWrite: unknown
  private isWriting = false

  constructor(stream: NodeJS.WriteStream, fd: number) {
    this.stream = stream
    this.fd = fd
    this.nodesWrite = (stream.constructor as { prototype?: { write?: unknown } }).prototype?.write
  }

  /**
   * Whether other code has replaced `write`, as test runners and tools that capture output do. Lines are then passed to that
   * function. False while it runs, so that anything it logs is written to the descriptor and not passed to itself.
   */
  get isReplaced(): boolean {
    return this.stream.write !== this.nodesWrite && !this.isWriting
  }

  /** Passes text to the function that has replaced `write`. Returns and throws what it does. */
  write(text: string | Uint8Array): unknown {
    this.isWriting = true
    try {
      return this.stream.write(text)
    } finally {
      this.isWriting = false
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
  return fd === undefined ? undefined : shared(stream as NodeJS.WriteStream, fd)
}

/**
 * Returns the standard output or error for a logger without a configured stream. In a worker thread, too, lines are written to
 * the descriptor.
 */
export function standardStream(fd: 1 | 2): StandardStream {
  return shared(fd === 1 ? process.stdout : process.stderr, fd)
}

/** Returns the shared object of a stream, because all writers to it must detect that its `write` is running. */
function shared(stream: NodeJS.WriteStream, fd: number): StandardStream {
  const standard = standardStreams.get(stream) ?? new StandardStream(stream, fd)
  standardStreams.set(stream, standard)
  return standard
}

function fdOf(stream: unknown): 1 | 2 | undefined {
  const fd = member(Object(stream) as { fd?: unknown }, 'fd')
  // Reading `process.stdout` opens it, which a program that uses another stream may not need.
  if (fd === 1 && stream === process.stdout) return 1
  return fd === 2 && stream === process.stderr ? 2 : undefined
}
