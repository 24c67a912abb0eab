import { define } from '../options/define-member.ts'
import { member, withoutPrototype } from '../options/own-members.ts'
import type { BodyCapture } from './body-capture.ts'
import { convertFetchResponse, type FetchRequest } from './fetch-request.ts'
import type { AdapterScope } from './request-scope.ts'

/**
 * Returns the response to send, and completes the request. If the body of the response is logged, a copy of the response is returned, and
 * the request completes when the runtime has read the body; otherwise it completes at once.
 */
export function endWithResponse(
  scope: AdapterScope,
  request: FetchRequest,
  response: Response,
  route?: string,
): Response {
  const end: End = (unfinished) => {
    const completed = convertFetchResponse(request, response, route)
    scope.end(unfinished === undefined ? completed : { ...completed, unfinished })
  }
  const body = scope.bodies?.response
  const captured = body === undefined ? undefined : capturedResponse(request, response, body, end)
  if (captured === undefined) end()
  return captured ?? response
}

/** Completes the request, with `aborted` if the body was not read to its end. Only the first call has an effect. */
type End = (unfinished?: 'aborted') => void

/** Returns a response whose body is copied while the runtime reads it; undefined if it has none, or one that cannot be logged. */
function capturedResponse(
  request: FetchRequest,
  response: Response,
  body: BodyCapture,
  end: End,
): Response | undefined {
  // The body of a response to HEAD is not sent.
  if (request.method === 'HEAD') return undefined
  try {
    const content = member(response, 'body')
    if (!content || response.headers.get('content-encoding') !== null) return undefined
    // A response that cannot be copied, such as one with the status 101, throws here, before its content is locked.
    const head = new Response(null, response)
    const captured = new Response(copied(content, body, end), head)
    member(request, 'signal')?.addEventListener?.('abort', () => end('aborted'), withoutPrototype({ once: true }))
    return captured
  } catch {
    return undefined
  }
}

/** Returns a stream that passes a body on when it is read, so that nothing is read earlier than without it. */
function copied(content: ReadableStream, body: BodyCapture, end: End): ReadableStream {
  const reader = content.getReader()
  const source = {
    async pull(controller: ReadableStreamDefaultController): Promise<void> {
      try {
        const { done, value } = await reader.read()
        if (done) {
          body.isComplete = true
          controller.close()
          end()
        } else {
          body.add(value)
          controller.enqueue(value)
        }
      } catch (error) {
        controller.error(error)
        end('aborted')
      }
    },
    async cancel(reason: unknown): Promise<void> {
      end('aborted')
      await reader.cancel(reason)
    },
  }
  return new ReadableStream(withoutPrototype(source), withoutPrototype({ highWaterMark: 0 }))
}

/** The methods of a Fetch API request that read its body. */
interface BodyReader {
  text?(): Promise<string>
  arrayBuffer?(): Promise<ArrayBuffer>
  bytes?(): Promise<Uint8Array>
}

/**
 * Copies the body of a Fetch API request when the program reads it with `text`, `json`, `arrayBuffer` or `bytes`. A body that is read in
 * another way, such as a stream, is not copied: a second reader would buffer or delay it.
 */
export function captureFetchBody(request: FetchRequest, body: BodyCapture): void {
  if (!Object.isExtensible(request)) return
  const reader = request as BodyReader
  const [text, arrayBuffer, bytes] = [member(reader, 'text'), member(reader, 'arrayBuffer'), member(reader, 'bytes')]
  const read = async <T>(content: Promise<T>, asChunk: (content: T) => string | Uint8Array): Promise<T> => {
    const result = await content
    body.add(asChunk(result))
    body.isComplete = true
    return result
  }
  if (text !== undefined) {
    const readText = () => read(text.call(request), (content) => content)
    override(request, 'text', readText)
    override(request, 'json', async () => JSON.parse(await readText()) as unknown)
  }
  if (arrayBuffer !== undefined)
    override(request, 'arrayBuffer', () => read(arrayBuffer.call(request), (content) => new Uint8Array(content)))
  if (bytes !== undefined) override(request, 'bytes', () => read(bytes.call(request), (content) => content))
}

function override(request: object, name: string, value: () => Promise<unknown>): void {
  define(request, name, { value, writable: true, configurable: true, enumerable: false })
}
