import type { Variant } from '../../scenarios/scenario.ts'

/** A viewer that receives records from the official exporter, and a page that filters them. */
export interface ViewerVariant extends Variant {
  readonly records: number
  /** The parameters of the view that is timed; undefined to time the records that are received. */
  readonly filter?: string
  /** Whether the viewer saves the records in a database. */
  readonly hasDatabase?: boolean
}
