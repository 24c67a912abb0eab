import { define } from '../options/define-member.ts'
import { member } from '../options/own-members.ts'
import { builtinModule } from '../platform/node/builtin-module.ts'
import type { BodyCapture } from './body-capture.ts'
import type { NodeRequest, NodeResponse } from './node-message.ts'

/** The members of a request's stream. */
interface RequestStream {
  readonly readableDidRead?: boolean
  readonly readableLength?: number
  push?(chunk: unknown, encoding?: unknown): unknown
}

type Write = (...args: unknown[]) => unknown

/**
 * Copies the body of a request while the server receives it. The stream is neither read nor delayed: Node calls `push` for each part
 * that arrives, and the program reads it from the stream as usual.
 */
export function captureRequestBody(request: NodeRequest, body: BodyCapture): void {
  const stream = request as RequestStream
  const push = member(stream, 'push')
  // What arrived before cannot be copied without reading it.
  if (typeof push !== 'function' || stream.readableDidRead === true || (stream.readableLength ?? 0) > 0) return
  override(request, 'push', function pushCaptured(this: unknown, chunk, encoding) {
    if (chunk === null) body.isComplete = true
    else body.add(asBytes(chunk, encoding))
    return push.call(this as RequestStream, chunk, encoding)
  })
}

/** Copies the body of a response while the program writes it. */
export function captureResponseBody(response: NodeResponse, body: BodyCapture): void {
  const { write, end } = response as unknown as { readonly write?: Write; readonly end?: Write }
  if (typeof write !== 'function' || typeof end !== 'function') return
  override(response, 'write', function writeCaptured(this: unknown, ...args) {
    // In HTTP/2, `end` calls `write`.
    if (!body.isComplete) body.add(asBytes(args[0], args[1]))
    return write.apply(this, args)
  })
  override(response, 'end', function endCaptured(this: unknown, ...args) {
    if (!body.isComplete) body.add(asBytes(args[0], args[1]))
    body.isComplete = true
    return end.apply(this, args)
  })
}

/** Returns the bytes of a text in another encoding than UTF-8, undefined if it is unknown; any other chunk unchanged. */
function asBytes(chunk: unknown, encoding: unknown): unknown {
  if (typeof chunk !== 'string' || typeof encoding !== 'string' || /^utf-?8$/i.test(encoding)) return chunk
  const bufferClass = builtinModule('node:buffer')?.Buffer
  // With an unknown encoding, Node throws.
  return bufferClass?.isEncoding(encoding) === true ? bufferClass.from(chunk, encoding) : undefined
}

/** Replaces a method of one object. An object that cannot be changed is left as it is, and its body is not logged. */
function override(target: object, name: string, value: Write): void {
  if (Object.isExtensible(target))
    define(target, name, { value, writable: true, configurable: true, enumerable: false })
}
