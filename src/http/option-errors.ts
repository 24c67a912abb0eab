import type { Fields } from './fields.ts'
import { ignoreRejection } from '../options/observe-promise.ts'
import { thrownMarker } from '../values/thrown-marker.ts'
import { optionErrorPrefix } from './semantic-conventions.ts'
import { addMembers } from '../options/define-member.ts'
import { withoutPrototype } from '../options/own-members.ts'

/** Errors of the user's option functions, and of `set`, for one request, which are added to its record. */
export class OptionErrors {
  #errorsByAttribute: Record<string, unknown> | undefined

  /**
   * Calls the function of an option, or `set`, and returns its result. If it throws or returns a promise, adds an error and returns
   * undefined.
   */
  callOption<T>(option: string, call: () => T): T | undefined {
    try {
      const result = call()
      const isPromise = ignoreRejection(result)
      if (!isPromise) return result
      this.add(option, 'a promise, which is not waited for')
      return undefined
    } catch (error) {
      this.add(option, thrownMarker(error))
      return undefined
    }
  }

  /** Adds an error of an option, which replaces an earlier one of the same option. */
  add(option: string, problem: string): void {
    this.#errorsByAttribute ??= withoutPrototype({})
    this.#errorsByAttribute[optionErrorPrefix + option] = problem
  }

  /** Adds the errors that no record has yet, as attributes. */
  addTo(fields: Fields): void {
    if (this.#errorsByAttribute === undefined) return
    addMembers(fields, this.#errorsByAttribute)
    this.#errorsByAttribute = undefined
  }
}
