import { readTextTime } from '../formats/text-time.ts'
import type { Envelope } from './envelope.ts'

/**
 * Unwraps a line of Docker's logging driver json-file: `{"log":"…\n","stream":"stdout","time":"…Z"}`. Docker splits lines into parts of
 * 16 KiB, and only the last one ends with a newline.
 */
export function unwrapDockerJson(text: string): Envelope | undefined {
  if (!text.startsWith('{"log":"')) return undefined
  let entry: { readonly log?: unknown; readonly stream?: unknown; readonly time?: unknown; readonly attrs?: unknown }
  try {
    entry = JSON.parse(text) as object
  } catch {
    return undefined
  }
  const { log, stream, time: timeText, attrs } = entry
  if (typeof log !== 'string' || (typeof stream !== 'string' && typeof timeText !== 'string')) return undefined
  const time = typeof timeText === 'string' ? readTextTime(timeText) : undefined
  const isPart = !log.endsWith('\n')
  return {
    inner: isPart ? log : log.slice(0, log.endsWith('\r\n') ? -2 : -1),
    isPart,
    container: containerOf(attrs),
    stream: typeof stream === 'string' ? stream : undefined,
    time,
    textRecord: { format: 'text', time: time?.time, timeUnixNano: time?.timeUnixNano },
  }
}

/** Returns the name of the container, which the option `tag` of the driver adds. */
function containerOf(attrs: unknown): string | undefined {
  if (typeof attrs !== 'object' || attrs === null || !Object.hasOwn(attrs, 'tag')) return undefined
  const { tag } = attrs as { readonly tag: unknown }
  return typeof tag === 'string' ? tag : undefined
}
