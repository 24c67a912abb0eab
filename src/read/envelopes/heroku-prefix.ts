import { noTextParts } from '../formats/text-record.ts'
import { readTextTime } from '../formats/text-time.ts'
import { emptyEnvelope, type Envelope } from './envelope.ts'

const sourcePattern = / (?:app|heroku)\[([\w.-]{1,64})\]: /y

/** Unwraps a line of `heroku logs`: `2010-09-16T15:13:46.677020+00:00 app[web.1]: …`. */
export function unwrapHerokuPrefix(text: string): Envelope | undefined {
  const time = readTextTime(text)
  if (time === undefined) return undefined
  sourcePattern.lastIndex = time.end
  const match = sourcePattern.exec(text)
  if (match === null) return undefined
  return {
    ...emptyEnvelope,
    inner: text.slice(sourcePattern.lastIndex),
    container: match[1],
    time,
    textRecord: { ...noTextParts, time: time.time, timeUnixNano: time.timeUnixNano },
  }
}
