import type { Fields } from './fields.ts'
import { disownPromise } from '../options/observe-promise.ts'
import { thrownMarker } from '../values/thrown-marker.ts'
import { diagnosticPrefix } from './semantic-conventions.ts'
import { addMembers } from '../options/define-member.ts'
import { ownCopy } from '../options/own-members.ts'

/** What went wrong in functions of the user's for one request: shown in its record. */
export class RequestLogDiagnostics {
  #told: Record<string, unknown> | undefined

  /** What a function of the user's returns; undefined when it throws or returns a promise, which is told. */
  callOption<T>(option: string, question: () => T): T | undefined {
    try {
      const answer = question()
      if (!disownPromise(answer)) return answer
      this.report(option, 'a promise, which is not waited for')
      return undefined
    } catch (error) {
      this.report(option, thrownMarker(error))
      return undefined
    }
  }

  report(option: string, what: string): void {
    this.#told ??= ownCopy({})
    this.#told[diagnosticPrefix + option] = what
  }

  /** Adds what went wrong. */
  show(fields: Fields): void {
    if (this.#told !== undefined) addMembers(fields, this.#told)
  }
}
