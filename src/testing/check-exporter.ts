import { exporterOrExporters } from '../pipeline/exporter-checks.ts'
import type { Exporter } from '../pipeline/exporter.ts'
import type { ConfigurationProblem } from '../options/configuration-error.ts'
import type { ContractViolation } from './contract-violation.ts'
import { exporterCases, type ExporterCase } from './exporter-cases.ts'
import { ExporterHarness } from './exporter-harness.ts'
import { member, ownCopy } from '../options/own-members.ts'

/** An exporter that is looked at, with what can be said of its destination. */
export interface ExporterSubject {
  /** A new one, in front of a destination that works. */
  readonly exporter: Exporter
  /**
   * What the destination holds, in the order of arrival: text or bytes in any format, decompressed. Then what the exporter says is
   * compared with what is there. Asked whenever records were accepted.
   */
  received?(): string | Uint8Array | Promise<string | Uint8Array>
  /** Has the destination take nothing from now on. Then it is seen what the exporter makes of that. */
  fail?(): void | Promise<void>
  /** Called when it is done with, whatever was found. */
  close?(): void | Promise<void>
}

/** How an exporter is looked at. */
export interface CheckExporterOptions {
  /** How long it may take to answer, to flush and to shut down, in ms. Default 5,000. */
  readonly timeoutMillis?: number
}

/**
 * Looks whether an exporter keeps the contract of `Exporter`: it is worked as a pipeline does, by cases that know nothing of its
 * destination. It needs no test runner; a test expects an empty list.
 *
 * @param make - makes an exporter for each case, or a subject, which says more; what it throws rejects the promise
 *
 * @returns every breach that was found; none does not prove that there is none.
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
  let first = 1
  for (const one of exporterCases) {
    const subject = subjectOf(await make())
    try {
      const malformed = shapeFaults(subject.exporter)
      // What is no exporter cannot be worked.
      if (malformed.length > 0) return malformed.map((message) => ({ rule: shapeRule, message }))
      const lab = new ExporterHarness(subject, first, timeoutMillis)
      await runCase(one, lab)
      first = lab.following
      problems.push(...lab.faults.map((message) => ({ rule: one.rule, message })))
    } finally {
      await member(subject, 'close')?.call(subject)
    }
  }
  return problems
}

const shapeRule = 'has a name, an encoding of this package, a schedule, delivery settings and an export'

async function runCase({ applies, run }: ExporterCase, lab: ExporterHarness): Promise<void> {
  if (!applies(lab)) return
  await run(lab)
  await lab.call('shutdown')
}

function subjectOf(made: Exporter | ExporterSubject): ExporterSubject {
  return member(made as Partial<ExporterSubject>, 'exporter') === undefined
    ? ownCopy({ exporter: made as Exporter })
    : (made as ExporterSubject)
}

function shapeFaults(exporter: Exporter): string[] {
  const problems: ConfigurationProblem[] = []
  exporterOrExporters(exporter, 'exporter', problems)
  return problems.map(({ path, message }) => `${path} ${message}`)
}
