/**
 * The attributes of one record. Add them under constant names and always in the same order, so that V8 reuses hidden-class
 * transitions. Do not add undefined values: they would be omitted from the line, but each costs encoding time.
 */
export type Fields = Record<string, unknown>
