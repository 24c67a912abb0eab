import type { Context, Script } from 'node:vm'

/** Limits the time of code that runs regular expressions. `vm` ends the code, even inside of an expression. */
export class TimeLimit {
  readonly millis: number
  /** The expression that is running and may take long. */
  expression: RegExp | undefined
  private context: (Context & { callee?: (() => void) | undefined }) | undefined
  private isActive = false

  constructor(millis: number) {
    this.millis = millis
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
    const { createContext, Script } = process.getBuiltinModule('node:vm')
    this.context ??= createContext(Object.create(null) as Context)
    script ??= new Script('callee()')
    this.context.callee = callee
    this.expression = undefined
    this.isActive = true
    try {
      script.runInContext(this.context, { timeout: this.millis })
      return true
    } catch (error) {
      if (isTimeout(error)) return false
      throw error
    } finally {
      this.isActive = false
      this.context.callee = undefined
    }
  }
}

let script: Script | undefined

function isTimeout(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
