import { callSafely } from './call-safely.ts'
import type { LevelChangeEvent } from './level-layer.ts'

/** Writes changes of levels to the log. */
export interface LevelReporter {
  /** Returns whether the change was written: false after the logger was shut down. */
  report(event: LevelChangeEvent): boolean
}

/** What writes changes to the log, each held weakly by its logger: each change is reported by the first one that can. */
export class LevelReporters {
  private readonly reporters = new Set<WeakRef<LevelReporter>>()
  private readonly collected = new FinalizationRegistry<WeakRef<LevelReporter>>((reporter) =>
    this.reporters.delete(reporter),
  )

  /**
   * Adds what reports changes, which must be kept alive elsewhere.
   *
   * @returns a function that removes it, for a logger that is shut down
   */
  add(reporter: LevelReporter): () => void {
    const reference = new WeakRef(reporter)
    this.reporters.add(reference)
    this.collected.register(reporter, reference, reference)
    return () => {
      this.reporters.delete(reference)
      this.collected.unregister(reference)
    }
  }

  report(event: LevelChangeEvent): void {
    for (const reporter of this.reporters) if (callSafely(() => reporter.deref()?.report(event)) === true) return
  }
}
