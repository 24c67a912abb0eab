import { createContext, Script, type Context } from 'node:vm'
import { withoutPrototype } from '../../options/own-members.ts'

/** Limits the time of code that runs regular expressions. `vm` ends the code, even inside of an expression. */
export class TimeLimit {
  readonly millis: number
  /** The expression that is running and may take long. */
  expression: RegExp | undefined
  private isActive = false
  private readonly options: { readonly timeout: number }

  constructor(millis: number) {
    this.millis = millis
    this.options = withoutPrototype({ timeout: millis })
  }

  /** Whether a function of `run` is running. */
  get isRunning(): boolean {
    return this.isActive
  }

  /**
   * Calls a function, and ends it when the time is over. This takes some 50 microseconds, so one call is for many records. The function can
   * end at any place, without its `finally` blocks.
   *
   * @returns whether the function returned in time
   */
  run(callee: () => void): boolean {
    context ??= createContext(Object.create(null) as CalleeContext) as CalleeContext
    context.callee = callee
    this.expression = undefined
    this.isActive = true
    try {
      script.runInContext(context, this.options)
      return true
    } catch (error) {
      if (isTimeout(error)) return false
      throw error
    } finally {
      this.isActive = false
      context.callee = undefined
    }
  }
}

type CalleeContext = Context & { callee?: (() => void) | undefined }

/** A context takes a millisecond to create, so all limits use one. The script reads the function when it begins. */
let context: CalleeContext | undefined

const script = new Script('callee()')

function isTimeout(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
