import type { Fields } from './fields.ts'
import { ignoreRejection } from '../options/observe-promise.ts'
import { thrownMarker } from '../values/thrown-marker.ts'
import { diagnosticPrefix } from './semantic-conventions.ts'
import { addMembers } from '../options/define-member.ts'
import { ownCopy } from '../options/own-members.ts'

/** Errors of the user's option functions for one request, which are added to its record. */
export class RequestLogDiagnostics {
  #reported: Record<string, unknown> | undefined

  /** Returns the result of an option function; undefined when it throws or returns a promise, which is reported. */
  callOption<T>(option: string, call: () => T): T | undefined {
    try {
      const result = call()
      if (!ignoreRejection(result)) return result
      this.report(option, 'a promise, which is not waited for')
      return undefined
    } catch (error) {
      this.report(option, thrownMarker(error))
      return undefined
    }
  }

  report(option: string, what: string): void {
    this.#reported ??= ownCopy({})
    this.#reported[diagnosticPrefix + option] = what
  }

  /** Adds the reported errors to a record. */
  show(fields: Fields): void {
    if (this.#reported !== undefined) addMembers(fields, this.#reported)
  }
}
