import { readTextTime } from '../formats/text-time.ts'
import { emptyEnvelope, type Envelope } from './envelope.ts'

/**
 * Unwraps a time in front of a JSON object, as `docker logs --timestamps`, `kubectl logs --timestamps` and `pm2 logs --timestamp` write
 * it. Other text after a time is not unwrapped, because the time belongs to it.
 */
export function unwrapTimePrefix(text: string): Envelope | undefined {
  const time = readTextTime(text)
  if (time === undefined) return undefined
  let at = time.end
  if (text.charCodeAt(at) === 58) at++
  if (text.charCodeAt(at) !== 32 || text.charCodeAt(at + 1) !== 123 || text.charCodeAt(at + 2) !== 34) return undefined
  return { ...emptyEnvelope, inner: text.slice(at + 1), time }
}
