import { levelOf } from '../formats/levels.ts'
import { emptyEnvelope, type Envelope } from './envelope.ts'

/**
 * `[api] ` of concurrently, `api:dev: ` of Turborepo, and `apps/api dev: ` of pnpm, with or without colors.
 */
const prefixPattern =
  // oxlint-disable-next-line no-control-regex
  /^(?:\u001B\[[\d;]*m)*(?:\[([\w@./:-]{1,64})\]|([\w@./-]{1,64}:[\w:-]{1,40}):|((?=\S*[./])[\w@./-]{1,100} [\w:-]{1,40}):)(?:\u001B\[[\d;]*m)* (?:\u001B\[[\d;]*m)*/
/** The first member of the lines of loggers. */
const jsonStart = /^\{"(?:level|time|timestamp|@timestamp|severity|name|msg|message|log\.level)"/
const maxNames = 1_000

/** Unwraps lines of tools that run several scripts at once. */
export class TaskPrefixes {
  /** The names that were in front of JSON. */
  private readonly known = new Set<string>()

  /** Returns the line inside. A name must have been in front of JSON of a logger once, because other text can begin in the same way. */
  unwrap(text: string): Envelope | undefined {
    const match = prefixPattern.exec(text)
    if (match === null) return undefined
    const container = match[1] ?? match[2] ?? match[3]!
    const inner = text.slice(match[0].length)
    if (!this.known.has(container)) {
      if (!jsonStart.test(inner) || !inner.trimEnd().endsWith('}')) return undefined
      // `[INFO] {"message":…}` has a level.
      if (this.known.size >= maxNames || levelOf(container, 'names').severityNumber > 0) return undefined
      this.known.add(container)
    }
    return { ...emptyEnvelope, inner, container }
  }
}
