import type { FigureName } from '../figures.ts'
import type { BurstVariant } from '../methods/burst/variant.ts'
import type { CountVariant } from '../methods/count/variant.ts'
import type { EncodeVariant } from '../methods/encode/variant.ts'
import type { FirstLineVariant } from '../methods/first-line/variant.ts'
import type { HugeVariant } from '../methods/huge/variant.ts'
import type { MemoryVariant } from '../methods/memory/variant.ts'
import type { PacedVariant } from '../methods/paced/variant.ts'
import type { ProgramVariant } from '../methods/program/variant.ts'
import type { HttpVariant } from '../methods/http/variant.ts'
import type { StartVariant } from '../methods/start/variant.ts'
import type { SubjectName } from '../subjects/index.ts'

/** One question, asked by one method, in one or more variants: destinations, sizes, frameworks. */
export type Scenario =
  | Asked<'burst', BurstVariant>
  | Asked<'count', CountVariant>
  | Asked<'encode', EncodeVariant>
  | Asked<'huge', HugeVariant>
  | Asked<'program', ProgramVariant>
  | Asked<'paced', PacedVariant>
  | Asked<'memory', MemoryVariant>
  | Asked<'http', HttpVariant>
  | Asked<'start', StartVariant>
  | Asked<'first-line', FirstLineVariant>

interface Asked<M extends string, V extends Variant> extends Question {
  readonly method: M
  readonly variants: Readonly<Record<string, V>>
}

export interface Question {
  readonly question: string
  /** The columns of its table, besides the subject. */
  readonly figures: readonly FigureName[]
  /** A figure that is the difference of two: a subject's, less that of another subject in the same round. */
  readonly above?: Above
  /** Of these, our figure over the rival's is printed, with a target or without. */
  readonly compared: readonly FigureName[]
  readonly targets: readonly Target[]
  /**
   * How many runs of each subject the full form makes: fewer than the usual five where a figure is a count or a run takes
   * long, more where the machine has more to say than the subject. The command line can only ask for fewer.
   */
  readonly runs?: number
  /** Who is ours: compared with each of the others, and asked in any case where it stands. Default: sluice. */
  readonly ours?: SubjectName
  /** What grows from variant to variant: then they are points of one line each subject, at the variants' `at`. */
  readonly across?: string
}

export interface Above {
  /** The difference. */
  readonly figure: FigureName
  readonly of: FigureName
  /** Measured in each case, because the difference needs it. */
  readonly over: SubjectName
}

/** Who is asked. */
export interface Variant {
  /** Our own one is always the first. */
  readonly subjects: readonly SubjectName[]
  /** Who is asked besides, in the full form. */
  readonly more?: readonly SubjectName[]
  /** The size, where the scenario says what grows. */
  readonly at?: number
}

/** What a release must show: our figure over a rival's, or without a rival our figure alone, in the figure's unit. */
export interface Target {
  readonly variants: readonly string[]
  readonly figures: readonly FigureName[]
  readonly rival?: SubjectName
  /** Whose figure it is, where it is another of ours than the scenario's: that one is compared with the rivals as well. */
  readonly subject?: SubjectName
  readonly limit: number
  /** The limit is the least there must be; else the most. */
  readonly atLeast?: boolean
}
