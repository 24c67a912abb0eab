import type { FigureName } from '../figures.ts'
import type { BurstVariant } from '../methods/burst/variant.ts'
import type { CountVariant } from '../methods/count/variant.ts'
import type { EncodeVariant } from '../methods/encode/variant.ts'
import type { FirstLineVariant } from '../methods/first-line/variant.ts'
import type { HugeVariant } from '../methods/huge/variant.ts'
import type { MemoryVariant } from '../methods/memory/variant.ts'
import type { PacedVariant } from '../methods/paced/variant.ts'
import type { ProgramVariant } from '../methods/program/variant.ts'
import type { ReadVariant } from '../methods/read/variant.ts'
import type { HttpVariant } from '../methods/http/variant.ts'
import type { StartVariant } from '../methods/start/variant.ts'
import type { TypesVariant } from '../methods/types/variant.ts'
import type { ViewerVariant } from '../methods/viewer/variant.ts'
import type { ViewerPageVariant } from '../methods/viewer-page/variant.ts'
import type { SubjectName } from '../subjects/index.ts'

/** What is measured, with one method, in one or more variants: destinations, sizes or frameworks. */
export type Scenario =
  | MethodScenario<'burst', BurstVariant>
  | MethodScenario<'count', CountVariant>
  | MethodScenario<'encode', EncodeVariant>
  | MethodScenario<'huge', HugeVariant>
  | MethodScenario<'program', ProgramVariant>
  | MethodScenario<'paced', PacedVariant>
  | MethodScenario<'memory', MemoryVariant>
  | MethodScenario<'http', HttpVariant>
  | MethodScenario<'read', ReadVariant>
  | MethodScenario<'start', StartVariant>
  | MethodScenario<'first-line', FirstLineVariant>
  | MethodScenario<'types', TypesVariant>
  | MethodScenario<'viewer', ViewerVariant>
  | MethodScenario<'viewer-page', ViewerPageVariant>

interface MethodScenario<M extends string, V extends Variant> extends ScenarioDefinition {
  readonly method: M
  readonly variants: Readonly<Record<string, V>>
}

export interface ScenarioDefinition {
  /** What is measured, without a period at the end. */
  readonly description: string
  /** The figures in its table. */
  readonly figures: readonly FigureName[]
  /** A figure that is the difference between a subject and another one in the same round. */
  readonly difference?: Difference
  /** The figures whose ratios to the rivals are shown, with or without a target. */
  readonly compared: readonly FigureName[]
  readonly targets: readonly Target[]
  /**
   * The number of runs of each subject with `--full`. Default: 5. Fewer if a figure is a count or a run takes long; more if
   * the figures vary. The command line can only reduce it.
   */
  readonly runs?: number
  /** The sluice subject, which is compared with the others and always measured. Default: sluice. */
  readonly ours?: SubjectName
  /** The name of the size that grows from variant to variant. The chart then has a line for each subject. */
  readonly sizeName?: string
}

export interface Difference {
  /** The figure for the difference. */
  readonly figure: FigureName
  readonly of: FigureName
  /** The other subject, which is always measured. */
  readonly baseline: SubjectName
}

/** The subjects of a variant. */
export interface Variant {
  /** The subjects, that of sluice first, then the main rival. */
  readonly subjects: readonly SubjectName[]
  /** Additional subjects with `--full`. */
  readonly more?: readonly SubjectName[]
  /** The size, if the scenario has one that grows. */
  readonly size?: number
}

/** A limit for a release: for the ratio of sluice to a rival, or without a rival for the figure of sluice in its unit. */
export interface Target {
  readonly variants: readonly string[]
  readonly figures: readonly FigureName[]
  readonly rival?: SubjectName
  /** Another sluice subject than that of the scenario. It is also compared with the rivals. */
  readonly subject?: SubjectName
  readonly limit: number
  /** The limit is a minimum. Default: a maximum. */
  readonly atLeast?: boolean
}
