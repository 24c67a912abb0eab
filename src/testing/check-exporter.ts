import { exportersCheck } from '../pipeline/exporter-checks.ts'
import type { Exporter } from '../pipeline/exporter.ts'
import type { ConfigurationProblem } from '../options/configuration-error.ts'
import type { ContractViolation } from './contract-violation.ts'
import { exporterCases, type ExporterCase } from './exporter-cases.ts'
import { ExporterHarness, type ExporterSubject } from './exporter-harness.ts'
import { member, withoutPrototype } from '../options/own-members.ts'

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
 * Checks whether an exporter conforms to the contract of `Exporter`. The exporter is called as by a pipeline, in test cases that
 * do not depend on its destination. No test runner is needed; in a test, expect an empty list.
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
  const { timeoutMillis = 5_000 } = withoutPrototype(options)
  const violations: ContractViolation[] = []
  // Records have different numbers in each case, because cases can share a destination.
  let firstNumber = 1
  for (const exporterCase of exporterCases) {
    const subject = subjectOf(await make())
    try {
      const faults = memberFaults(subject.exporter)
      // An invalid exporter cannot be called.
      if (faults.length > 0) return faults.map((message) => ({ rule: memberRule, message }))
      const harness = new ExporterHarness(subject, firstNumber, timeoutMillis)
      await runCase(exporterCase, harness)
      firstNumber = harness.nextNumber
      violations.push(...harness.faults.map((message) => ({ rule: exporterCase.rule, message })))
    } finally {
      await member(subject, 'close')?.call(subject)
    }
  }
  return violations
}

const memberRule = 'has a name, an encoding of this package, a schedule, delivery options and the method export'

async function runCase({ applies, run }: ExporterCase, harness: ExporterHarness): Promise<void> {
  if (!applies(harness)) return
  await run(harness)
  await harness.callAndWait('shutdown')
}

function subjectOf(exporterOrSubject: Exporter | ExporterSubject): ExporterSubject {
  return member(exporterOrSubject as Partial<ExporterSubject>, 'exporter') === undefined
    ? withoutPrototype({ exporter: exporterOrSubject as Exporter })
    : (exporterOrSubject as ExporterSubject)
}

/** Returns the faults in the members of an exporter. */
function memberFaults(exporter: Exporter): string[] {
  const problems: ConfigurationProblem[] = []
  exportersCheck(exporter, 'exporter', problems)
  return problems.map(({ path, message }) => `${path} ${message}`)
}
