import { isDigit } from '../formats/text-time.ts'
import { unwrapCri } from './cri.ts'
import { unwrapDockerJson } from './docker-json.ts'
import type { Envelope } from './envelope.ts'
import { unwrapHerokuPrefix } from './heroku-prefix.ts'
import { unwrapJournalJson } from './journald-json.ts'
import { unwrapMessageJson } from './message-json.ts'
import { unwrapPipePrefix } from './pipe-prefix.ts'
import { PodPrefixes } from './pod-prefix.ts'
import { unwrapShortHeader, unwrapSyslog } from './syslog-header.ts'
import { TaskPrefixes } from './task-prefix.ts'
import { unwrapTimePrefix } from './time-prefix.ts'

/** Finds the envelopes of lines. Create one for each input, because the prefixes of stern are learned. */
export class EnvelopeReader {
  private readonly pods = new PodPrefixes()
  private readonly tasks = new TaskPrefixes()

  /** Returns the outermost envelope of a line; undefined without one. The first character selects the forms that are tried. */
  unwrap(text: string): Envelope | undefined {
    const first = text.charCodeAt(0)
    if (first === openBrace) return unwrapDockerJson(text) ?? unwrapMessageJson(text) ?? unwrapJournalJson(text)
    if (first === lessThan) return unwrapSyslog(text)
    if (isDigit(first))
      return (
        unwrapCri(text) ??
        unwrapPipePrefix(text) ??
        unwrapTimePrefix(text) ??
        unwrapHerokuPrefix(text) ??
        unwrapSyslog(text) ??
        unwrapShortHeader(text) ??
        this.pods.unwrapStern(text)
      )
    if (first === openBracket) return this.pods.unwrapKubectl(text) ?? this.tasks.unwrap(text)
    if (first === escape || first === underscore || first === atSign || first === dot || isLetter(first))
      return (
        unwrapPipePrefix(text) ??
        (text.charCodeAt(3) === space ? unwrapShortHeader(text) : undefined) ??
        this.pods.unwrapStern(text) ??
        this.tasks.unwrap(text)
      )
    return undefined
  }
}

function isLetter(code: number): boolean {
  return (code | 32) >= 97 && (code | 32) <= 122
}

const escape = 27
const space = 32
const dot = 46
const atSign = 64
const lessThan = 60
const openBracket = 91
const underscore = 95
const openBrace = 123
