import { readTextTime } from '../formats/text-time.ts'
import { noTextParts } from '../formats/text-record.ts'
import { emptyEnvelope, type Envelope } from './envelope.ts'

/**
 * Unwraps a line of the log format of the Kubernetes container runtime interface, which containerd and CRI-O write:
 * `2016-10-06T00:17:09.669794202Z stdout P …`. The tags after the stream are separated by colons, and the first is `P` for a part of a
 * line, or `F` for a whole line or the last part of one.
 */
export function unwrapCri(text: string): Envelope | undefined {
  const timeEnd = text.indexOf(' ')
  if (timeEnd < 19 || timeEnd > 40 || !text.startsWith('std', timeEnd + 1)) return undefined
  const streamEnd = timeEnd + 7
  const stream = text.slice(timeEnd + 1, streamEnd)
  if ((stream !== 'stdout' && stream !== 'stderr') || text.charCodeAt(streamEnd) !== space) return undefined
  const tag = text.charCodeAt(streamEnd + 1)
  const afterTag = text.charCodeAt(streamEnd + 2)
  if ((tag !== partial && tag !== full) || (afterTag !== space && afterTag !== colon && streamEnd + 2 < text.length))
    return undefined
  const time = readTextTime(text)
  if (time === undefined || time.end !== timeEnd) return undefined
  const tagsEnd = text.indexOf(' ', streamEnd + 2)
  return {
    ...emptyEnvelope,
    inner: tagsEnd < 0 ? '' : text.slice(tagsEnd + 1),
    isPart: tag === partial,
    stream,
    time,
    textRecord: { ...noTextParts, time: time.time, timeUnixNano: time.timeUnixNano },
  }
}

const space = 32
const colon = 58
const full = 70
const partial = 80
