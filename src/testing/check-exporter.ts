import { exportersCheck } from '../pipeline/exporter-checks.ts'
import type { Exporter } from '../pipeline/exporter.ts'
import type { ConfigurationProblem } from '../options/configuration-error.ts'
import type { ContractViolation } from './contract-violation.ts'
import { exporterCases, type ExporterCase } from './exporter-cases.ts'
import { ExporterHarness, type ExporterSubject } from './exporter-harness.ts'
import { member, ownCopy } from '../options/own-members.ts'

/** Options of `checkExporter`. */
export interface CheckExporterOptions {
  /**
   * The maximum time in ms for an export, a flush and a shutdown.
   *
   * @defaultValue 5,000
   */
  readonly timeoutMillis?: number
}

/**
 * Checks whether an exporter conforms to the contract of `Exporter`. It is called as by a pipeline, with test cases that do not
 * depend on its destination. No test runner is needed; in a test, expect an empty list.
 *
 * @param make - creates an exporter, or a subject with access to its destination, for each case; its errors reject the promise
 * @param options - the timeout
 *
 * @returns All violations found. An empty list does not prove that there are none.
 *
 * @example
 * ```ts
 * assert.deepEqual(await checkExporter(() => myExporter({ url })), [])
 * ```
 */
export async function checkExporter(
  make: () => Exporter | ExporterSubject | Promise<Exporter | ExporterSubject>,
  options: CheckExporterOptions = {},
): Promise<readonly ContractViolation[]> {
  const { timeoutMillis = 5_000 } = ownCopy(options)
  const problems: ContractViolation[] = []
  let firstNumber = 1
  for (const one of exporterCases) {
    const subject = subjectOf(await make())
    try {
      const malformed = shapeFaults(subject.exporter)
      // An invalid exporter cannot be called.
      if (malformed.length > 0) return malformed.map((message) => ({ rule: shapeRule, message }))
      const harness = new ExporterHarness(subject, firstNumber, timeoutMillis)
      await runCase(one, harness)
      firstNumber = harness.following
      problems.push(...harness.faults.map((message) => ({ rule: one.rule, message })))
    } finally {
      await member(subject, 'close')?.call(subject)
    }
  }
  return problems
}

const shapeRule = 'has a name, an encoding of this package, a schedule, delivery options and the method export'

async function runCase({ applies, run }: ExporterCase, harness: ExporterHarness): Promise<void> {
  if (!applies(harness)) return
  await run(harness)
  await harness.call('shutdown')
}

function subjectOf(made: Exporter | ExporterSubject): ExporterSubject {
  return member(made as Partial<ExporterSubject>, 'exporter') === undefined
    ? ownCopy({ exporter: made as Exporter })
    : (made as ExporterSubject)
}

function shapeFaults(exporter: Exporter): string[] {
  const problems: ConfigurationProblem[] = []
  exportersCheck(exporter, 'exporter', problems)
  return problems.map(({ path, message }) => `${path} ${message}`)
}
